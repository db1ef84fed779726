import { afterEach, expect, it, vi } from "vitest";
import { inSlices } from "./in-slices.ts";

afterEach(() => vi.restoreAllMocks());

/** Yields steps of this many milliseconds each, by a clock that nothing else advances. */
function* stepsOf(milliseconds: readonly number[], clock: { now: number }, log: unknown[]): Generator<void, string> {
  for (const duration of milliseconds) {
    clock.now += duration;
    log.push(duration);
    yield;
  }
  return "done";
}

it.each([
  { name: "goes on within 4 ms", durations: [1, 2, 0.9, 0.05], expected: [1, 2, 0.9, 0.05] },
  { name: "lets other work go on after 4 ms", durations: [1, 3, 5, 1], expected: [1, 3, "other", 5, "other", 1] },
  { name: "counts each time anew", durations: [3, 3, 3, 3], expected: [3, 3, "other", 3, 3, "other"] },
  { name: "ends without a step", durations: [], expected: [] },
])("$name", async ({ durations, expected }) => {
  const clock = { now: 1_000 };
  vi.spyOn(performance, "now").mockImplementation(() => clock.now);
  const log: unknown[] = [];
  expect(await inSlices(stepsOf(durations, clock, log), () => log.push("other"))).toBe("done");
  expect(log).toEqual(expected);
});

it("ends with the reason why it can't go on", async () => {
  const clock = { now: 0 };
  vi.spyOn(performance, "now").mockImplementation(() => clock.now);
  const resume = (): void => {
    throw new Error("reorganised");
  };
  await expect(inSlices(stepsOf([4, 4], clock, []), resume)).rejects.toThrow("reorganised");
});
