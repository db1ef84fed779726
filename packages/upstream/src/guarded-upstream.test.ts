import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { isServiceError } from "@nodewright/runtime";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createGuardedUpstream, type GuardedUpstream, type GuardedUpstreamOptions } from "./guarded-upstream.ts";
import { responseOfChain, createFakeChain, type FakeChain } from "./testing/fake-chain.ts";
import { faults, type FaultName, FaultyNode, NodeRefusal } from "./testing/faulty-node.ts";
import { responseBudget } from "./response-budget.ts";
import { mayHaveArrived } from "./upstream-failure.ts";
import { isUpstreamRpcError } from "./upstream-rpc-error.ts";
import { cpuMillisecondsDuring } from "../../../test/support/cpu-time.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const main = createFakeChain("main", 20);
const genesisHash = main[0] ?? "";

/** A node with a chain; the result of other methods is its name. */
interface ChainNode extends FaultyNode {
  chain: FakeChain;
  /** Version that it reports; btcd does not. */
  subversion: string | undefined;
  /** Its response to transactions and to calls for its peers. */
  refusal: NodeRefusal | undefined;
}

async function startNode(name: string, chain: FakeChain = main): Promise<ChainNode> {
  const node: ChainNode = Object.assign(
    new FaultyNode({
      respond(method, params) {
        if (method === "getnetworkinfo" && node.subversion === undefined) throw new NodeRefusal(-1, "Unimplemented");
        if (method === "getnetworkinfo") return { subversion: node.subversion };
        if (method === "refuses") throw new NodeRefusal(-8, "Refused");
        if (node.refusal !== undefined && /^(?:sendraw|getpeer)/.test(method)) throw node.refusal;
        return responseOfChain(node.chain, method, params) ?? name;
      },
    }),
    { chain, subversion: "/Satoshi:31.0.0/", refusal: undefined },
  );
  await node.start();
  closers.push(() => node.stop());
  return node;
}

function connect(nodes: readonly FaultyNode[], options: Partial<GuardedUpstreamOptions> = {}): GuardedUpstream {
  const upstream = createGuardedUpstream({
    nodes: nodes.map(({ url }) => ({ url })),
    timeoutMilliseconds: 2_000,
    breaker: { cooldownMilliseconds: 50 },
    ...options,
  });
  closers.push(() => upstream.close());
  return upstream;
}

const heads = { genesisHash, pollMilliseconds: 20 };

async function waitUntil(what: string, condition: () => boolean): Promise<void> {
  const end = performance.now() + 25_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`Waited in vain until ${what}`);
    await sleep(5);
  }
}

async function failureOf(work: Promise<unknown>): Promise<Error> {
  const outcome: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(outcome instanceof Error)) throw new Error("Expected a failure");
  return outcome;
}

function codeOf(error: unknown): unknown {
  return isServiceError(error) || isUpstreamRpcError(error) ? error.code : error;
}

/**
 * Returns the timeout of a call. A silent node fails by the clock alone, and a busy one is called again until the time is nearly over. The
 * others must be observed however long they take.
 */
function patienceWith(fault: FaultName): number {
  if (fault === "hangs" || fault === "stalls") return 1_000;
  return /^(?:workQueueExceeded|tooBusy|rateLimited)$/.test(fault) ? 2_000 : 20_000;
}

const persistentFaults: readonly (readonly [fault: FaultName, code: string])[] = [
  ["resets", "upstream_unavailable"],
  ["closes", "upstream_unavailable"],
  ["breaksWithinResponse", "upstream_unavailable"],
  ["emptyLine", "upstream_unavailable"],
  ["html", "upstream_unavailable"],
  ["badGateway", "upstream_unavailable"],
  ["notJsonRpc", "upstream_unavailable"],
  ["truncatedJson", "upstream_unavailable"],
  ["wrongId", "upstream_unavailable"],
  ["textId", "upstream_unavailable"],
  ["workQueueExceeded", "upstream_unavailable"],
  ["tooBusy", "upstream_unavailable"],
  ["rateLimited", "upstream_unavailable"],
  ["wrongCredentials", "upstream_unavailable"],
  ["hangs", "upstream_timeout"],
  ["stalls", "upstream_timeout"],
];

