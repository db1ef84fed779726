import { setImmediate as nextTimeSlice } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { endOfTurn } from "./end-of-turn.ts";

describe("the end of a turn", () => {
  it("comes for all that wait in one turn together, after the work of the turn", async () => {
    const seen: string[] = [];
    const responses = ["a", "b"].map(async (name) => {
      seen.push(`work of ${name}`);
      await endOfTurn();
      seen.push(`answer of ${name}`);
    });
    await Promise.resolve();
    expect(seen).toEqual(["work of a", "work of b"]);
    await Promise.all(responses);
    expect(seen).toEqual(["work of a", "work of b", "answer of a", "answer of b"]);
    await nextTimeSlice();
  });

  it("is not put off by long work", async () => {
    const first = endOfTurn();
    const start = performance.now();
    while (performance.now() - start < 5) {
      // The request takes long.
    }
    const second = endOfTurn();
    let hasTurned = false;
    setImmediate(() => {
      hasTurned = true;
    });
    await Promise.all([first, second]);
    expect(hasTurned).toBe(false);
    await nextTimeSlice();
  });
});
