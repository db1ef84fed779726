import { describe, expect, test } from "vitest";
import type { PlayedCase } from "./play-case.ts";
import { createPresence, type Presence } from "./presence.ts";

const lost = {
  planned: { id: "getOne/live/one" },
  findings: [],
  exchanges: [],
  milliseconds: 1,
} as unknown as PlayedCase;

function watch(
  answers: readonly (boolean | undefined)[],
  patienceMilliseconds = 20_000,
): {
  readonly presence: Presence;
  readonly told: readonly string[];
  asked(): number;
} {
  const told: string[] = [];
  let asked = 0;
  const presence = createPresence({
    ask: async () => answers[Math.min(asked++, answers.length - 1)],
    patienceMilliseconds,
    onReturn: (notice) => told.push(notice),
    onGone: (sentence) => told.push(sentence),
  });
  return { presence, told, asked: () => asked };
}

async function lose(presence: Presence, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) presence.noteLost(lost);
  await presence.settle();
}

describe("a target", () => {
  test("is not asked before four cases in a row were lost", async () => {
    const { presence, asked } = watch([true]);
    await lose(presence, 3);
    presence.noteAnswer();
    await lose(presence, 3);
    expect(asked()).toBe(0);
    await lose(presence, 1);
    expect(asked()).toBe(1);
  });

  test("that answers at once was never away", async () => {
    const { presence, told } = watch([true]);
    await lose(presence, 4);
    expect(told).toEqual([]);
    expect(presence.isLost(lost)).toBe(false);
  });

  test("that comes back is told of", async () => {
    const { presence, told } = watch([false, true]);
    await lose(presence, 4);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(
      /^The target did not answer for \d+ ms, and then it did again \(first in getOne\/live\/one\)\.$/,
    );
    expect(presence.goneBecause).toBeUndefined();
  });

  test("that does not is given up, and cases that were lost then say nothing", async () => {
    const { presence, told } = watch([false], 400);
    await Promise.all([lose(presence, 4), lose(presence, 1)]);
    expect(told).toEqual([presence.goneBecause]);
    presence.noteAnswer();
    expect(presence.isLost(lost)).toBe(true);
    await lose(presence, 4);
    expect(told).toHaveLength(1);
  });

  test("that may not be asked any more is not waited for", async () => {
    const { presence, told } = watch([undefined]);
    await lose(presence, 4);
    expect(told).toEqual([]);
    expect(presence.goneBecause).toBeUndefined();
    // Whether it would have come back is unknown.
    expect(presence.isLost(lost)).toBe(true);
  });
});