describe("one node", () => {
  describe.each(persistentFaults)("that %s", (fault, code) => {
    it("fails a reading call as a node's failure, and is queried again when it is well", async () => {
      const node = await startNode("a");
      const upstream = connect([node], { timeoutMilliseconds: patienceWith(fault) });
      node.fault = faults[fault];
      expect(codeOf(await failureOf(upstream.call("getpeerinfo")))).toBe(code);
      node.fault = undefined;
      await waitUntil("it answers", () => upstream.nodes()[0]?.breaker !== "open");
      expect(await upstream.call("getpeerinfo")).toBe("a");
    });

    it("is never sent a transaction twice, and its caller is told what may have become of it", async () => {
      const node = await startNode("a");
      const upstream = connect([node], { timeoutMilliseconds: patienceWith(fault) });
      node.fault = faults[fault];
      const failure = await failureOf(upstream.call("sendrawtransaction", ["00"]));
      expect(codeOf(failure)).toBe(code);
      expect(node.count("sendrawtransaction")).toBe(1);
      const wasRefusedUnread = /^(?:workQueueExceeded|tooBusy|rateLimited|wrongCredentials)$/.test(fault);
      expect(mayHaveArrived(failure)).toBe(!wasRefusedUnread);
      if (!wasRefusedUnread) {
        expect(failure.message).toMatch(/sendrawtransaction may or may not have reached it: look for its txid with /);
        expect(failure).toMatchObject({ details: { reason: "may-have-arrived" } });
      }
    });
  });

  it.each(["workQueueExceeded", "tooBusy", "resets", "html", "wrongId"] as const)(
    "that %s for a moment is waited for",
    async (fault) => {
      const node = await startNode("a");
      let times = 2;
      node.fault = (response, answer) => {
        times -= 1;
        if (times === 0) node.fault = undefined;
        faults[fault](response, answer);
      };
      expect(await connect([node]).call("getpeerinfo")).toBe("a");
    },
  );

  it("that is busy is given time between the attempts", async () => {
    const node = await startNode("a");
    node.fault = (response, answer) => {
      if (node.calls.length === 1) setTimeout(() => (node.fault = undefined), 300);
      faults.tooBusy(response, answer);
    };
    // Seven attempts without a pause would be over long before.
    expect(await connect([node], { timeoutMilliseconds: 20_000 }).call("getpeerinfo")).toBe("a");
  });

  it("gives a long error of the code that a client executes, and is well for all that", async () => {
    const data = `0x${"00".repeat(80_000)}`;
    const node = await startNode("a");
    node.fault = (response) => {
      const { id } = node.calls.at(-1) ?? {};
      response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: 3, message: "execution reverted", data } }));
    };
    const upstream = connect([node], { breaker: { failureThreshold: 1 } });
    expect(await failureOf(upstream.call("eth_estimateGas", [{}]))).toMatchObject({ code: 3, data });
    expect(upstream.nodes()[0]).toMatchObject({ breaker: "closed", failures: 0 });
  });

  /** Lets the node respond to each call with this error. */
  function failWith(node: ChainNode, error: Readonly<Record<string, unknown>>): void {
    node.fault = (response) => {
      const { id } = node.calls.at(-1) ?? {};
      response.end(JSON.stringify({ jsonrpc: "2.0", id, error }));
    };
  }

  it.each(["eth_call", "eth_estimateGas", "eth_simulateV1", "debug_traceCall"])(
    "gives the long reason with escapes that the code of %s gives for its revert, and is well for all that",
    async (method) => {
      const error = {
        code: 3,
        message: `execution reverted: ${"\0".repeat(220_000)}é`,
        data: `0x${"00".repeat(32_000)}`,
      };
      const node = await startNode("a");
      failWith(node, error);
      const upstream = connect([node], { breaker: { failureThreshold: 1 } });
      expect(await failureOf(upstream.call(method, [{}]))).toMatchObject(error);
      expect(upstream.nodes()[0]).toMatchObject({ breaker: "closed", failures: 0 });
    },
  );

  it("is well when a client's code gives a longer reason than is read, and is not asked for it again", async () => {
    const node = await startNode("a");
    failWith(node, { code: 3, message: "\0".repeat(3_000_000) });
    const upstream = connect([node], { breaker: { failureThreshold: 1 }, timeoutMilliseconds: 20_000 });
    expect(await failureOf(upstream.call("eth_call", [{}]))).toMatchObject({ kind: "limit" });
    expect(node.count("eth_call")).toBe(1);
    expect(upstream.nodes()[0]).toMatchObject({ breaker: "closed", failures: 0 });
  });

  it("is well when a client has code traced whose calls are within each other or whose values are short", async () => {
    const node = await startNode("a");
    const upstream = connect([node], { breaker: { failureThreshold: 1 } });
    for (const result of ["[".repeat(300) + "]".repeat(300), `[${"0,".repeat(60_000)}0]`]) {
      node.fault = (response) => {
        response.end(`{"jsonrpc":"2.0","id":${String(node.calls.at(-1)?.id)},"result":${result}}`);
      };
      for (const method of ["debug_traceCall", "trace_block", "decoderawtransaction", "getblock"])
        expect(await failureOf(upstream.call(method, [result.length]))).toMatchObject({ kind: "limit" });
    }
    expect(upstream.nodes()[0]).toMatchObject({ breaker: "closed", failures: 0 });
  });

  it.each([
    ["sendrawtransaction", "60".repeat(40_000)],
    ["submitblock", "60".repeat(400_000)],
    ["eth_sendRawTransaction", `0x${"60".repeat(100_000)}`],
    ["testmempoolaccept", ["60".repeat(1_000_000)]],
    ["submitpackage", ["60".repeat(1_000_000)]],
    ["validateaddress", "é".repeat(200_000)],
  ])("rejects what %s hands it in words that repeat it, and is well for all that", async (method, sent) => {
    const message = `TX rejected: (input witness ${String(sent)}, ${String(sent)})`;
    const node = await startNode("a");
    failWith(node, { code: -25, message });
    const upstream = connect([node], { breaker: { failureThreshold: 1 }, timeoutMilliseconds: 20_000 });
    const failure = await failureOf(upstream.call(method, [sent]));
    expect([codeOf(failure), failure.message === message]).toEqual([-25, true]);
    expect(upstream.nodes()[0]).toMatchObject({ breaker: "closed", failures: 0 });
  });

  it("that takes no batches may send large results for each call of one, and they are counted together", async () => {
    const node = await startNode("a");
    const padding = JSON.stringify("x".repeat(60_000));
    const block = `{"padding":[${Array<string>(100).fill(padding).join()}]}`;
    node.fault = (response, answer) => {
      response.end(
        answer.startsWith("[")
          ? '{"id":null,"error":{"code":-32600,"message":"batch requests are not supported"}}'
          : `{"id":${String(node.calls.at(-1)?.id)},"result":${block}}`,
      );
    };
    const upstream = connect([node], { breaker: { failureThreshold: 1 }, timeoutMilliseconds: 60_000 });
    const calls = Array.from({ length: 60 }, (_, index) => ({ method: "eth_getBlockByNumber", params: [index] }));
    const failed = (await upstream.batch(calls)).filter(({ ok }) => !ok);
    // Six million bytes count as twice as much, and as once when they are complete: about twenty of them fit.
    expect(failed.length).toBeGreaterThan(30);
    expect(failed).toEqual(failed.map(() => ({ ok: false, error: expect.objectContaining({ kind: "limit" }) })));
    expect(upstream.nodes()[0]).toMatchObject({ breaker: "closed", failures: 0 });
    expect(responseBudget.bytes).toBe(0);
    // All that fit are returned.
    expect((await upstream.batch(calls.slice(0, 6))).every(({ ok }) => ok)).toBe(true);
    expect(responseBudget.bytes).toBe(0);
  });

  it("is not silent while its response waits for those of others, though another node is called meanwhile", async () => {
    const [first, second] = [await startNode("a"), await startNode("b")];
    const result = JSON.stringify(Array(20).fill("x".repeat(60_000)));
    first.fault = (response) => response.end(`{"id":${String(first.calls.at(-1)?.id)},"result":${result}}`);
    const other = responseBudget.acquire(() => expect.unreachable());
    try {
      other.grow(20_000_000, 0);
      expect(other.mayReadOn()).toBe(true);
      const upstream = connect([first, second], { breaker: { failureThreshold: 1 }, timeoutMilliseconds: 20_000 });
      expect(await upstream.call("getpeerinfo")).toBe("b");
      expect(upstream.nodes().map(({ failures, hedges, breaker }) => [failures, hedges, breaker])).toEqual([
        [0, 0, "closed"],
        [0, 1, "closed"],
      ]);
    } finally {
      other.release();
    }
  });

  it("may send several results at once that fit alone and not together", async () => {
    const node = await startNode("a");
    const result = `[${Array<string>(400)
      .fill(`"${"x".repeat(60_000)}"`)
      .join()}]`;
    node.fault = (response) => response.end(`{"id":${node.calls.at(-1)?.id},"result":${result}}`);
    const upstream = connect([node], { breaker: { failureThreshold: 1 }, timeoutMilliseconds: 60_000 });
    const lengths = await Promise.all(
      Array.from(
        { length: 6 },
        async (_, index) => ((await upstream.call("eth_getLogs", [index])) as unknown[]).length,
      ),
    );
    expect(lengths).toEqual(Array(6).fill(400));
    expect(upstream.nodes()[0]).toMatchObject({ breaker: "closed", failures: 0 });
  });

  it("with room for a few callers is never asked more at once, and all are answered", async () => {
    const node = await startNode("a");
    node.closesConnections = true;
    node.delayMilliseconds = 5;
    node.maximumRequests = 3;
    const upstream = connect([node], { timeoutMilliseconds: 20_000 });
    const callAll = () => Promise.all(Array.from({ length: 60 }, (_, index) => upstream.call("echo", [index])));
    // The first ones discover the bound.
    await Promise.all(Array.from({ length: 60 }, (_, index) => upstream.call("getblockstats", [index])));
    const [report] = upstream.nodes();
    expect(report?.refusals).toBeGreaterThan(0);
    expect(report?.connectionBound).toBeLessThanOrEqual(3);
    expect(await callAll()).toEqual(new Array(60).fill("a"));
    expect(upstream.nodes()[0]?.breaker).toBe("closed");
  });

  it("that is down costs nothing once that is known, and is queried again", async () => {
    const node = await startNode("a");
    await node.stop();
    const upstream = connect([node], { breaker: { failureThreshold: 3, cooldownMilliseconds: 200 } });
    await failureOf(upstream.call("getpeerinfo"));
    expect(upstream.nodes()[0]?.breaker).toBe("open");
    let failures: readonly Error[] = [];
    const callAll = async () => {
      failures = await Promise.all(Array.from({ length: 100 }, (_, index) => failureOf(upstream.call("a", [index]))));
    };
    expect(await cpuMillisecondsDuring(callAll)).toBeLessThan(100);
    expect(failures).toHaveLength(100);
    for (const failure of failures) {
      expect([codeOf(failure), failure.message]).toEqual(["upstream_unavailable", "The node could not be reached"]);
      expect(failure).toMatchObject({ retryAfterSeconds: 1 });
      expect(mayHaveArrived(failure)).toBe(false);
    }
    await node.start();
    await waitUntil("its rest is over", () => upstream.nodes()[0]?.breaker === "half-open");
    expect(await upstream.call("getpeerinfo")).toBe("a");
    expect(upstream.nodes()[0]).toMatchObject({ breaker: "closed" });
  });

  it("gives its own refusals at once, and is well for all that", async () => {
    const node = await startNode("a");
    const upstream = connect([node]);
    for (let time = 0; time < 10; time += 1) expect(codeOf(await failureOf(upstream.call("refuses")))).toBe(-8);
    expect(node.count("refuses")).toBe(10);
    expect(upstream.nodes()[0]).toMatchObject({ breaker: "closed", failures: 0, calls: 10 });
  });

  it("ends its work when the caller gives up, and is well for all that", async () => {
    const node = await startNode("a");
    node.fault = faults.hangs;
    const upstream = connect([node], { breaker: { failureThreshold: 1 } });
    const controller = new AbortController();
    const reason = new Error("Gone");
    const work = failureOf(upstream.call("getpeerinfo", [], { signal: controller.signal }));
    await waitUntil("it is asked", () => node.calls.length === 1);
    controller.abort(reason);
    expect(await work).toBe(reason);
    await waitUntil("the node knows", () => node.aborted === 1);
    expect(upstream.nodes()[0]).toMatchObject({ breaker: "closed", outstanding: 0 });
  });

  it("is measured by nothing but itself: it may go back", async () => {
    const node = await startNode("a");
    const upstream = connect([node], { heads });
    expect(await upstream.call("getpeerinfo")).toBe("a");
    node.chain = main.slice(0, 11);
    await waitUntil("that is known", () => upstream.nodes()[0]?.head?.height === 10);
    const asked = node.count("getbestblockhash");
    await waitUntil("its head is asked for again", () => node.count("getbestblockhash") > asked + 2);
    expect(await upstream.call("getpeerinfo")).toBe("a");
    expect(upstream.nodes()[0]).toMatchObject({ standing: "well", lag: 0 });
  });

  it("of another network is not asked", async () => {
    const node = await startNode("a", createFakeChain("other", 30));
    const upstream = connect([node], { heads });
    const failure = await failureOf(upstream.call("getpeerinfo"));
    expect([codeOf(failure), failure.message]).toEqual(["upstream_unavailable", "No node has the head of the chain"]);
    expect(node.count("getpeerinfo")).toBe(0);
  });
});

