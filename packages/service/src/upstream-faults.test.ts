import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type ChainIndexReader,
  createArraySource,
  openChainIndex,
  openEmbeddedStore,
  runIndexer,
} from "@nodewright/bitcoin-indexer";
import { RegtestChain } from "@nodewright/bitcoin-indexer/testing";
import { displayHash, networks, parseTransaction, serializeTransaction, toHex } from "@nodewright/bitcoin-primitives";
import { createGuardedUpstream, type GuardedUpstream } from "@nodewright/upstream";
import {
  responseOfChain,
  createFakeChain,
  type FakeChain,
  type FaultName,
  FaultyNode,
  faults,
} from "@nodewright/upstream/testing";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPublicListener } from "./gate/public-listener.ts";
import { openEmbeddedRegistry } from "./registry/embedded-registry.ts";
import type { Registry } from "./registry/registry.ts";
import { createInterfaceRoutes } from "./routes.ts";

const network = networks.regtest;
const nodeId = "bitcoin-regtest";
const openScript = Uint8Array.of(0x51);
const timeoutMilliseconds = 400;

const directory = mkdtempSync(join(tmpdir(), "nodewright-upstream-faults-"));
const chain = new RegtestChain();
const first = chain.extend(chain.genesis, openScript);
const tip = chain.extend(first, openScript);

/** Spends the first block's coinbase. */
const transaction = parseTransaction(
  serializeTransaction({
    version: 2,
    inputs: first.coins.slice(-1).map(({ outpoint }) => ({
      previousOutput: outpoint,
      scriptSig: new Uint8Array(0),
      sequence: 0xfffffffd,
      witness: [],
    })),
    outputs: [{ value: 4_999_990_000n, scriptPubKey: openScript }],
    locktime: 0,
  }),
);
const transactionText = toHex(transaction.bytes);
const txid = displayHash(transaction.txid);

/** Chain as long as the heads of its upstream nodes. */
const heads = createFakeChain("node", 30);

const peer = { id: 7, addr: "192.0.2.1:8333", network: "ipv4", subver: "/node:1/", version: 70_016 };

function respondAsCore(nodeChain: FakeChain, method: string, params: readonly unknown[]): unknown {
  switch (method) {
    case "getnetworkinfo":
      return { version: 310_000, subversion: "/Satoshi:31.0.0/", connections: 8, relayfee: 0.00001 };
    case "getconnectioncount":
      return 8;
    case "getpeerinfo":
      return [peer];
    case "sendrawtransaction":
      return txid;
    case "testmempoolaccept":
      return [{ txid, wtxid: txid, allowed: true, vsize: 85, fees: { base: 0.0001 } }];
    case "estimatesmartfee":
      return { feerate: 0.00002, blocks: 2 };
    default:
      return responseOfChain(nodeChain, method, params);
  }
}

interface Behind extends FaultyNode {
  chain: FakeChain;
}

async function startNode(): Promise<Behind> {
  const node: Behind = Object.assign(
    new FaultyNode({ respond: (method, params) => respondAsCore(node.chain, method, params) }),
    { chain: heads },
  );
  await node.start();
  return node;
}

let index: ChainIndexReader;
let registry: Registry;
let listener: FastifyInstance;
let apiKey: string;
let nodes: readonly Behind[];
let upstream: GuardedUpstream;
const internalErrors: unknown[] = [];

beforeAll(async () => {
  const store = await openEmbeddedStore(directory, network);
  await runIndexer({
    store,
    source: createArraySource(
      network,
      [chain.genesis, first, tip].map(({ bytes }) => bytes),
    ),
  });
  await store.close();
  index = openChainIndex(directory, { network });
  registry = await openEmbeddedRegistry(join(directory, "registry"));
  await registry.putAccount({ id: "alice", name: "Alice" });
  await registry.putNode({ id: nodeId, chain: "bitcoin", network: "regtest", kind: "shared" });
  const { id: subscriptionId } = await registry.createSubscription({ accountId: "alice", nodeId, plan: "default" });
  apiKey = (await registry.createKey({ subscriptionId, label: "test" })).key;
  const onInternalError = (error: unknown): void => void internalErrors.push(error);
  listener = createPublicListener({
    registry,
    findNode: () => ({
      id: nodeId,
      chain: "bitcoin" as const,
      network,
      queries: index,
      optional: index.optional,
      upstream,
      offersBlockTemplates: false,
      unavailable: () => undefined,
    }),
    status: () => "ok",
    onInternalError,
    routes: createInterfaceRoutes({ identity: { version: 310_000, protocolVersion: 70_016 }, onInternalError }),
  });
  await listener.listen({ host: "127.0.0.1", port: 0 });
});

afterAll(async () => {
  await listener?.close();
  await registry?.close();
  await index?.close();
  rmSync(directory, { recursive: true, force: true });
});

