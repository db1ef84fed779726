import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { anotherWasFaster, firstWasFaster, hedge, type Leg } from "./hedge.ts";

/** Answers after so long, or fails; says when it is ended before. */
function leg(name: string, milliseconds: number, ended: string[], failure?: Error): Leg<string> {
  return async (signal) => {
    try {
      await sleep(milliseconds, undefined, { signal });
    } catch {
      ended.push(name);
      throw signal.reason;
    }
    if (failure !== undefined) throw failure;
    return name;
  };
}

const down = new Error("Down");
const refusal = new Error("Refusal");
const options = { delayMilliseconds: 20, isAnswer: (reason: unknown) => reason === refusal };

describe("two who are asked for the same", () => {
  it("are one while the first is fast enough", async () => {
    const ended: string[] = [];
    const createSecond = () => expect.unreachable("the first is fast");
    expect(await hedge({ ...options, first: leg("first", 1, ended), createSecond })).toBe("first");
    await sleep(40);
    expect(ended).toEqual([]);
  });

  it("race when the first is slow, and the loser is ended", async () => {
    const ended: string[] = [];
    const createSecond = () => leg("second", 1, ended);
    expect(await hedge({ ...options, first: leg("first", 5_000, ended), createSecond })).toBe("second");
    await sleep(1);
    expect(ended).toEqual(["first"]);
  });

  it("tell the loser whether it was asked first: only then its silence was the longer one", async () => {
    const reasons: unknown[] = [];
    const silent: Leg<string> = (signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reasons.push(signal.reason);
          reject(signal.reason);
        });
      });
    await hedge({ ...options, first: silent, createSecond: () => leg("second", 1, []) });
    await hedge({ ...options, first: leg("first", 40, []), createSecond: () => silent });
    expect(reasons).toEqual([anotherWasFaster, firstWasFaster]);
  });

  it("wait for the first where there is no second", async () => {
    const createSecond = () => undefined;
    expect(await hedge({ ...options, first: leg("first", 40, []), createSecond })).toBe("first");
  });

  it("fail with the first's failure when both fail, and not while one may answer", async () => {
    const other = new Error("Other");
    const both = hedge({ ...options, first: leg("a", 30, [], down), createSecond: () => leg("b", 40, [], other) });
    await expect(both).rejects.toBe(down);
    const one = hedge({ ...options, first: leg("a", 30, [], down), createSecond: () => leg("b", 40, []) });
    expect(await one).toBe("b");
  });

  it("fail at once when the first fails before the second is asked", async () => {
    const createSecond = () => expect.unreachable("the first has failed");
    await expect(hedge({ ...options, first: leg("a", 1, [], down), createSecond })).rejects.toBe(down);
  });

  it("give a node's own refusal as an answer", async () => {
    const work = hedge({ ...options, first: leg("a", 5_000, []), createSecond: () => leg("b", 1, [], refusal) });
    await expect(work).rejects.toBe(refusal);
  });

  it("are both ended by the caller", async () => {
    const ended: string[] = [];
    const controller = new AbortController();
    const work = hedge({
      ...options,
      first: leg("first", 5_000, ended),
      createSecond: () => leg("second", 5_000, ended),
      signal: controller.signal,
    });
    setTimeout(() => controller.abort(down), 40);
    await expect(work).rejects.toBe(down);
    expect(ended.sort()).toEqual(["first", "second"]);
    await expect(
      hedge({ ...options, first: leg("a", 1, []), createSecond: () => undefined, signal: controller.signal }),
    ).rejects.toBe(down);
  });
});