describe("a batch", () => {
  const calls = Array.from({ length: 5 }, (_, index) => ({ method: "getblockhash", params: [index] }));
  const hashes = main.slice(0, 5);

  it.each(["shuffledBatch", "shortBatch"] as const)("is answered whole by a node with a %s", async (fault) => {
    const node = await startNode("a");
    node.fault = faults[fault];
    const results = await connect([node]).batch(calls);
    expect(results.map((result) => result.ok && result.result)).toEqual(hashes);
  });

  it("fails only for the members that were left out to the end", async () => {
    const node = await startNode("a");
    node.fault = (response, answer) => {
      const members: unknown = JSON.parse(answer);
      response.end(JSON.stringify(Array.isArray(members) ? members.slice(0, 2) : { id: 0 }));
    };
    const results = await connect([node]).batch(calls.slice(0, 5));
    const codes = results.map((result) => (result.ok ? result.result : codeOf(result.error)));
    expect(codes.slice(0, 4)).toEqual(hashes.slice(0, 4));
    expect(results.some((result) => !result.ok)).toBe(true);
    for (const [index, result] of results.entries()) if (result.ok) expect(result.result).toBe(hashes[index]);
  });

  it("is not sent anew where a member does more than read", async () => {
    const node = await startNode("a");
    node.fault = faults.truncatedJson;
    const upstream = connect([node]);
    const results = await upstream.batch([...calls, { method: "sendrawtransaction", params: ["00"] }]);
    expect(results.every((result) => !result.ok)).toBe(true);
    expect(node.count("sendrawtransaction")).toBe(1);
    expect(node.count("getblockhash")).toBeGreaterThan(5);
  });

  it("goes to another node", async () => {
    const [first, second] = [await startNode("a"), await startNode("b")];
    first.fault = faults.resets;
    const results = await connect([first, second]).batch(calls);
    expect(results.map((result) => result.ok && result.result)).toEqual(hashes);
    expect(await connect([first, second]).batch([])).toEqual([]);
  });

  it("goes to another node with those members alone that one has left out", async () => {
    const [first, second] = [await startNode("a"), await startNode("b")];
    first.fault = faults.shortBatch;
    const results = await connect([first, second], { preference: "order" }).batch(calls);
    expect(results.map((result) => result.ok && result.result)).toEqual(hashes);
    expect(second.calls.map(({ params }) => params)).toEqual([[0]]);
  });

  it("of methods that act is not hedged, nor repeated", async () => {
    const [first, second] = [await startNode("a"), await startNode("b")];
    const upstream = connect([first, second], { preference: "order" });
    first.fault = faults.html;
    const results = await upstream.batch(Array(2).fill({ method: "stop", params: [] }));
    expect(results.every((result) => !result.ok)).toBe(true);
    expect([first.count("stop"), second.count("stop")]).toEqual([2, 0]);
  });

  it("ends with the reason of its caller", async () => {
    const [first, second] = [await startNode("a"), await startNode("b")];
    for (const node of [first, second]) node.fault = faults.hangs;
    const controller = new AbortController();
    const work = failureOf(connect([first, second]).batch(calls, { signal: controller.signal }));
    await waitUntil("it is asked", () => first.calls.length > 0);
    const reason = new Error("Gone");
    controller.abort(reason);
    expect(await work).toBe(reason);
  });
});

