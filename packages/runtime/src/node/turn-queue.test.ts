import { setImmediate as nextTimeSlice } from "node:timers/promises";
import { expect, it } from "vitest";
import { TurnQueue } from "./turn-queue.ts";

it("lets the first begin at once, and each further one in a turn of its own, in their order", async () => {
  const turns = new TurnQueue();
  const begun: number[] = [];
  for (let position = 0; position < 4; position++) {
    const turn = turns.next();
    expect(turn === undefined).toBe(position === 0);
    void turn?.then(() => begun.push(position));
  }
  for (let count = 1; count < 4; count++) {
    await nextTimeSlice();
    expect(begun).toEqual([1, 2, 3].slice(0, count));
  }
  await nextTimeSlice();
  expect(turns.next()).toBeUndefined();
});
