import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { createGuardedUpstream, type GuardedUpstream, type GuardedUpstreamOptions } from "./guarded-upstream.ts";
import { createFakeChain, type FakeChain } from "./testing/fake-chain.ts";
import { responseOfExecutionChain } from "./testing/fake-execution-chain.ts";
import { faults, FaultyNode, NodeRefusal } from "./testing/faulty-node.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const main = createFakeChain("main", 30);

interface Client extends FaultyNode {
  chain: FakeChain;
  chainId: string;
  clientVersion: string | undefined;
  /** Methods that it lacks. */
  readonly missing: Set<string>;
}

/** Starts an execution client with main's blocks up to `height`; the result of other methods is its name. */
async function startClient(name: string, height = 20): Promise<Client> {
  const client: Client = Object.assign(
    new FaultyNode({
      respond(method, params) {
        if (client.missing.has(method)) throw new NodeRefusal(-32_601, "The method does not exist");
        if (method === "eth_getTransactionReceipt") return client.chain.length > 25 ? { by: name } : null;
        const answer = responseOfExecutionChain(client, method, params);
        return answer === undefined ? name : answer;
      },
    }),
    { chain: main.slice(0, height + 1), chainId: "0x1", clientVersion: name, missing: new Set<string>() },
  );
  await client.start();
  closers.push(() => client.stop());
  return client;
}

function connect(clients: readonly FaultyNode[], options: Partial<GuardedUpstreamOptions> = {}): GuardedUpstream {
  const upstream = createGuardedUpstream({
    nodes: clients.map(({ url }) => ({ url })),
    timeoutMilliseconds: 2_000,
    breaker: { cooldownMilliseconds: 50 },
    heads,
    ...options,
  });
  closers.push(() => upstream.close());
  return upstream;
}

/** Polled often, and rarely: so that a test knows more than the upstream. */
const heads = { words: "ethereum", pollMilliseconds: 20 } as const;
const seldom = { words: "ethereum", pollMilliseconds: 600_000 } as const;

async function waitUntil(what: string, condition: () => boolean): Promise<void> {
  const end = performance.now() + 25_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`Waited in vain until ${what}`);
    await sleep(5);
  }
}

const standings = (upstream: GuardedUpstream) => upstream.nodes().map(({ standing }) => standing);
const hashOf = (height: number) => `0x${main[height]}`;
const balance = (reference: unknown) => ({ method: "eth_getBalance", params: ["0x00", reference] });