describe("a list", () => {
  const read = async (upstream: GuardedUpstream): Promise<number> => {
    let count = 0;
    await upstream.list("getrawmempool", [], () => (count += 1));
    return count;
  };

  it("is read from another node when the first fails before it begins", async () => {
    const node = new FaultyNode({ respond: () => ["aa", "bb"] });
    await node.start();
    closers.push(() => node.stop());
    const broken = await startNode("a");
    broken.fault = faults.resets;
    expect(await read(connect([broken, node]))).toBe(2);
  });

  it("is never given twice in part", async () => {
    const node = new FaultyNode({ respond: () => ["aa", "bb"] });
    await node.start();
    closers.push(() => node.stop());
    node.fault = (response) => {
      response.write('{"id":1,"result":["aa",');
      setTimeout(() => response.destroy(), 5);
    };
    const upstream = connect([node]);
    expect(codeOf(await failureOf(read(upstream)))).toBe("upstream_unavailable");
    expect(node.calls).toHaveLength(1);
  });
});

describe("several nodes", () => {
  it.each(persistentFaults)("answer when one of them %s", async (fault) => {
    const [first, second] = [await startNode("a"), await startNode("b")];
    first.fault = faults[fault];
    const upstream = connect([first, second]);
    for (let time = 0; time < 6; time += 1) expect(await upstream.call("getpeerinfo")).toBe("b");
    const { retries = 0, hedges = 0 } = upstream.nodes()[1] ?? {};
    expect(retries + hedges).toBeGreaterThan(0);
  });

  it("fail a reading call for what the first one said, not because the time has passed meanwhile", async () => {
    const [first, second] = [await startNode("a"), await startNode("b")];
    first.fault = faults.html;
    second.fault = faults.hangs;
    const upstream = connect([first, second], { preference: "order", timeoutMilliseconds: 1_000 });
    expect((await failureOf(upstream.call("getpeerinfo"))).message).toBe("The node's response is not JSON");
    expect(second.calls.length).toBeGreaterThan(0);
  });

  it("share the load, or are asked in their order", async () => {
    const [first, second] = [await startNode("a"), await startNode("b")];
    for (const node of [first, second]) node.delayMilliseconds = 5;
    const callAll = async (upstream: GuardedUpstream) =>
      await Promise.all(Array.from({ length: 20 }, (_, index) => upstream.call("echo", [index])));
    const counts = (responses: readonly unknown[]) =>
      ["a", "b"].map((name) => responses.filter((one) => one === name).length);
    // A node that took longer than a call may would be left for the other one.
    const patient = { timeoutMilliseconds: 20_000 };
    expect(counts(await callAll(connect([first, second], patient)))).toEqual([10, 10]);
    expect(counts(await callAll(connect([first, second], { ...patient, preference: "order" })))).toEqual([20, 0]);
  });

  it("tell that a transaction may have arrived when one refused it unread and the next took it and is silent", async () => {
    const [first, second] = [await startNode("a"), await startNode("b")];
    first.fault = faults.workQueueExceeded;
    second.fault = faults.hangs;
    const upstream = connect([first, second], { preference: "order", timeoutMilliseconds: 1_000 });
    const call = { method: "sendrawtransaction", params: ["00"] };
    const alone = await failureOf(upstream.call(call.method, call.params));
    const results = await upstream.batch([call, { method: "getpeerinfo", params: [] }]);
    for (const failure of [alone, results[0]?.ok === false ? results[0].error : undefined]) {
      expect(mayHaveArrived(failure)).toBe(true);
      expect(failure).toMatchObject({ details: { reason: "may-have-arrived" } });
    }
    expect(second.count("sendrawtransaction")).toBe(2);
  });

  it("are asked for a transaction one after the other only when it never left", async () => {
    const [first, second] = [await startNode("a"), await startNode("b")];
    const upstream = connect([first, second]);
    await first.stop();
    expect(await upstream.call("sendrawtransaction", ["00"])).toBe("b");
    await first.start();
    first.fault = faults.resets;
    await waitUntil("it may be asked again", () => upstream.nodes()[0]?.breaker !== "open");
    const failure = await failureOf(upstream.call("sendrawtransaction", ["01"]));
    expect(mayHaveArrived(failure)).toBe(true);
    expect([first.count("sendrawtransaction"), second.count("sendrawtransaction")]).toEqual([1, 1]);
  });

  it.each(["workQueueExceeded", "tooBusy", "rateLimited", "wrongCredentials"] as const)(
    "are offered a transaction one after the other when the first %s, alone and in a batch",
    async (fault) => {
      const [first, second] = [await startNode("a"), await startNode("b")];
      first.fault = faults[fault];
      const upstream = connect([first, second], { preference: "order" });
      expect(await upstream.call("sendrawtransaction", ["00"])).toBe("b");
      const sent = { method: "sendrawtransaction", params: ["01"] };
      const results = await upstream.batch([sent, { method: "getpeerinfo", params: [] }]);
      expect(results.map((result) => result.ok && result.result)).toEqual(["b", "b"]);
      expect([first.count("sendrawtransaction"), second.count("sendrawtransaction")]).toEqual([2, 2]);
    },
  );

  it.each([
    [-28, "Loading block index…"],
    [-9, "Bitcoin is not connected!"],
    [-10, "Bitcoin is in initial sync and waiting for blocks..."],
    [-31, "Error: Peer-to-peer functionality missing or disabled"],
  ])(
    "are called one after the other when the first is in no position to answer: code %i, alone and in a batch",
    async (code, message) => {
      const nodes = [await startNode("a"), await startNode("b")] as const;
      nodes[0].refusal = new NodeRefusal(code, message);
      const upstream = connect(nodes, { preference: "order" });
      const calls = [
        { method: "sendrawtransaction", params: ["00"] },
        { method: "getpeerinfo", params: [] },
      ];
      for (const { method, params } of calls) expect(await upstream.call(method, params)).toBe("b");
      const results = await upstream.batch(calls);
      expect(results.map((result) => result.ok && result.result)).toEqual(["b", "b"]);

      nodes[1].refusal = new NodeRefusal(-28, "Starting…");
      for (const { method, params } of calls) {
        expect(await failureOf(upstream.call(method, [...params, 1]))).toMatchObject({ code, message });
      }
      expect(await upstream.batch(calls)).toMatchObject([{ error: { code } }, { error: { code } }]);
      expect(nodes.map((node) => node.count("sendrawtransaction"))).toEqual([4, 4]);
    },
  );

  it("are offered a transaction one after the other when the first does not offer the method, alone and in a batch", async () => {
    const nodes = [await startNode("a"), await startNode("b")] as const;
    nodes[0].refusal = new NodeRefusal(-32_601, "Method not found");
    const upstream = connect(nodes, { preference: "order" });
    const call = { method: "sendrawtransaction", params: ["00"] };
    expect(await upstream.call(call.method, call.params)).toBe("b");
    expect(await upstream.batch([call])).toMatchObject([{ ok: true, result: "b" }]);

    nodes[1].refusal = new NodeRefusal(-28, "Starting…");
    expect(await failureOf(upstream.call(call.method, ["01"]))).toMatchObject({ code: -28 });
    nodes[1].refusal = nodes[0].refusal;
    expect(await failureOf(upstream.call(call.method, ["02"]))).toMatchObject({ code: -32_601 });
  });

  it.each([-22, -25, -26, -27, -32_603])(
    "are not called one after the other when the first has looked at a transaction: code %i",
    async (code) => {
      const nodes = [await startNode("a"), await startNode("b")] as const;
      nodes[0].refusal = new NodeRefusal(code, "No");
      const upstream = connect(nodes, { preference: "order" });
      const call = { method: "sendrawtransaction", params: ["00"] };

      expect(await failureOf(upstream.call(call.method, call.params))).toMatchObject({ code, message: "No" });
      expect(await upstream.batch([call])).toMatchObject([{ error: { code } }]);
      expect(nodes.map((node) => node.count("sendrawtransaction"))).toEqual([2, 0]);
    },
  );

  it("are each offered a transaction once when all refuse it", async () => {
    const nodes = [await startNode("a"), await startNode("b")];
    for (const node of nodes) node.fault = faults.workQueueExceeded;
    // A call that continued until its deadline would not end before the test does.
    const upstream = connect(nodes, { timeoutMilliseconds: 600_000 });
    const sent = { method: "sendrawtransaction", params: ["00"] };
    expect(mayHaveArrived(await failureOf(upstream.call(sent.method, sent.params)))).toBe(false);
    expect(nodes.map((node) => node.count("sendrawtransaction"))).toEqual([1, 1]);
    expect(await upstream.batch([sent, sent])).toMatchObject([{ ok: false }, { ok: false }]);
    expect(nodes.map((node) => node.count("sendrawtransaction"))).toEqual([3, 3]);
    // A read waits for a node to have capacity, but not forever.
    expect(codeOf(await failureOf(upstream.call("getpeerinfo")))).toBe("upstream_unavailable");
  });

  it("answer in place of one that is silent, long before the deadline", async () => {
    const [first, second] = [await startNode("a"), await startNode("b")];
    const upstream = connect([first, second], { preference: "order", timeoutMilliseconds: 600_000 });
    first.fault = faults.hangs;
    expect(await upstream.call("getpeerinfo")).toBe("b");
    const calls = Array.from({ length: 3 }, (_, index) => ({ method: "getpeerinfo", params: [index] }));
    expect((await upstream.batch(calls)).map((result) => result.ok && result.result)).toEqual(["b", "b", "b"]);
    expect(upstream.nodes().map(({ hedges }) => hedges)).toEqual([0, 2]);
    // Silence is a failure, so that soon no call goes there first.
    await waitUntil("its silence is counted", () => upstream.nodes()[0]?.failures === 2);
  });

  it("are not blamed when they were asked second, or when a call waited for its turn", async () => {
    const [first, second] = [await startNode("a"), await startNode("b")];
    const nodes = [
      { url: first.url, connections: 1 },
      { url: second.url, connections: 1 },
    ];
    const upstream = connect([], {
      nodes,
      preference: "order",
      timeoutMilliseconds: 600_000,
      breaker: { failureThreshold: 1 },
    });
    // The second is silent for as long as one that hangs, and the first responds after all.
    first.delayMilliseconds = 2_200;
    second.fault = faults.hangs;
    expect(await upstream.call("getpeerinfo")).toBe("a");
    await waitUntil("the second is left", () => second.aborted === 1);
    // A call that takes long occupies the only connection of the first; the one after that never reaches it.
    [first.delayMilliseconds, first.fault, second.fault] = [0, faults.hangs, undefined];
    const controller = new AbortController();
    const long = failureOf(upstream.call("getblock", [genesisHash], { signal: controller.signal }));
    await waitUntil("the long one is under way", () => first.count("getblock") === 1);
    expect(await upstream.call("getpeerinfo", ["waits"])).toBe("b");
    controller.abort(new Error("Gone"));
    await long;
    expect(first.count("getpeerinfo")).toBe(1);
    expect(upstream.nodes().map(({ failures, breaker }) => [failures, breaker])).toEqual(Array(2).fill([0, "closed"]));
  });

  it("answer in place of one that sends longer results than there are", async () => {
    const [first, second] = [await startNode("a"), await startNode("b")];
    first.fault = (response) => response.end(`{"result":"${"a".repeat(5_000_000)}`);
    const upstream = connect([first, second], { preference: "order" });
    expect(await upstream.call("getpeerinfo")).toBe("b");
    expect(upstream.nodes()[0]?.failures).toBe(1);
  });

  it("leave out one that lags, until it has caught up", async () => {
    const [first, second] = [await startNode("a", main.slice(0, 15)), await startNode("b")];
    const upstream = connect([first, second], { heads, preference: "order" });
    const standing = () => upstream.nodes()[0]?.standing;
    await waitUntil("it is known", () => standing() === "lagging");
    expect(await upstream.call("getpeerinfo")).toBe("b");
    expect(upstream.nodes()[0]).toMatchObject({ lag: 6, head: { height: 14, hash: main[14] } });
    first.chain = main.slice(0, 19);
    await waitUntil("it is well again", () => standing() === "well");
    expect(await upstream.call("getpeerinfo")).toBe("a");
  });

  it("are asked for the chain of the best head where that is wanted, of equals the first", async () => {
    const [first, second] = [await startNode("a", main.slice(0, 20)), await startNode("b")];
    const upstream = connect([first, second], { heads, preference: "head" });
    const areWell = () => upstream.nodes().every(({ standing }) => standing === "well");
    await waitUntil("the second leads", () => areWell() && upstream.head?.height === 20);
    expect(await upstream.call("getpeerinfo")).toBe("b");
    first.chain = main;
    await waitUntil("the first leads", () => upstream.nodes()[0]?.head?.height === 20);
    while ((await upstream.call("echo")) !== "a") await sleep(1);
    expect(await upstream.call("getpeerinfo")).toBe("a");
  });

  it("leave out one on a fork that lost, until it has left that", async () => {
    const fork = createFakeChain("fork", 19, main, 17);
    const [first, second] = [await startNode("a", fork), await startNode("b")];
    const upstream = connect([first, second], { heads, preference: "order" });
    await waitUntil("it is known", () => upstream.nodes()[0]?.standing === "forked");
    expect(await upstream.call("getpeerinfo")).toBe("b");
    first.chain = main;
    await waitUntil("it is well again", () => upstream.nodes()[0]?.standing === "well");
    expect(await upstream.call("getpeerinfo")).toBe("a");
  });

  it("leave out one whose head went back, until it is where it was", async () => {
    const [first, second] = [await startNode("a"), await startNode("b")];
    const upstream = connect([first, second], { heads, preference: "order" });
    await waitUntil("both are known", () => upstream.nodes().every(({ head }) => head?.height === 20));
    first.chain = main.slice(0, 20);
    await waitUntil("it is known", () => upstream.nodes()[0]?.standing === "went-back");
    expect(await upstream.call("getpeerinfo")).toBe("b");
    first.chain = main;
    await waitUntil("it is well again", () => upstream.nodes()[0]?.standing === "well");
    expect(await upstream.call("getpeerinfo")).toBe("a");
  });

  it("never ask one of another network, though it has more blocks", async () => {
    const [first, second] = [await startNode("a", createFakeChain("other", 50)), await startNode("b")];
    const upstream = connect([first, second], { heads });
    await waitUntil("both are known", () => upstream.nodes().every(({ standing }) => standing !== "unheard"));
    for (let time = 0; time < 5; time += 1) expect(await upstream.call("echo", [time])).toBe("b");
    expect(upstream.nodes().map(({ standing }) => standing)).toEqual(["other-network", "well"]);
    await second.stop();
    await waitUntil("it is gone", () => upstream.nodes()[1]?.standing === "unheard");
    expect(codeOf(await failureOf(upstream.call("echo", ["last"])))).toBe("upstream_unavailable");
    expect(first.count("echo")).toBe(0);
  });

  it("are all of one software: others are left out until all are of that", async () => {
    const [first, second] = [await startNode("a"), await startNode("b")];
    second.subversion = undefined;
    first.delayMilliseconds = 1;
    const upstream = connect([first, second], { heads });
    const standings = () => upstream.nodes().map(({ standing }) => standing);
    await waitUntil("one is left out", () => standings().includes("other-software"));
    const [taken, left] = standings()[0] === "well" ? [first, second] : [second, first];
    for (let time = 0; time < 4; time += 1) await upstream.call("echo", [time]);
    expect([taken.count("echo"), left.count("echo")]).toEqual([4, 0]);
    await taken.stop();
    taken.subversion = left.subversion;
    await waitUntil("it is gone", () => standings().includes("unheard"));
    expect(codeOf(await failureOf(upstream.call("echo", ["nobody"])))).toBe("upstream_unavailable");
    await taken.start();
    await waitUntil("both are of one software", () => standings().every((standing) => standing === "well"));
  });

  it("are all measured by the best, also when that is gone", async () => {
    const [first, second] = [await startNode("a"), await startNode("b", main.slice(0, 10))];
    const upstream = connect([first, second], { heads: { ...heads, goneMilliseconds: 500 } });
    await waitUntil("both are known", () => upstream.nodes()[1]?.standing === "lagging");
    await first.stop();
    await waitUntil("it is gone", () => upstream.nodes()[0]?.standing === "unheard");
    expect(codeOf(await failureOf(upstream.call("getpeerinfo")))).toBe("upstream_unavailable");
    await waitUntil("it is forgotten", () => upstream.nodes()[1]?.standing === "well");
    expect(await upstream.call("getpeerinfo")).toBe("b");
  });

  it("take the place of the best within a minute after its last response, though they lag", async () => {
    const [first, second] = [await startNode("a"), await startNode("b", main.slice(0, 10))];
    const upstream = connect([first, second], { heads });
    await waitUntil("both are known", () => upstream.nodes()[1]?.standing === "lagging");
    await first.stop();
    await waitUntil("it is gone", () => upstream.nodes()[0]?.standing === "unheard");
    const now = performance.now.bind(performance);
    let ahead = 0;
    vi.spyOn(performance, "now").mockImplementation(() => now() + ahead);
    closers.push(async () => vi.restoreAllMocks());
    const passTo = async (milliseconds: number) => {
      ahead = milliseconds;
      const asked = second.count("getbestblockhash");
      await waitUntil("its head is asked for", () => second.count("getbestblockhash") > asked + 2);
    };
    await passTo(50_000);
    expect(upstream.nodes()[1]?.standing).toBe("lagging");
    expect(codeOf(await failureOf(upstream.call("getpeerinfo")))).toBe("upstream_unavailable");
    await passTo(58_000);
    expect(upstream.nodes()[1]?.standing).toBe("well");
    expect(await upstream.call("getpeerinfo")).toBe("b");
  });

  it("hedge a slow answer where that is wanted, and the loser is ended", async () => {
    const [first, second] = [await startNode("a"), await startNode("b")];
    // Long enough that only the hedge to the second one responds.
    const patient = { timeoutMilliseconds: 20_000 };
    const upstream = connect([first, second], { ...patient, preference: "order", isHedging: true });
    for (let time = 0; time < 16; time += 1) await upstream.call("getpeerinfo", [time]);
    first.fault = faults.hangs;
    expect(await upstream.call("getpeerinfo", ["slow"])).toBe("b");
    expect(upstream.nodes().map(({ hedges }) => hedges)).toEqual([0, 1]);
    await waitUntil("the loser is ended", () => first.aborted === 1);
    // It was only slower than most, which is no failure.
    expect(upstream.nodes().map(({ failures }) => failures)).toEqual([0, 0]);
    // A submission is sent to one node alone.
    const sent = failureOf(upstream.call("sendrawtransaction", ["00"], { timeoutMilliseconds: 300 }));
    expect(codeOf(await sent)).toBe("upstream_timeout");
    expect(second.count("sendrawtransaction")).toBe(0);
  });

  it("wait for the slow one when the one that was to be faster is in no position to answer", async () => {
    const [first, second] = [await startNode("a"), await startNode("b")];
    const upstream = connect([first, second], { timeoutMilliseconds: 20_000, preference: "order", isHedging: true });
    for (let time = 0; time < 16; time += 1) await upstream.call("getpeerinfo", [time]);
    second.refusal = new NodeRefusal(-28, "Loading block index…");
    first.fault = async (response, answer) => {
      const report = () => upstream.nodes()[1];
      await waitUntil("the second one has refused", () => report()?.hedges === 1 && report()?.outstanding === 0);
      response.end(answer);
    };
    expect(await upstream.call("getpeerinfo", ["slow"])).toBe("a");
  });

  it("are summed up", async () => {
    const [first, second] = [await startNode("a"), await startNode("b")];
    const upstream = connect([first, second]);
    const responses = await Promise.all([upstream.call("echo", [1]), upstream.call("echo", [2])]);
    expect(responses.toSorted()).toEqual(["a", "b"]);
    expect(upstream.totals()).toMatchObject({ methodCalls: 2 });
    expect(upstream.nodes().map(({ calls }) => calls)).toEqual([1, 1]);
    expect(upstream.nodes().map(({ name }) => name)).toEqual([first, second].map(({ url }) => new URL(url).host));
  });
});

