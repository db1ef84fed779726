import { describe, expect, test } from "vitest";
import type { PlayedCase } from "./play-case.ts";
import { Presence } from "./presence.ts";

const lost = {
  planned: { id: "getOne/live/one" },
  findings: [],
  exchanges: [],
  milliseconds: 1,
} as unknown as PlayedCase;

function watch(
  responses: readonly (boolean | undefined)[],
  maximumOutageMilliseconds = 20_000,
): {
  readonly presence: Presence;
  readonly reported: readonly string[];
  requested(): number;
} {
  const reported: string[] = [];
  let requested = 0;
  const presence = new Presence({
    callOperation: async () => responses[Math.min(requested++, responses.length - 1)],
    maximumOutageMilliseconds,
    onReturn: (notice) => reported.push(notice),
    onGone: (sentence) => reported.push(sentence),
  });
  return { presence, reported, requested: () => requested };
}

async function lose(presence: Presence, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) presence.noteLost(lost);
  await presence.settle();
}

describe("a target", () => {
  test("is not asked before four cases in a row were lost", async () => {
    const { presence, requested } = watch([true]);
    await lose(presence, 3);
    presence.recordResponse();
    await lose(presence, 3);
    expect(requested()).toBe(0);
    await lose(presence, 1);
    expect(requested()).toBe(1);
  });

  test("that answers at once was never away", async () => {
    const { presence, reported } = watch([true]);
    await lose(presence, 4);
    expect(reported).toEqual([]);
    expect(presence.isLost(lost)).toBe(false);
  });

  test("that comes back is told of", async () => {
    const { presence, reported } = watch([false, true]);
    await lose(presence, 4);
    expect(reported).toHaveLength(1);
    expect(reported[0]).toMatch(
      /^The target did not respond for \d+ ms, and then responded again \(first in getOne\/live\/one\)\.$/,
    );
    expect(presence.goneBecause).toBeUndefined();
  });

  test("that does not is given up, and cases that were lost then say nothing", async () => {
    const { presence, reported } = watch([false], 400);
    await Promise.all([lose(presence, 4), lose(presence, 1)]);
    expect(reported).toEqual([presence.goneBecause]);
    presence.recordResponse();
    expect(presence.isLost(lost)).toBe(true);
    await lose(presence, 4);
    expect(reported).toHaveLength(1);
  });

  test("that may not be asked any more is not waited for", async () => {
    const { presence, reported } = watch([undefined]);
    await lose(presence, 4);
    expect(reported).toEqual([]);
    expect(presence.goneBecause).toBeUndefined();
    // Whether it would have come back is unknown.
    expect(presence.isLost(lost)).toBe(true);
  });
});
