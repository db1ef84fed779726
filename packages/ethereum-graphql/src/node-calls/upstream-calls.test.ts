import { isServiceError } from "@nodewright/runtime";
import {
  createHttpUpstream,
  type ResponseHold,
  type Upstream,
  type UpstreamResult,
  UpstreamRpcError,
} from "@nodewright/upstream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type MadeUpNode, startMadeUpNode } from "../../test-support/serve.ts";
import { Budget } from "./budget.ts";
import { SharedReads } from "./shared-reads.ts";
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
    const responses = Promise.all([
      calls.readLast("d", []),
      calls.read("b"),
      calls.read("c"),
      calls.readFirst("a", []),
    ]);
    expect(await responses).toEqual([["d"], ["b"], ["c"], ["a"]]);
    expect(node.requests).toEqual([["a"], ["b", "c"], ["d"]]);
    expect(calls.count).toBe(4);
  });

  it("are carried out though the ones before them fail, and not when the caller has gone meanwhile", async () => {
    const calls = createCalls();
    const [failed, last] = await Promise.allSettled([calls.readFirst("fail", []), calls.readLast("a", [])]);
    expect([failed?.status, last?.status]).toEqual(["rejected", "fulfilled"]);
    const leaving = new AbortController();
    const left = createCalls(100, leaving.signal);
    const responses = Promise.allSettled([left.read("b"), left.readLast("c", [])]);
    setImmediate(() => leaving.abort(new Error("gone")));
    expect((await responses).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
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
    [-32603, "upstream_unavailable", "The node could not respond"],
    [-32005, "upstream_unavailable", "The node could not respond"],
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

  it.each([
    ["open /home/ethereum/.ethereum/geth.ipc: no such file or directory", "upstream_unavailable"],
    ["open ./chaindata/000001.log: too many open files", "upstream_unavailable"],
    ["dial unix /home/ethereum/.ethereum/geth.ipc: connect: connection refused", "upstream_unavailable"],
    ["read tcp 10.0.0.1:80->10.0.0.2:81: i/o timeout", "upstream_unavailable"],
    ["lookup db.internal on 10.0.0.1:53: no such host", "upstream_unavailable"],
    ["No space left on device (os error 28)", "upstream_unavailable"],
    ["transaction indexing is in progress", "upstream_unavailable"],
    ["open position is too large", "invalid_input"],
    ["execution reverted: dial tcp", "invalid_input"],
  ])(
    "of code -32000 are about the node itself where a program reports what its system refuses: %s",
    (message, code) => {
      expect(failureOfNode(new UpstreamRpcError(-32_000, message))).toMatchObject({ code });
    },
  );

  it.each([
    [[], "upstream_unavailable"],
    [["latest", false], "upstream_unavailable"],
    [["pending", true], "upstream_unavailable"],
    [["0x10", false], "invalid_input"],
    [[{ to: "0x12" }, "latest"], "invalid_input"],
    [undefined, "invalid_input"],
  ])("are no mistake of a caller who has chosen no parameter: %j", (params, code) => {
    for (const ofNode of [-32_000, -32_602, 3]) {
      expect(failureOfNode(new UpstreamRpcError(ofNode, "no such thing"), params)).toMatchObject({ code });
    }
    expect(failureOfNode(new UpstreamRpcError(-32_601, "no such method"), params)).toMatchObject({
      code: "not_implemented",
    });
  });

  it("are distinguished from other failures, which stay as they are", () => {
    const reason = new Error("other");
    expect(failureOfNode(reason)).toBe(reason);
  });
});

describe("the responses to the calls of a request", () => {
  /** Creates an upstream whose responses the test controls, with the holds of the batches. */
  function createRequest() {
    const sent: { readonly hold: ResponseHold; response(): void }[] = [];
    const batch: Upstream["batch"] = (calls, options) => {
      const { promise, resolve } = Promise.withResolvers<readonly UpstreamResult[]>();
      const results = calls.map(({ method }): UpstreamResult => ({ ok: true, result: method }));
      sent.push({ hold: options?.hold ?? expect.unreachable(), response: () => resolve(results) });
      return promise;
    };
    const ofHand = { ...upstream, batch } as Upstream;
    const budget = new Budget();
    return { sent, budget, calls: new UpstreamCalls({ upstream: ofHand, reads: new SharedReads(ofHand), budget }) };
  }

  it("are counted together until the request is over", async () => {
    const { sent, budget, calls } = createRequest();
    const values = budget.spend(async () => [await calls.read("a"), await calls.read("b")]);
    await expect.poll(() => sent.length).toBe(1);
    const release = vi.spyOn(sent[0]?.hold ?? expect.unreachable(), "release");
    sent[0]?.response();
    await expect.poll(() => sent.length).toBe(2);
    expect(release).not.toHaveBeenCalled();
    expect(sent[1]?.hold).toBe(sent[0]?.hold);
    sent[1]?.response();
    expect(await values).toEqual(["a", "b"]);
    expect(release).toHaveBeenCalledOnce();
  });

  it("are no longer counted when the request fails, and end it when they are given up for others", async () => {
    const { sent, budget, calls } = createRequest();
    const values = budget.spend(() => calls.read("a"));
    await expect.poll(() => sent.length).toBe(1);
    const hold = sent[0]?.hold ?? expect.unreachable();
    const release = vi.spyOn(hold, "release");
    // More than all responses together may take.
    hold.add(2 ** 30);
    await expect(values).rejects.toMatchObject({
      code: "upstream_unavailable",
      message: "Too many large responses are outstanding",
    });
    expect(release).toHaveBeenCalledOnce();
  });
});