describe("identical calls at the same time", () => {
  it("are sent once, a transaction that is handed in too", async () => {
    const node = await startNode("a");
    node.delayMilliseconds = 20;
    const upstream = connect([node]);
    for (const method of ["getpeerinfo", "sendrawtransaction"]) {
      const responses = await Promise.all(Array.from({ length: 10 }, () => upstream.call(method, ["00"])));
      expect(responses).toEqual(new Array(10).fill("a"));
      expect(node.count(method)).toBe(1);
    }
  });
});

describe("answers that stay true", () => {
  async function connectFollowing(node: ChainNode, cacheBytes?: number): Promise<GuardedUpstream> {
    const upstream = connect([node], { heads, ...(cacheBytes === undefined ? {} : { cacheBytes }) });
    await waitUntil("its head is known", () => upstream.nodes()[0]?.head !== undefined);
    return upstream;
  }
  const hash = main[3] ?? "";

  it("are requested once: buried blocks' until a reorganisation", async () => {
    const node = await startNode("a");
    const upstream = await connectFollowing(node);
    const askedBefore = node.count("getblockhash");
    for (let time = 0; time < 3; time += 1) expect(await upstream.call("getblockhash", [14])).toBe(main[14]);
    expect(node.count("getblockhash") - askedBefore).toBe(1);
    const other = createFakeChain("other", 22, main, 10);
    node.chain = other;
    await waitUntil("it has reorganised", () => upstream.nodes()[0]?.head?.height === 22);
    await expect.poll(() => upstream.call("getblockhash", [14])).toBe(other[14]);
  });

  it.each([
    [0, 3],
    [1, 3],
    [1_000_000, 1],
  ])("are kept in as many bytes as was said: with %i bytes one is asked for %i times", async (cacheBytes, times) => {
    const node = await startNode("a");
    const upstream = await connectFollowing(node, cacheBytes);
    const askedBefore = node.count("getblockhash");
    for (let time = 0; time < 3; time += 1) expect(await upstream.call("getblockhash", [14])).toBe(main[14]);
    expect(node.count("getblockhash") - askedBefore).toBe(times);
  });

  it("are requested again when the head has changed, though few know of it yet", async () => {
    const node = await startNode("a");
    const upstream = await connectFollowing(node);
    const ask = () => upstream.call("getblockheader", [hash, true]);
    expect([await ask(), await ask()]).toEqual(new Array(2).fill(expect.objectContaining({ confirmations: 18 })));
    node.chain = createFakeChain("main", 21);
    await waitUntil("it has a new block", () => upstream.nodes()[0]?.head?.height === 21);
    await expect.poll(ask).toMatchObject({ confirmations: 19 });
  });

  it("are not kept when they are not what their hash names", async () => {
    const node = await startNode("a");
    const upstream = await connectFollowing(node);
    for (let time = 0; time < 2; time += 1) await upstream.call("getblock", [hash, 0]);
    expect(node.count("getblock")).toBe(2);
  });

  it("are not given of what changes by itself, nor while no head is known", async () => {
    const node = await startNode("a");
    const upstream = await connectFollowing(node);
    for (let time = 0; time < 2; time += 1) await upstream.call("getpeerinfo");
    expect(node.count("getpeerinfo")).toBe(2);
    const blind = connect([node]);
    for (let time = 0; time < 2; time += 1) await blind.call("getdifficulty");
    expect(node.count("getdifficulty")).toBe(2);
    for (let time = 0; time < 2; time += 1) await upstream.call("getdifficulty");
    expect(node.count("getdifficulty")).toBe(3);
  });
});

