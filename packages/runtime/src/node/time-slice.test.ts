import { setImmediate as loopTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isTimeSliceUsedUp, nextTimeSlice } from "./time-slice.ts";

// Another process may take the processor for longer than a time slice: only the test advances the time here.
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));

afterEach(() => void vi.useRealTimers());

function workFor(milliseconds: number): void {
  vi.advanceTimersByTime(milliseconds);
}

describe("work in slices", () => {
  it("has some time of a turn, and again in the next one", async () => {
    await loopTurn();
    expect(isTimeSliceUsedUp()).toBe(false);
    workFor(5);
    expect(isTimeSliceUsedUp()).toBe(true);
    await nextTimeSlice();
    expect(isTimeSliceUsedUp()).toBe(false);
    await loopTurn();
  });

  it("shares the time of a turn with other work", async () => {
    await loopTurn();
    expect(isTimeSliceUsedUp()).toBe(false);
    workFor(5);
    expect(await Promise.resolve().then(isTimeSliceUsedUp)).toBe(true);
    await loopTurn();
    expect(isTimeSliceUsedUp()).toBe(false);
    await loopTurn();
  });

  it("goes on one after the other, in the order of the pauses, with turns of the event loop between", async () => {
    const seen: string[] = [];
    let isDone = false;
    const watch = (): void => {
      seen.push("loop");
      if (!isDone) setImmediate(watch);
    };
    setImmediate(watch);
    const work = async (name: string): Promise<void> => {
      for (let step = 1; step <= 2; step += 1) {
        await nextTimeSlice();
        seen.push(`${name}${step}`);
      }
    };
    await Promise.all([work("a"), work("b"), work("c")]);
    isDone = true;
    expect(seen.filter((entry) => entry !== "loop")).toEqual(["a1", "b1", "c1", "a2", "b2", "c2"]);
    for (const [position, entry] of seen.entries()) {
      if (entry !== "loop") expect(seen[position + 1] ?? "loop").toBe("loop");
    }
  });
});
