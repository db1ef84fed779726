import { describe, expect, it } from "vitest";
import { sharedUpstreamOf, withCallerSignal } from "./caller-signal.ts";
import type { Upstream, UpstreamCallOptions } from "./upstream.ts";

/** Creates an upstream that records the options of its calls. */
function createRecorder() {
  const options: (UpstreamCallOptions | undefined)[] = [];
  const upstream: Upstream = {
    call: async (_method, _params, given) => void options.push(given),
    async batch(_calls, given) {
      options.push(given);
      return [];
    },
    totals: () => ({ bytesSent: 1, bytesReceived: 2, methodCalls: 3 }),
    close: async () => undefined,
  };
  return { options, upstream };
}

describe("calls for a caller", () => {
  it("end when the caller has gone, singly and in batches", async () => {
    const { options, upstream } = createRecorder();
    const controller = new AbortController();
    const forCaller = withCallerSignal(upstream, () => controller.signal);
    await forCaller.call("a");
    await forCaller.batch([], { timeoutMilliseconds: 5 });
    expect(options).toEqual([{ signal: controller.signal }, { timeoutMilliseconds: 5, signal: controller.signal }]);
    expect(forCaller.totals().methodCalls).toBe(3);
  });

  it("end for another reason as well", async () => {
    const { options, upstream } = createRecorder();
    const [caller, other] = [new AbortController(), new AbortController()];
    await withCallerSignal(upstream, () => caller.signal).call("a", [], { signal: other.signal });
    expect(options[0]?.signal?.aborted).toBe(false);
    other.abort();
    expect(options[0]?.signal?.aborted).toBe(true);
  });

  it("are known by the upstream that all share", () => {
    const { upstream } = createRecorder();
    const getSignal = () => new AbortController().signal;
    expect(sharedUpstreamOf(withCallerSignal(withCallerSignal(upstream, getSignal), getSignal))).toBe(upstream);
    expect(sharedUpstreamOf(upstream)).toBe(upstream);
  });

  it("keep what else they were given", async () => {
    const { options, upstream } = createRecorder();
    const { signal } = new AbortController();
    let now = 0;
    const forCaller = withCallerSignal(
      upstream,
      () => signal,
      () => now,
    );
    await forCaller.call("a");
    now = 12_000;
    await forCaller.call("a", [], { isUrgent: true });
    expect(options.at(-1)).toEqual({ isUrgent: true, timeoutMilliseconds: 20_000, signal });
  });

  it("tell the head of the upstream that all share, and end with it", async () => {
    const head = { hash: "aa", height: 7 };
    let closed = 0;
    const listeners: unknown[] = [];
    const { upstream } = createRecorder();
    const following = {
      ...upstream,
      head,
      onHead(listener: unknown) {
        expect(this).toBe(following);
        listeners.push(listener);
        return () => undefined;
      },
      async close() {
        closed += 1;
      },
    };
    const forCaller = withCallerSignal(following, () => new AbortController().signal);
    const listener = () => undefined;
    forCaller.onHead?.(listener);
    await forCaller.close();
    expect([forCaller.head, listeners, closed]).toEqual([head, [listener], 1]);
    expect(withCallerSignal(upstream, () => new AbortController().signal).onHead).toBeUndefined();
  });

  it("request the signal only when there is a call", async () => {
    const { upstream } = createRecorder();
    let asked = 0;
    const forCaller = withCallerSignal(upstream, () => {
      asked += 1;
      return new AbortController().signal;
    });
    forCaller.totals();
    expect(asked).toBe(0);
    await forCaller.call("a");
    await forCaller.call("a");
    expect(asked).toBe(1);
  });

  it("leave later ones what is left of the caller's time, but enough for a response", async () => {
    const { options, upstream } = createRecorder();
    const { signal } = new AbortController();
    let now = 1_000;
    const forCaller = withCallerSignal(
      upstream,
      () => signal,
      () => now,
    );
    const timeAt = async (elapsed: number, given?: UpstreamCallOptions): Promise<number | undefined> => {
      now = 1_000 + elapsed;
      await forCaller.call("a", [], given);
      return options.at(-1)?.timeoutMilliseconds;
    };
    expect(await timeAt(0)).toBeUndefined();
    expect(await timeAt(4_999)).toBeUndefined();
    expect(await timeAt(5_000)).toBe(25_000);
    expect(await timeAt(9_999)).toBe(25_000);
    expect(await timeAt(12_000)).toBe(20_000);
    expect(await timeAt(25_000)).toBe(5_000);
    expect(await timeAt(12_000, { timeoutMilliseconds: 60_000 })).toBe(20_000);
    expect(await timeAt(4_999, { timeoutMilliseconds: 60_000 })).toBe(60_000);
    expect(options.at(-1)?.signal).toBe(signal);
    expect(await timeAt(12_000, { timeoutMilliseconds: 3_000 })).toBe(3_000);
    expect(await timeAt(60_000)).toBe(5_000);
    await forCaller.batch([]);
    expect(options.at(-1)?.timeoutMilliseconds).toBe(5_000);
  });
});