describe("the head that is followed", () => {
  it("is told to who listens, with whether blocks were replaced, until they have heard enough", async () => {
    const node = await startNode("a", createFakeChain("main", 10));
    const upstream = connect([node], { heads });
    const heard: string[] = [];
    const stop = upstream.onHead?.(({ head, isReorganisation }) => {
      heard.push(`${head.height}${isReorganisation ? " anew" : ""}`);
    });
    await waitUntil("its head is known", () => upstream.head?.height === 10);
    node.chain = createFakeChain("main", 11);
    await waitUntil("its new head is known", () => upstream.head?.height === 11);
    node.chain = createFakeChain("other", 12, main, 9);
    await waitUntil("its other head is known", () => upstream.head?.hash === node.chain[12]);
    stop?.();
    node.chain = createFakeChain("other", 13, main, 9);
    await waitUntil("its last head is known", () => upstream.head?.height === 13);
    expect(heard).toEqual(["10", "11", "12 anew"]);
  });

  it("is unknown while no node answers that has it, and where none is followed", async () => {
    const node = await startNode("a");
    const [upstream, heedless] = [connect([node], { heads }), connect([node])];
    await waitUntil("its head is known", () => upstream.head !== undefined);
    node.fault = faults.resets;
    await waitUntil("it is lost", () => upstream.head === undefined);
    expect(heedless.head).toBeUndefined();
  });
});

