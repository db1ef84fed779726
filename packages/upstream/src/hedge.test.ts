import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { anotherWasFaster, firstWasFaster, hedge, type HedgeOptions, type Leg } from "./hedge.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));

afterEach(() => void vi.useRealTimers());

/** Responds after a delay, or fails; records when it is ended before. */
function leg(name: string, milliseconds: number, ended: string[], failure?: Error): Leg<string> {
  return async (signal) =>
    await new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        ended.push(name);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", end);
        if (failure === undefined) resolve(name);
        else reject(failure);
      }, milliseconds);
      signal.addEventListener("abort", end);
    });
}

/** Hedges while the fake clock advances to the last of its timers. */
async function hedgeInTime(options: HedgeOptions<string>): Promise<string> {
  const [response] = await Promise.all([hedge(options), vi.runAllTimersAsync()]);
  return response;
}

const down = new Error("Down");
const refusal = new Error("Refusal");
const options = { delayMilliseconds: 20, isResponse: (reason: unknown) => reason === refusal };

describe("two who are asked for the same", () => {
  it("are one while the first is fast enough", async () => {
    const ended: string[] = [];
    const createSecond = () => expect.unreachable("the first is fast");
    expect(await hedgeInTime({ ...options, first: leg("first", 1, ended), createSecond })).toBe("first");
    expect(ended).toEqual([]);
  });

  it("race when the first is slow, and the loser is ended", async () => {
    const ended: string[] = [];
    const createSecond = () => leg("second", 1, ended);
    expect(await hedgeInTime({ ...options, first: leg("first", 5_000, ended), createSecond })).toBe("second");
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
    await hedgeInTime({ ...options, first: silent, createSecond: () => leg("second", 1, []) });
    await hedgeInTime({ ...options, first: leg("first", 40, []), createSecond: () => silent });
    expect(reasons).toEqual([anotherWasFaster, firstWasFaster]);
  });

  it("wait for the first where there is no second", async () => {
    const createSecond = () => undefined;
    expect(await hedgeInTime({ ...options, first: leg("first", 40, []), createSecond })).toBe("first");
  });

  it("fail with the first's failure when both fail, and not while one may answer", async () => {
    const other = new Error("Other");
    const both = hedgeInTime({
      ...options,
      first: leg("a", 30, [], down),
      createSecond: () => leg("b", 40, [], other),
    });
    await expect(both).rejects.toBe(down);
    const one = hedgeInTime({ ...options, first: leg("a", 30, [], down), createSecond: () => leg("b", 40, []) });
    expect(await one).toBe("b");
  });

  it("fail at once when the first fails before the second is asked", async () => {
    const createSecond = () => expect.unreachable("the first has failed");
    await expect(hedgeInTime({ ...options, first: leg("a", 1, [], down), createSecond })).rejects.toBe(down);
  });

  it("are named in the reasons for which they are ended", () => {
    expect([anotherWasFaster.message, firstWasFaster.message]).toEqual([
      "Another node was faster",
      "The first node was faster",
    ]);
  });

  it("are not begun for who has gone, and not watched for who has a response", async () => {
    let begun = 0;
    const begin: Leg<string> = async () => {
      begun += 1;
      return "first";
    };
    const createSecond = () => expect.unreachable("the first is fast");
    const gone = hedgeInTime({ ...options, first: begin, createSecond, signal: AbortSignal.abort(down) });
    await expect(gone).rejects.toBe(down);
    expect(begun).toBe(0);
    const { signal } = new AbortController();
    const listeners = new Set<unknown>();
    signal.addEventListener = (_type: string, listener: unknown) => void listeners.add(listener);
    signal.removeEventListener = (_type: string, listener: unknown) => void listeners.delete(listener);
    await hedgeInTime({ ...options, first: leg("first", 1, []), createSecond, signal });
    expect(listeners.size).toBe(0);
  });

  it("give a node's own refusal as a response", async () => {
    const work = hedgeInTime({ ...options, first: leg("a", 5_000, []), createSecond: () => leg("b", 1, [], refusal) });
    await expect(work).rejects.toBe(refusal);
  });

  it("are both ended by the caller", async () => {
    const ended: string[] = [];
    const controller = new AbortController();
    const work = hedgeInTime({
      ...options,
      first: leg("first", 5_000, ended),
      createSecond: () => leg("second", 5_000, ended),
      signal: controller.signal,
    });
    setTimeout(() => controller.abort(down), 40);
    await expect(work).rejects.toBe(down);
    expect(ended.sort()).toEqual(["first", "second"]);
    await expect(
      hedgeInTime({ ...options, first: leg("a", 1, []), createSecond: () => undefined, signal: controller.signal }),
    ).rejects.toBe(down);
  });
});