describe("execution clients", () => {
  it("tell their heads, their chain and what they are", async () => {
    const client = await startClient("Geth/v1.17");
    const upstream = connect([client]);
    await waitUntil("its head is known", () => upstream.head !== undefined);
    expect(upstream.head).toEqual({ height: 20, hash: hashOf(20), parentHash: hashOf(19) });
    expect(upstream.nodes()).toMatchObject([{ version: "Geth/v1.17", chainId: "1", standing: "well", lag: 0 }]);
    expect(upstream.nodes()[0]).not.toHaveProperty("problem");
  });

  it("may tell nobody what they are, and have no block of long ago", async () => {
    const client = await startClient("a");
    client.clientVersion = undefined;
    client.chain = ["", ...main.slice(1, 10)];
    const upstream = connect([client]);
    await waitUntil("its head is known", () => upstream.head?.height === 9);
    expect(standings(upstream)).toEqual(["well"]);
  });

  it("may run different programs", async () => {
    const upstream = connect([await startClient("Geth"), await startClient("besu")]);
    await waitUntil("both are heard", () => standings(upstream).every((standing) => standing === "well"));
    expect(upstream.nodes().map(({ version }) => version)).toEqual(["Geth", "besu"]);
  });

  it.each([
    ["chain id", (client: Client) => (client.chainId = "0x5")],
    ["genesis block", (client: Client) => (client.chain = createFakeChain("other", 40))],
  ])("are left out when they have another %s than the first, whoever answers first", async (_name, change) => {
    const [first, second] = [await startClient("first"), await startClient("second", 30)];
    change(second);
    first.delayMilliseconds = 50;
    const upstream = connect([first, second]);
    expect(await upstream.call("eth_gasPrice")).toBe("first");
    await waitUntil("both are heard", () => upstream.nodes().every(({ head }) => head !== undefined));
    expect(standings(upstream)).toEqual(["well", "other-network"]);
    expect(upstream.nodes()[1]?.problem).toBe("It has another chain than the one that is wanted");
    await first.stop();
    await expect(upstream.call("eth_gasPrice")).rejects.toMatchObject({ code: "upstream_unavailable" });
  });

  it("are left out when they have another chain id than the one that is wanted, the first too", async () => {
    const [first, second] = [await startClient("first"), await startClient("second")];
    first.chainId = "0x5";
    const upstream = connect([first, second], { heads: { ...heads, chainId: "0x1" } });
    expect(await upstream.call("eth_gasPrice")).toBe("second");
    await waitUntil("both are heard", () => upstream.nodes().every(({ head }) => head !== undefined));
    expect(standings(upstream)).toEqual(["other-network", "well"]);
  });

  it("may begin a chain anew where they are alone", async () => {
    const client = await startClient("dev");
    const upstream = connect([client]);
    await waitUntil("its head is known", () => upstream.head?.height === 20);
    expect(await upstream.call("eth_chainId")).toBe("0x1");
    client.chain = createFakeChain("anew", 3);
    client.chainId = "0x7";
    await waitUntil("its new head is known", () => upstream.head?.height === 3);
    await waitUntil("its new chain is known", () => upstream.nodes()[0]?.chainId === "7");
    expect([await upstream.call("eth_chainId"), standings(upstream)]).toEqual(["0x7", ["well"]]);
  });

  it("are checked by height: one on a shorter fork is left out, until it has left that", async () => {
    const [one, other] = [await startClient("one"), await startClient("other", 21)];
    one.chain = createFakeChain("fork", 20, main, 15);
    const upstream = connect([one, other]);
    await waitUntil("the fork is seen", () => standings(upstream)[0] === "forked");
    one.chain = main.slice(0, 22);
    await waitUntil("it has left the fork", () => standings(upstream)[0] === "well");
  });

  it("are queried again by themselves after they were away", async () => {
    const client = await startClient("a");
    const upstream = connect([client]);
    await waitUntil("its head is known", () => upstream.head !== undefined);
    await client.stop();
    await waitUntil("it is gone", () => upstream.head === undefined);
    expect(upstream.nodes()[0]?.problem).toMatch(/^The node could not be reached/);
    await client.start();
    await waitUntil("it is back", () => upstream.head !== undefined);
    expect(await upstream.call("eth_gasPrice")).toBe("a");
  });
});