async function stand(count: number, headsFollowed = false): Promise<void> {
  nodes = await Promise.all(Array.from({ length: count }, startNode));
  upstream = createGuardedUpstream({
    nodes: nodes.map(({ url }) => ({ url })),
    preference: "order",
    timeoutMilliseconds,
    breaker: { cooldownMilliseconds: 50 },
    ...(headsFollowed ? { heads: { genesisHash: heads[0] ?? "", pollMilliseconds: 20 } } : {}),
  });
}

beforeEach(() => {
  internalErrors.length = 0;
});

afterEach(async () => {
  await upstream.close();
  for (const node of nodes) await node.stop();
  expect(internalErrors).toEqual([]);
});

interface RpcResponse {
  readonly status: number;
  readonly body: {
    readonly result: unknown;
    readonly error: { readonly code: number; readonly message: string } | null;
  };
}

async function call(method: string, ...params: readonly unknown[]): Promise<RpcResponse> {
  const response = await listener.inject({
    method: "POST",
    url: `/${nodeId}/`,
    headers: { "x-api-key": apiKey },
    payload: { jsonrpc: "2.0", id: 1, method, params },
  });
  return { status: response.statusCode, body: response.json() };
}

async function broadcast(): Promise<{ readonly status: number; readonly text: string }> {
  const response = await listener.inject({
    method: "POST",
    url: `/${nodeId}/indexer/rest/tx`,
    headers: { "x-api-key": apiKey },
    payload: transactionText,
  });
  return { status: response.statusCode, text: response.body };
}

async function recover(work: () => Promise<{ readonly status: number }>): Promise<void> {
  const end = performance.now() + 25_000;
  for (;;) {
    const { status } = await work();
    if (status === 200) return;
    expect([503, 504]).toContain(status);
    if (performance.now() > end) throw new Error("It does not recover");
    await sleep(20);
  }
}

/** Methods with their calls to a node. */
const reads = [
  { method: "getconnectioncount", params: [], asked: "getconnectioncount", result: 8 },
  { method: "getpeerinfo", params: [], asked: "getpeerinfo", result: [expect.objectContaining({ addr: peer.addr })] },
  {
    method: "testmempoolaccept",
    params: [[transactionText]],
    asked: "testmempoolaccept",
    result: [expect.objectContaining({ txid, allowed: true })],
  },
] as const;

const persistentFaults: readonly (readonly [fault: FaultName, status: 503 | 504])[] = [
  ["hangs", 504],
  ["stalls", 504],
  ["resets", 503],
  ["closes", 503],
  ["breaksWithinResponse", 503],
  ["emptyLine", 503],
  ["html", 503],
  ["badGateway", 503],
  ["notJsonRpc", 503],
  ["truncatedJson", 503],
  ["wrongId", 503],
  ["textId", 503],
  ["workQueueExceeded", 503],
  ["tooBusy", 503],
  ["rateLimited", 503],
  ["wrongCredentials", 503],
];

describe.each(persistentFaults)("with a node that %s", (fault, status) => {
  it("a method that reads fails as the node's failure, and is answered once the node is well", async () => {
    await stand(1);
    const [node] = nodes;
    // The software of the node is known.
    expect((await call("getpeerinfo")).status).toBe(200);
    for (const { method, params, asked, result } of reads) {
      Object.assign(node ?? {}, { fault: faults[fault], faultyMethods: new Set([asked, "getnetworkinfo"]) });
      const failed = await call(method, ...params);
      expect([failed.status, failed.body.error?.code]).toEqual([status, status === 504 ? -32015 : -32603]);
      expect(failed.body.error?.message).not.toMatch(/<|Work queue|127\.0\.0\.1/);
      expect(failed.body.result).toBeNull();
      Object.assign(node ?? {}, { fault: undefined });
      await recover(() => call(method, ...params));
      expect((await call(method, ...params)).body).toMatchObject({ result, error: null });
    }
  });

  it("a transaction is sent once, and its sender told what may have become of it", async () => {
    await stand(1);
    expect((await call("getpeerinfo")).status).toBe(200);
    const [node] = nodes;
    Object.assign(node ?? {}, { fault: faults[fault], faultyMethods: new Set(["sendrawtransaction"]) });
    const failed = await call("sendrawtransaction", transactionText);
    expect(failed.status).toBe(status);
    expect(node?.count("sendrawtransaction")).toBe(1);
    const isCertain = /^(?:workQueueExceeded|tooBusy|rateLimited|wrongCredentials)$/.test(fault);
    expect(/may or may not have reached/.test(failed.body.error?.message ?? "")).toBe(!isCertain);
    const rest = await broadcast();
    expect(rest.status).toBe(status);
    expect(/may or may not have reached/.test(rest.text)).toBe(!isCertain);
    expect(node?.count("sendrawtransaction")).toBe(2);
    Object.assign(node ?? {}, { fault: undefined });
    await recover(() => call("sendrawtransaction", transactionText));
    expect(await broadcast()).toEqual({ status: 200, text: txid });
  });

  it("another node answers", async () => {
    await stand(2);
    Object.assign(nodes[0] ?? {}, { fault: faults[fault] });
    for (const { method, params, result } of reads) {
      expect(await call(method, ...params)).toMatchObject({ status: 200, body: { result } });
    }
  });
});

