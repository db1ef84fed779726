import { describe, expect, it } from "vitest";
import { keyOfCall, SharedCalls } from "./shared-calls.ts";
import type { UpstreamCall, UpstreamCallOptions } from "./upstream.ts";

interface Pending {
  readonly method: string;
  readonly params: UpstreamCall["params"];
  readonly options: UpstreamCallOptions;
  response(result: unknown): void;
  fail(reason: unknown): void;
}

/** Creates calls that the test completes; an abort ends them. */
function createHandAnswered() {
  const pending: Pending[] = [];
  const shared = new SharedCalls(
    (method, params, options) =>
      new Promise((resolve, reject) => {
        options.signal?.addEventListener("abort", () => reject(options.signal?.reason));
        pending.push({ method, params, options, response: resolve, fail: reject });
      }),
  );
  const call = (method: string, params: readonly unknown[] = [], options: UpstreamCallOptions = {}) =>
    shared.call(method, params, options, keyOfCall(method, params));
  return { pending, shared, call };
}

describe("calls for the same at the same time", () => {
  it("are one call with one response", async () => {
    const { pending, shared, call } = createHandAnswered();
    const responses = [call("getblock", ["aa"]), call("getblock", ["aa"]), call("getblock", ["bb"])];
    expect(pending.map(({ params }) => params)).toEqual([["aa"], ["bb"]]);
    for (const { params, response } of pending) response(params);
    expect(await Promise.all(responses)).toEqual([["aa"], ["aa"], ["bb"]]);
    expect(shared.size).toBe(0);
  });

  it("fail together, and are queried anew after that", async () => {
    const { pending, call } = createHandAnswered();
    const failed = Promise.allSettled([call("getpeerinfo"), call("getpeerinfo")]);
    pending[0]?.fail(new Error("Down"));
    expect((await failed).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    void call("getpeerinfo");
    expect(pending).toHaveLength(2);
  });

  it("go on when one of the callers gives up, and end with the last", async () => {
    const { pending, shared, call } = createHandAnswered();
    const controllers = [new AbortController(), new AbortController()];
    const [first, second] = controllers.map(({ signal }) => call("getpeerinfo", [], { signal }));
    const reason = new Error("Gone");
    controllers[0]?.abort(reason);
    await expect(first).rejects.toBe(reason);
    expect(pending[0]?.options.signal?.aborted).toBe(false);
    controllers[1]?.abort(reason);
    await expect(second).rejects.toBe(reason);
    expect(pending[0]?.options.signal?.aborted).toBe(true);
    expect(shared.size).toBe(0);
  });

  it("answer who did not give up", async () => {
    const { pending, call } = createHandAnswered();
    const controller = new AbortController();
    const given = call("getpeerinfo", [], { signal: controller.signal });
    const kept = call("getpeerinfo");
    controller.abort(new Error("Gone"));
    await expect(given).rejects.toThrow("Gone");
    pending[0]?.response(7);
    expect(await kept).toBe(7);
  });

  it("are new ones right after the last caller has given up", async () => {
    const { pending, call } = createHandAnswered();
    const controller = new AbortController();
    const given = call("getpeerinfo", [], { signal: controller.signal });
    controller.abort(new Error("Gone"));
    const anew = call("getpeerinfo");
    await expect(given).rejects.toThrow("Gone");
    // The end of the aborted call is not that of the new one.
    const joined = call("getpeerinfo");
    expect(pending).toHaveLength(2);
    pending[1]?.response(7);
    expect(await Promise.all([anew, joined])).toEqual([7, 7]);
  });

  it("are one call for a transaction that is handed in, and one each for what acts", () => {
    const { pending, call } = createHandAnswered();
    for (const method of ["sendrawtransaction", "generate"])
      for (let time = 0; time < 2; time += 1) void call(method, ["aa"]);
    expect(pending.map(({ method }) => method)).toEqual(["sendrawtransaction", "generate", "generate"]);
  });

  it("are not shared with who waits less long, but with who waits as long", () => {
    const { pending, call } = createHandAnswered();
    void call("getpeerinfo");
    for (const timeoutMilliseconds of [10, 20, 10]) void call("getpeerinfo", [], { timeoutMilliseconds });
    expect(pending.map(({ options }) => options.timeoutMilliseconds)).toEqual([undefined, 10, 20]);
  });

  it("are named by method and parameters", () => {
    expect(keyOfCall("a", [1, { b: "c" }])).not.toBe(keyOfCall("a", [1, { b: "d" }]));
    expect(keyOfCall("a", [])).not.toBe(keyOfCall("b", []));
    expect(keyOfCall("a", [])).toBe(keyOfCall("a", []));
  });

  it("have the options of the first, and another signal", async () => {
    const { pending, call } = createHandAnswered();
    const { signal } = new AbortController();
    const response = call("getpeerinfo", [], { signal, isUrgent: true });
    expect(pending[0]?.options).toMatchObject({ isUrgent: true });
    expect(pending[0]?.options.signal).not.toBe(signal);
    pending[0]?.response(1);
    await response;
  });

  it("that act have the caller's own options, and the caller's signal", () => {
    const { pending, shared, call } = createHandAnswered();
    const options = { signal: new AbortController().signal };
    void call("generate", [1], options);
    expect(pending[0]?.options).toBe(options);
    expect(shared.size).toBe(0);
  });

  it("end with the reason of the last caller, and only with theirs", async () => {
    const { pending, call } = createHandAnswered();
    const controllers = [new AbortController(), new AbortController()];
    const responses = controllers.map(({ signal }) => call("getpeerinfo", [], { signal }));
    const [first, last] = [new Error("First"), new Error("Last")];
    controllers[0]?.abort(first);
    controllers[1]?.abort(last);
    await expect(responses[0]).rejects.toBe(first);
    await expect(responses[1]).rejects.toBe(last);
    expect(pending[0]?.options.signal?.reason).toBe(last);
  });

  it("are no longer ended by callers that have their response", async () => {
    const { pending, call } = createHandAnswered();
    const controllers = [new AbortController(), new AbortController()];
    const response = call("getpeerinfo", [], { signal: controllers[0]?.signal });
    pending[0]?.response(7);
    expect(await response).toBe(7);
    controllers[0]?.abort(new Error("Late"));
    expect(pending[0]?.options.signal?.aborted).toBe(false);
  });

  it("are refused where the caller has given up already", async () => {
    const { pending, call } = createHandAnswered();
    await expect(call("getpeerinfo", [], { signal: AbortSignal.abort(new Error("Gone")) })).rejects.toThrow("Gone");
    expect(pending).toEqual([]);
  });
});