describe("an upstream of nodes", () => {
  it("shows nothing of an address but host and port, in reports, dumps and failures", async () => {
    const node = await startNode("a");
    node.fault = faults.html;
    const url = node.url.replace("http://", "http://ann:hunter2@").replace(/$/, "path-secret?key=query-secret");
    const upstream = createGuardedUpstream({ nodes: [{ url }, { url }], heads, timeoutMilliseconds: 500 });
    closers.push(() => upstream.close());
    const failure = await failureOf(upstream.call("getpeerinfo"));
    const { host } = new URL(node.url);
    expect(upstream.nodes().map(({ name }) => name)).toEqual([host, `${host} (2)`]);
    for (const value of [failure, upstream, upstream.nodes()]) {
      expect(inspect(value, { depth: 12, showHidden: true })).not.toMatch(/hunter2|YW5u|-secret/);
    }
  });

  it.each([
    ["their responses", "getpeerinfo"],
    ["the first head", "getbestblockhash"],
  ])("fails calls that wait for %s and later ones when it is closed", async (_what, hanging) => {
    const node = await startNode("a");
    node.fault = faults.hangs;
    node.faultyMethods = new Set([hanging]);
    const upstream = connect([node], { heads, timeoutMilliseconds: 20_000 });
    const work = failureOf(upstream.call("getpeerinfo"));
    await waitUntil("the node is asked", () => node.count(hanging) === 1);
    await upstream.close();
    expect(codeOf(await work)).toBe("upstream_unavailable");
    expect(codeOf(await failureOf(upstream.call("getpeerinfo")))).toBe("upstream_unavailable");
  });

  it("keeps no process running for a call that waited until a head was known", async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const node = await startNode("a");
    const before = timers();
    const upstream = connect([node], { heads, timeoutMilliseconds: 600_000 });
    expect(await upstream.call("getpeerinfo")).toBe("a");
    await upstream.close();
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it("needs a node", () => {
    expect(() => createGuardedUpstream({ nodes: [] })).toThrow(new TypeError("An upstream needs a node"));
  });

  it("reports of a node what is known, and no more", async () => {
    const node = await startNode("a");
    const upstream = connect([node]);
    const { host } = new URL(node.url);
    const report = {
      name: host,
      breaker: "closed",
      standing: "well",
      outstanding: 0,
      connectionBound: 16,
      batchLimit: 100,
      calls: 0,
      failures: 0,
      refusals: 0,
      retries: 0,
      hedges: 0,
    };
    expect(upstream.nodes()).toEqual([report]);
    const now = Date.now();
    const clock = vi.spyOn(Date, "now").mockReturnValue(now);
    closers.push(async () => vi.restoreAllMocks());
    await upstream.call("getpeerinfo");
    expect(upstream.nodes()).toEqual([{ ...report, calls: 1, secondsSinceResponse: 0 }]);
    clock.mockReturnValue(now + 90_400);
    expect(upstream.nodes()[0]?.secondsSinceResponse).toBe(90);
    vi.restoreAllMocks();
    node.fault = faults.hangs;
    const controller = new AbortController();
    const work = failureOf(upstream.call("getpeerinfo", [], { signal: controller.signal }));
    await waitUntil("it is asked", () => node.calls.length === 2);
    expect(upstream.nodes()).toMatchObject([{ outstanding: 1, calls: 2 }]);
    controller.abort(new Error("Gone"));
    await work;
    await waitUntil("nothing is under way", () => upstream.nodes()[0]?.outstanding === 0);
    expect(upstream.nodes()).toMatchObject([{ calls: 2, failures: 0 }]);
  });

  it("counts the calls of a batch one by one, and refusals apart from failures", async () => {
    const node = await startNode("a");
    const upstream = connect([node], { timeoutMilliseconds: 20_000 });
    await upstream.batch(Array(3).fill({ method: "getpeerinfo", params: [] }));
    expect(upstream.nodes()).toMatchObject([{ calls: 3, failures: 0, refusals: 0 }]);
    node.fault = faults.tooBusy;
    await failureOf(upstream.call("stop"));
    expect(upstream.nodes()).toMatchObject([{ calls: 4, failures: 0, refusals: 1 }]);
    node.fault = faults.html;
    await failureOf(upstream.call("stop"));
    expect(upstream.nodes()).toMatchObject([{ calls: 5, failures: 1, refusals: 1 }]);
    await upstream.batch(Array(2).fill({ method: "stop", params: [] }));
    expect(upstream.nodes()).toMatchObject([{ calls: 7, failures: 2 }]);
  });

  it("says of a node why it cannot be asked", async () => {
    const [first, lagging, other, unlike] = [
      await startNode("a"),
      await startNode("b", main.slice(0, 10)),
      await startNode("c", createFakeChain("other", 20)),
      await startNode("d"),
    ];
    unlike.subversion = undefined;
    const down = await startNode("e");
    await down.stop();
    const upstream = connect([first, lagging, other, unlike, down], { heads, breaker: { failureThreshold: 1 } });
    await waitUntil("all are heard", () => {
      return upstream.nodes().every(({ standing, problem }) => standing === "well" || !/not told/.test(problem ?? ""));
    });
    await waitUntil("their programs are known", () => upstream.nodes()[3]?.standing === "other-software");
    expect(upstream.nodes().map(({ problem }) => problem)).toEqual([
      undefined,
      "It lacks blocks that another node has",
      "It has another chain than the one that is wanted",
      "It runs another program than the other nodes",
      "The node could not be reached",
    ]);
    // A node of another network has no distance.
    expect(upstream.nodes().map(({ lag }) => lag)).toEqual([0, 11, undefined, 0, undefined]);
    const hanging = await startNode("f");
    hanging.fault = faults.hangs;
    expect(connect([hanging], { heads }).nodes()).toMatchObject([
      { standing: "unheard", problem: "It has not reported its best block yet" },
    ]);
  });
});
