import { isServiceError } from "@nodewright/runtime";
import { createHttpUpstream, type Upstream, UpstreamRpcError } from "@nodewright/upstream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type MadeUpNode, startMadeUpNode } from "../../test-support/serve.ts";
import { Budget } from "../budget.ts";
import { SharedReads } from "../store/shared-reads.ts";
import { failureOfNode, UpstreamCalls } from "./upstream-calls.ts";

let node: MadeUpNode;
let upstream: Upstream;

beforeEach(async () => {
  node = await startMadeUpNode(({ method, params }) =>
    method === "fail" ? { error: { code: -32000, message: "no" } } : { result: [method, ...params] },
  );
  upstream = createHttpUpstream({ url: node.url });
});

afterEach(async () => {
  await upstream.close();
  await node.stop();
});

function createCalls(calls = 100, signal?: AbortSignal, reads = new SharedReads(upstream)): UpstreamCalls {
  return new UpstreamCalls({ upstream, reads, budget: new Budget({ calls }, signal && (() => signal)) });
}

describe("the calls of a request", () => {
  it("go out in one batch when they are made in one turn, also one after the other in microtasks", async () => {
    const calls = createCalls();
    const late = async (): Promise<unknown> => {
      await Promise.resolve();
      await Promise.resolve();
      return await calls.read("c");
    };
    expect(await Promise.all([calls.read("a"), calls.read("b", [1]), late()])).toEqual([["a"], ["b", 1], ["c"]]);
    expect(node.requests).toEqual([["a", "b", "c"]]);
  });

  it("are made once for the same method and params, failures included", async () => {
    const calls = createCalls();
    const results = await Promise.allSettled([
      calls.read("a"),
      calls.read("a"),
      calls.read("fail"),
      calls.read("fail"),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
    await calls.read("a");
    await calls.read("a", [2]);
    expect(node.requests).toEqual([["a", "fail"], ["a"]]);
    expect(calls.count).toBe(3);
  });

  it("go out one batch after the other where some have to be the first and the last to be carried out", async () => {
    const calls = createCalls();
    const answers = Promise.all([calls.readLast("d", []), calls.read("b"), calls.read("c"), calls.readFirst("a", [])]);
    expect(await answers).toEqual([["d"], ["b"], ["c"], ["a"]]);
    expect(node.requests).toEqual([["a"], ["b", "c"], ["d"]]);
    expect(calls.count).toBe(4);
  });

  it("are carried out though the ones before them fail, and not when the caller has gone meanwhile", async () => {
    const calls = createCalls();
    const [failed, last] = await Promise.allSettled([calls.readFirst("fail", []), calls.readLast("a", [])]);
    expect([failed?.status, last?.status]).toEqual(["rejected", "fulfilled"]);
    const leaving = new AbortController();
    const left = createCalls(100, leaving.signal);
    const answers = Promise.allSettled([left.read("b"), left.readLast("c", [])]);
    setImmediate(() => leaving.abort(new Error("gone")));
    expect((await answers).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await left.read("d").catch(() => undefined);
    expect(node.requests.flat()).not.toContain("c");
  });

  it("that change something are made each time", async () => {
    const calls = createCalls();
    await calls.write("send", [1]);
    await calls.write("send", [1]);
    expect(node.requests).toEqual([["send"], ["send"]]);
  });

  it("stop at their limit before anything is sent", async () => {
    const calls = createCalls(2);
    const results = await Promise.allSettled(["a", "b", "c"].map((method) => calls.read(method)));
    expect(results.map((result) => result.status === "rejected" && result.reason.code)).toEqual(
      new Array(3).fill("invalid_input"),
    );
    expect(node.requests).toEqual([]);
    await expect(calls.write("d", [])).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("end with the request", async () => {
    const controller = new AbortController();
    const calls = createCalls(10, controller.signal);
    const reading = calls.read("a");
    controller.abort(new Error("gone"));
    await expect(reading).rejects.toThrow("gone");
  });
});

describe("the node's own errors", () => {
  it.each([
    [-32601, "not_implemented", "The node does not offer what the field needs"],
    [-32603, "upstream_unavailable", "The node could not answer"],
    [-32005, "upstream_unavailable", "The node could not answer"],
    [-32000, "invalid_input", "nonce too low: next nonce 34, tx nonce 16"],
    [3, "invalid_input", "nonce too low: next nonce 34, tx nonce 16"],
  ])("of code %i become %s", (code, expected, message) => {
    const failure = failureOfNode(new UpstreamRpcError(code, "nonce too low: next nonce 34, tx nonce 16"));
    expect(isServiceError(failure) && [failure.code, failure.message]).toEqual([expected, message]);
  });

  it.each([
    [-32000, "method handler crashed", "upstream_unavailable"],
    [-32007, "50/second request limit reached", "upstream_unavailable"],
    [429, "Your app has exceeded its compute units per second capacity", "upstream_unavailable"],
    [-32002, "request timed out", "upstream_timeout"],
    [-32002, "transaction type not supported", "invalid_input"],
    [-32005, "query returned more than 10000 results", "invalid_input"],
    [-32000, "execution aborted (timeout = 5s)", "invalid_input"],
  ])("of code %i and text %s become %s", (code, message, expected) => {
    const failure = failureOfNode(new UpstreamRpcError(code, message));
    expect(isServiceError(failure) && failure.code).toBe(expected);
  });

  it("are told from other failures, which stay as they are", () => {
    const reason = new Error("other");
    expect(failureOfNode(reason)).toBe(reason);
  });
});