describe("a read by the hash of a block", () => {
  /** Starts two clients of which one has a block more, which the upstream does not know yet. */
  async function startUneven(): Promise<{ behind: Client; ahead: Client; upstream: GuardedUpstream }> {
    const [behind, ahead] = [await startClient("behind"), await startClient("ahead")];
    const upstream = connect([behind, ahead], { heads: seldom, preference: "order" });
    await waitUntil("both are heard", () => standings(upstream).every((standing) => standing === "well"));
    ahead.chain = main.slice(0, 22);
    return { behind, ahead, upstream };
  }

  it("that one node lacks is asked of the next", async () => {
    const { behind, ahead, upstream } = await startUneven();
    expect(await upstream.call("eth_getBalance", ["0x00", { blockHash: hashOf(21) }])).toBe("0x15");
    expect(await upstream.call("eth_getBlockByHash", [hashOf(21), false])).toMatchObject({ number: "0x15" });
    expect([behind.count("eth_getBalance"), ahead.count("eth_getBalance")]).toEqual([1, 1]);
    // Neither node has failed because of that.
    expect(upstream.nodes().map(({ failures, breaker }) => [failures, breaker])).toEqual([
      [0, "closed"],
      [0, "closed"],
    ]);
  });

  it("in a batch is asked of the next for those that were lacking alone", async () => {
    const { behind, ahead, upstream } = await startUneven();
    const results = await upstream.batch([
      balance({ blockHash: hashOf(20) }),
      balance({ blockHash: hashOf(21) }),
      { method: "eth_getBlockByHash", params: [hashOf(21), false] },
    ]);
    expect(results.map((result) => result.ok && result.result)).toEqual([
      "0x14",
      "0x15",
      expect.objectContaining({ number: "0x15" }),
    ]);
    expect([behind.count("eth_getBalance"), ahead.count("eth_getBalance")]).toEqual([2, 1]);
  });

  it("goes where the block was named", async () => {
    const { behind, ahead, upstream } = await startUneven();
    behind.fault = faults.resets;
    expect(await upstream.call("eth_getBlockByNumber", ["latest", false])).toMatchObject({ hash: hashOf(21) });
    behind.fault = undefined;
    const asked = behind.calls.length;
    for (let time = 0; time < 3; time += 1) {
      const results = await upstream.batch([balance({ blockHash: hashOf(21) }), balance({ blockHash: hashOf(20) })]);
      expect(results.map((result) => result.ok && result.result)).toEqual(["0x15", "0x14"]);
    }
    expect(behind.calls.length).toBe(asked);
    expect(ahead.count("eth_getBalance")).toBe(6);
  });

  it("goes where the block was named, though another node has one of that height", async () => {
    const [one, other] = [await startClient("one", 21), await startClient("other", 21)];
    other.chain = createFakeChain("fork", 21, main, 20);
    const upstream = connect([one, other], { heads: seldom, preference: "order" });
    await waitUntil("both are heard", () => standings(upstream).every((standing) => standing === "well"));
    one.fault = faults.resets;
    expect(await upstream.call("eth_getBlockByNumber", ["0x15", false])).toMatchObject({
      hash: `0x${other.chain[21]}`,
    });
    one.fault = undefined;
    const asked = one.calls.length;
    expect(await upstream.call("eth_getBalance", ["0x00", { blockHash: `0x${other.chain[21]}` }])).toBe("0x15");
    expect(one.calls.length).toBe(asked);
  });

  it("that no node has is answered as the first one did", async () => {
    const { behind, ahead, upstream } = await startUneven();
    const unknown = `0x${"ee".repeat(32)}`;
    expect(await upstream.call("eth_getBlockByHash", [unknown, false])).toBeNull();
    await expect(upstream.call("eth_getBalance", ["0x00", { blockHash: unknown }])).rejects.toMatchObject({
      code: -32_000,
      message: "header for hash not found",
    });
    const results = await upstream.batch([balance({ blockHash: unknown }), balance({ blockHash: hashOf(20) })]);
    expect(results.map((result) => (result.ok ? result.result : result.error.message))).toEqual([
      "header for hash not found",
      "0x14",
    ]);
    expect([behind.count("eth_getBlockByHash"), ahead.count("eth_getBlockByHash")]).toEqual([1, 1]);
  });

  it.each([
    [[-32_000, -32_000, -32_000], 0],
    [[-32_601, -32_000, -32_000], 1],
    [[-32_000, -32_601, -32_601], 0],
  ])("is answered as the first that knows the method: codes %j", async (codes, first) => {
    const clients = await Promise.all(codes.map((_code, index) => startClient(`client ${index}`)));
    for (const [index, client] of clients.entries()) {
      client.faultyMethods = new Set(["eth_getBalance"]);
      const error = { code: codes[index], message: `client ${index}: header not found` };
      client.fault = (response) => response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error }));
    }
    const upstream = connect(clients, { preference: "order" });
    await waitUntil("all are heard", () => upstream.nodes().every(({ head }) => head !== undefined));
    const message = `client ${first}: header not found`;
    await expect(upstream.call("eth_getBalance", ["0x00", hashOf(20)])).rejects.toMatchObject({ message });
    expect(clients.map((client) => client.count("eth_getBalance"))).toEqual([1, 1, 1]);
  });

  it("is answered as one node did when the other fails", async () => {
    const { ahead, upstream } = await startUneven();
    ahead.fault = faults.resets;
    expect(await upstream.call("eth_getBlockByHash", [hashOf(21), false])).toBeNull();
    const [lacking] = await upstream.batch([{ method: "eth_getBlockByHash", params: [hashOf(21), false] }]);
    expect(lacking).toEqual({ ok: true, result: null });
  });

  it("is queried once where there is one node", async () => {
    const client = await startClient("alone");
    const upstream = connect([client]);
    expect(await upstream.call("eth_getBlockByHash", [hashOf(25), false])).toBeNull();
    const [result] = await upstream.batch([balance({ blockHash: hashOf(25) })]);
    expect(result?.ok).toBe(false);
    expect([client.count("eth_getBalance"), client.count("eth_getBlockByHash")]).toEqual([1, 1]);
  });
});