it.each(["workQueueExceeded", "tooBusy", "rateLimited", "wrongCredentials"] as const)(
  "a transaction is handed to the second node when the first %s",
  async (fault) => {
    await stand(2);
    Object.assign(nodes[0] ?? {}, { fault: faults[fault], faultyMethods: new Set(["sendrawtransaction"]) });
    expect(await call("sendrawtransaction", transactionText)).toMatchObject({ status: 200, body: { result: txid } });
    expect(await broadcast()).toEqual({ status: 200, text: txid });
    expect(nodes.map((node) => node.count("sendrawtransaction"))).toEqual([2, 2]);
  },
);

it.each(["html", "resets", "hangs"] as const)("what is known without a node that %s is answered", async (fault) => {
  await stand(1);
  expect((await call("estimatesmartfee", 2)).body.result).toEqual({ feerate: 0.00002, blocks: 2 });
  Object.assign(nodes[0] ?? {}, { fault: faults[fault] });
  expect(await call("getblockcount")).toMatchObject({ status: 200, body: { result: 2 } });
  expect(await call("getinfo")).toMatchObject({ status: 200, body: { result: { blocks: 2, connections: 0 } } });
  expect((await call("estimatesmartfee", 2)).body.result).toMatchObject({ errors: [expect.any(String)], blocks: 2 });
});

describe("a batch", () => {
  it("fails in those members alone that the node is asked for", async () => {
    await stand(1);
    Object.assign(nodes[0] ?? {}, { fault: faults.resets });
    const response = await listener.inject({
      method: "POST",
      url: `/${nodeId}/`,
      headers: { "x-api-key": apiKey },
      payload: ["getblockcount", "getconnectioncount", "getbestblockhash"].map((method, id) => ({
        jsonrpc: "2.0",
        id,
        method,
      })),
    });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject([
      { id: 0, result: 2 },
      { id: 1, error: { code: -32603 } },
      { id: 2, result: displayHash(tip.hash) },
    ]);
  });

  it.each(["shuffledBatch", "shortBatch"] as const)("to a node with a %s is matched by its ids", async (fault) => {
    await stand(1);
    Object.assign(nodes[0] ?? {}, { fault: faults[fault] });
    const calls = Array.from({ length: 4 }, (_, height) => ({ method: "getblockhash", params: [height] }));
    const results = await upstream.batch(calls);
    expect(results.map((result) => result.ok && result.result)).toEqual(heads.slice(0, 4));
  });
});

describe("a head that goes back", () => {
  it("of the only node leaves it in use", async () => {
    await stand(1, true);
    expect((await call("getconnectioncount")).status).toBe(200);
    const [node] = nodes;
    Object.assign(node ?? {}, { chain: heads.slice(0, 10) });
    await expect.poll(() => upstream.nodes()[0]?.head?.height).toBe(9);
    expect((await call("getconnectioncount")).status).toBe(200);
    expect(upstream.nodes()[0]).toMatchObject({ head: { height: 9 }, standing: "well" });
  });

  it("of one of two leaves that one out until it is back", async () => {
    await stand(2, true);
    const [node, other] = nodes;
    await recover(async () => ({ status: upstream.nodes().every(({ standing }) => standing === "well") ? 200 : 503 }));
    Object.assign(node ?? {}, { chain: heads.slice(0, 10) });
    await recover(async () => ({ status: upstream.nodes()[0]?.standing === "went-back" ? 200 : 503 }));
    const before = node?.count("getpeerinfo");
    expect((await call("getpeerinfo")).status).toBe(200);
    expect([node?.count("getpeerinfo"), other?.count("getpeerinfo")]).toEqual([before, 1]);
    Object.assign(node ?? {}, { chain: heads });
    await recover(async () => ({ status: upstream.nodes()[0]?.standing === "well" ? 200 : 503 }));
    expect((await call("getpeerinfo")).status).toBe(200);
    expect(node?.count("getpeerinfo")).toBe(1);
  });
});

describe("a caller who goes away", () => {
  it("ends what the node is asked for them", async () => {
    await stand(1);
    const [node] = nodes;
    Object.assign(node ?? {}, { fault: faults.hangs });
    await upstream.close();
    upstream = createGuardedUpstream({ nodes: [{ url: node?.url ?? "" }] });
    const { port } = listener.server.address() as AddressInfo;
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getconnectioncount" });
    const asking = request({
      port,
      host: "127.0.0.1",
      path: `/${nodeId}/`,
      method: "POST",
      headers: { "x-api-key": apiKey },
    });
    asking.on("error", () => undefined);
    asking.end(body);
    const until = async (condition: () => boolean): Promise<void> => {
      const end = performance.now() + 25_000;
      while (!condition()) {
        if (performance.now() > end) throw new Error("Waited in vain");
        await sleep(5);
      }
    };
    await until(() => node?.count("getconnectioncount") === 1);
    asking.destroy();
    await until(() => node?.aborted === 1);
  });
});