describe("what one client lacks and another has", () => {
  it("is a transaction that has not come to the first", async () => {
    const upstream = connect([await startClient("short"), await startClient("long", 26)], {
      heads: { ...heads, maximumLag: 10 },
      preference: "order",
    });
    expect(await upstream.call("eth_getTransactionReceipt", ["0x01"])).toEqual({ by: "long" });
  });

  it("is a method, and of two without it the response says so", async () => {
    const [one, other] = [await startClient("one"), await startClient("other")];
    const upstream = connect([one, other], { preference: "order" });
    one.missing.add("eth_getBlockReceipts");
    expect(await upstream.call("eth_getBlockReceipts", ["latest"])).toBe("other");
    other.missing.add("eth_getBlockReceipts");
    await expect(upstream.call("eth_getBlockReceipts", ["latest"])).rejects.toMatchObject({ code: -32_601 });
  });

  it("is the latest block: it is asked of those who have it", async () => {
    const [behind, ahead] = [await startClient("behind", 19), await startClient("ahead", 20)];
    const upstream = connect([behind, ahead], { preference: "order" });
    await waitUntil("both are heard", () => upstream.nodes().every(({ head }) => head !== undefined));
    expect(standings(upstream)).toEqual(["well", "well"]);
    expect(await upstream.call("eth_getBalance", ["0x00", "latest"])).toBe("0x14");
    expect(await upstream.call("eth_getBalance", ["0x00", { blockHash: hashOf(19) }])).toBe("0x13");
    expect(behind.count("eth_getBalance")).toBe(1);
  });

  it("is the method that a transaction is sent by: it goes to the one that offers it", async () => {
    const [one, other] = [await startClient("one"), await startClient("other")];
    const upstream = connect([one, other], { preference: "order" });
    one.missing.add("eth_sendRawTransaction");
    expect(await upstream.call("eth_sendRawTransaction", ["0x00"])).toBe("other");
    other.missing.add("eth_sendRawTransaction");
    await expect(upstream.call("eth_sendRawTransaction", ["0x00"])).rejects.toMatchObject({ code: -32_601 });
  });
});

describe("a batch that is hedged", () => {
  it("is answered by the second node when the first is slow", async () => {
    const [first, second] = [await startClient("first"), await startClient("second")];
    const upstream = connect([first, second], { isHedging: true, preference: "order" });
    const calls = Array.from({ length: 4 }, () => ({ method: "eth_gasPrice", params: [] }));
    for (let time = 0; time < 20; time += 1) await upstream.batch(calls);
    first.faultyMethods = new Set(["eth_gasPrice"]);
    first.fault = faults.hangs;
    const hedges = upstream.nodes()[1]?.hedges ?? 0;
    const results = await upstream.batch(calls);
    expect(results.map((result) => result.ok && result.result)).toEqual(["second", "second", "second", "second"]);
    expect(upstream.nodes()[1]?.hedges).toBe(hedges + 1);
  });
});
