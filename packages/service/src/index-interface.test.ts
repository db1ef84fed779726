import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import {
  type ChainIndexReader,
  createArraySource,
  openChainIndex,
  openEmbeddedStore,
  runIndexer,
} from "@nodewright/bitcoin-indexer";
import {
  createTestMempool,
  RegtestChain,
  type RegtestCoin,
  type RegtestTip,
  type TestMempool,
} from "@nodewright/bitcoin-indexer/testing";
import {
  addressOfScript,
  concatBytes,
  displayHash,
  hashScript,
  networks,
  parseBlock,
  parseTransaction,
  serializeTransaction,
  toHex,
  type Transaction,
} from "@nodewright/bitcoin-primitives";
import { type Upstream, UpstreamRpcError } from "@nodewright/upstream";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPublicListener } from "./gate/public-listener.ts";
import { openEmbeddedRegistry } from "./registry/embedded-registry.ts";
import type { Registry } from "./registry/registry.ts";
import { createInterfaceRoutes } from "./routes.ts";

const network = networks.regtest;
const cacheShort = "public, max-age=10";
const cacheLong = "public, max-age=157784630, immutable";
const zeros = "0".repeat(64);
const noBlock = { in_best_chain: false, height: null, next_best: null };

/** Returns a person on the chain: the script of a public key hash, by name. */
function person(name: string) {
  const hash = hashScript(Buffer.from(name)).subarray(0, 20);
  const script = concatBytes(Uint8Array.of(0x00, 0x14), hash);
  return { script, address: addressOfScript(script, network) ?? "", scripthash: toHex(hashScript(script)) };
}

const alice = person("alice");
const bob = person("bob");
const carol = person("carol");
const busy = person("busy");
const miner = person("miner");

/** Returns a transaction that spends all value of coins minus `fee`, in equal parts. */
function pay(coins: readonly RegtestCoin[], to: readonly Uint8Array[], fee: bigint): Transaction {
  const value = (coins.reduce((sum, coin) => sum + coin.value, 0n) - fee) / BigInt(to.length);
  return parseTransaction(
    serializeTransaction({
      version: 2,
      inputs: coins.map(({ outpoint }) => ({
        previousOutput: outpoint,
        scriptSig: new Uint8Array(0),
        sequence: 0xfffffffd,
        witness: [Uint8Array.of(1, 2, 3)],
      })),
      outputs: to.map((scriptPubKey) => ({ value, scriptPubKey })),
      locktime: 0,
    }),
  );
}

function coinOf(tx: Transaction, vout: number): RegtestCoin {
  const output = tx.outputs[vout] ?? expect.unreachable("no such output");
  return { outpoint: { txid: tx.txid, vout }, ...output };
}

function coinsOf(tip: RegtestTip, script: Uint8Array): RegtestCoin[] {
  return tip.coins.filter(({ scriptPubKey }) => toHex(scriptPubKey) === toHex(script));
}

/** Responses of the node. */
const node = {
  response: (_method: string): unknown => expect.unreachable("the node is not asked"),
};

const upstream: Upstream = {
  call: async (method) => node.response(method),
  batch: () => expect.unreachable("no batch is needed"),
  totals: () => ({ bytesSent: 0, bytesReceived: 0, methodCalls: 0 }),
  close: async () => undefined,
};

const directory = mkdtempSync(join(tmpdir(), "nodewright-index-interface-"));
const chain = new RegtestChain();
const blocks: RegtestTip[] = [chain.genesis];
const fanOut = 60;

/** Number of outputs above the limit of one piece. */
const busyCount = 2_500;

// Block 1 pays Alice; block 2 moves that on to sixty outputs of Bob; block 3 creates the outputs of the busy script. The first blocks above
// block 11 are stale.
const first = chain.extend(chain.genesis, alice.script);
blocks.push(first);
const second = chain.extend(first, miner.script, [
  {
    coins: coinsOf(first, alice.script),
    outputs: Array.from({ length: fanOut }, () => ({ value: 50_000_000n, scriptPubKey: bob.script })),
  },
]);
blocks.push(second);
const third = chain.extend(second, miner.script, [
  {
    coins: coinsOf(second, miner.script),
    outputs: Array.from({ length: busyCount }, () => ({ value: 1_000n, scriptPubKey: busy.script })),
  },
]);
blocks.push(third);
for (let height = 4; height <= 11; height += 1) blocks.push(chain.extend(blocks[height - 1] ?? first, miner.script));
const fork = blocks[11] ?? first;
const staleTip = chain.extend(fork, carol.script, [
  { coins: coinsOf(fork, miner.script).slice(0, 1), outputs: [{ value: 4_000_000_000n, scriptPubKey: carol.script }] },
]);
const twelfth = chain.extend(fork, miner.script);
const tip = chain.extend(twelfth, miner.script);
blocks.push(twelfth, tip);

const hashes = blocks.map(({ hash }) => displayHash(hash));
const hashAt = (height: number): string => hashes[height] ?? "";
const staleHash = displayHash(staleTip.hash);
const staleBlock = parseBlock(staleTip.bytes);
const staleIds = staleBlock.transactions.map(({ txid }) => displayHash(txid));
const fanOutTx = parseBlock(second.bytes).transactions[1] ?? expect.unreachable("block 2 has two transactions");
const fanOutId = displayHash(fanOutTx.txid);
const coinbase1 = displayHash((parseBlock(first.bytes).transactions[0] ?? fanOutTx).txid);

// Bob pays Alice and himself with two of his outputs; Alice passes hers on to Carol.
const waiting1 = pay([coinOf(fanOutTx, 0), coinOf(fanOutTx, 1)], [alice.script, bob.script], 1_000n);
const waiting2 = pay([coinOf(waiting1, 0)], [carol.script], 5_000n);
const [waitingId1, waitingId2] = [displayHash(waiting1.txid), displayHash(waiting2.txid)];

let index: ChainIndexReader;
/** Index with addresses, and without a mempool. */
let searchedIndex: ChainIndexReader;
let mempool: TestMempool;
let registry: Registry;
let listener: FastifyInstance;
const keys = new Map<string, string>();

beforeAll(async () => {
  index = await createIndex("index", false);
  searchedIndex = await createIndex("searched", true);
  mempool = createTestMempool(join(directory, "mempool"), tip, [waiting1, waiting2]);
  registry = await openEmbeddedRegistry(join(directory, "registry"));
  await registry.putAccount({ id: "alice", name: "Alice" });
  for (const id of ["bitcoin-regtest", "bitcoin-open"]) {
    await registry.putNode({ id, chain: "bitcoin", network: "regtest", kind: "shared" });
    const subscription = await registry.createSubscription({ accountId: "alice", nodeId: id, plan: "default" });
    keys.set(id, (await registry.createKey({ subscriptionId: subscription.id, label: "test" })).key);
  }
  const shared = { chain: "bitcoin" as const, network, upstream, optional: {}, unavailable: () => undefined };
  const regtest = { ...shared, id: "bitcoin-regtest", queries: index, mempool: mempool.queries };
  const open = { ...shared, id: "bitcoin-open", queries: searchedIndex };
  const onInternalError = (error: unknown): void => {
    throw error;
  };
  listener = createPublicListener({
    registry,
    findNode: (id) =>
      id === open.id ? { ...open, offersBlockTemplates: true } : { ...regtest, offersBlockTemplates: false },
    status: () => "ok",
    onInternalError,
    routes: createInterfaceRoutes({ identity: { version: 310_000, protocolVersion: 70_016 }, onInternalError }),
  });
  await listener.ready();
});

afterAll(async () => {
  await listener?.close();
  await registry?.close();
  await mempool?.close();
  await index?.close();
  await searchedIndex?.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Creates an index that has seen the stale block first. */
async function createIndex(name: string, addressSearch: boolean): Promise<ChainIndexReader> {
  const path = join(directory, name);
  const store = await openEmbeddedStore(path, network, { addressSearch });
  const source = createArraySource(
    network,
    [...blocks.slice(0, 12), staleTip].map(({ bytes }) => bytes),
  );
  await runIndexer({ store, source });
  source.add(twelfth.bytes, tip.bytes);
  await runIndexer({ store, source });
  await store.close();
  return openChainIndex(path, { network });
}

type Method = "GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "OPTIONS";

interface Asking {
  /** Node ID. Absent: the one with a mempool. */
  readonly nodeId?: string;
  readonly method?: Method;
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: string | Buffer;
}

function ask(path: string, asking: Asking = {}): Promise<LightMyRequestResponse> {
  const { nodeId = "bitcoin-regtest", method = "GET", headers = {}, payload } = asking;
  return listener.inject({
    method,
    url: `/${nodeId}/indexer/rest${path}`,
    headers: { "x-api-key": keys.get(nodeId) ?? "", ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
}

function post(path: string, body: unknown): Promise<LightMyRequestResponse> {
  return ask(path, { method: "POST", payload: JSON.stringify(body), headers: { "content-type": "application/json" } });
}

/** Checks the form of every failure of Esplora's: a line of text that is not cached, and that pages may read. */
function expectFailure(response: LightMyRequestResponse, status: number, text: string): void {
  expect([response.statusCode, response.body]).toEqual([status, text]);
  expect(response.headers["content-type"]).toBe("text/plain");
  expect(response.headers).not.toHaveProperty("cache-control");
  expect(response.headers).not.toHaveProperty("etag");
  expect(response.headers["access-control-allow-origin"]).toBe("*");
}

describe("a wrong request", () => {
  const t = fanOutId;
  const b = hashAt(2);

  test.each<readonly [path: string, status: number, text: string]>([
    ...[
      "/tx/abc",
      `/tx/${t.slice(2)}`,
      `/tx/${"z".repeat(64)}`,
      "/tx/",
      "/block/abc",
      `/block/${b.slice(2)}`,
      "/block/",
    ].map((path) => [path, 400, "Invalid hex string"] as const),
    ...["/hex", "/raw", "/status", "/outspends", "/outspend/0", "/merkle-proof", "/merkleblock-proof"].map(
      (end) => [`/tx/abc${end}`, 400, "Invalid hex string"] as const,
    ),
    ...["/status", "/header", "/raw", "/txids", "/txs", "/txs/0", "/txid/0"].map(
      (end) => [`/block/abc${end}`, 400, "Invalid hex string"] as const,
    ),
    ...["", "/hex", "/raw", "/outspends"].map((end) => [`/tx/${zeros}${end}`, 404, "Transaction not found"] as const),
    ...["abc", "-1", "99999999999", "1e0", "1.0", "0x1", "%20", ""].map(
      (vout) => [`/tx/${t}/outspend/${vout}`, 400, "Invalid number"] as const,
    ),
    ...[zeros, waitingId1, staleIds[1]].flatMap((txid) =>
      ["merkle-proof", "merkleblock-proof"].map(
        (proof) => [`/tx/${txid}/${proof}`, 404, "Transaction not found or is unconfirmed"] as const,
      ),
    ),
    ...["", "/header", "/raw", "/txids", "/txs", "/txid/0"].map(
      (end) => [`/block/${zeros}${end}`, 404, "Block not found"] as const,
    ),
    [`/block/${b}/txs/1`, 400, "start index must be a multiple of 25"],
    [`/block/${b}/txs/100000`, 404, "start index out of range"],
    [`/block/${b}/txs/100001`, 404, "start index out of range"],
    ...["abc", "-1", "1e0", ""].map((position) => [`/block/${b}/txid/${position}`, 400, "Invalid number"] as const),
    [`/block/${b}/txid/100000`, 404, "tx index out of range"],
    ...["abc", "-1", "1e0", ""].map((height) => [`/block-height/${height}`, 400, "Invalid number"] as const),
    ["/block-height/99999999", 404, "Block not found"],
    ["/blocks/99999999", 404, "Block not found"],
    ...["abc", "", "bcrt1qqqqqq", `${alice.address}q`, "1BitcoinEaterAddressDontSendf59kuF", "a-b", "z".repeat(50)].map(
      (address) => [`/address/${address}`, 400, "base58 error"] as const,
    ),
    ...["a".repeat(51), "a".repeat(91), "0".repeat(500)].map(
      (address) => [`/address/${address}`, 400, "legacy address base58 string"] as const,
    ),
    ["/address/LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9", 400, "legacy address base58 prefix"],
    ["/address/ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9/utxo", 400, "tried to parse an unknown hrp"],
    ...["1BitcoinEaterAddressDontSendf59kuE", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"].flatMap((address) =>
      ["", "/txs", "/txs/chain", `/txs/chain/${zeros}`, "/txs/mempool", "/txs/summary", "/utxo"].map(
        (end) => [`/address/${address}${end}`, 400, "Address on invalid network"] as const,
      ),
    ),
    ...["abc", alice.scripthash.slice(2), "z".repeat(64), ""].map(
      (hash) => [`/scripthash/${hash}`, 400, "Invalid scripthash"] as const,
    ),
    ...["/txs", "/txs/chain", "/txs/mempool", "/txs/summary", "/utxo"].map(
      (end) => [`/scripthash/abc${end}`, 400, "Invalid scripthash"] as const,
    ),
    ["/address-prefix/", 400, "address search disabled"],
    ["/address-prefix/bcrt1", 400, "address search disabled"],
    ["/broadcast", 400, "Missing tx"],
    ["/block-template", 403, "mining REST endpoints are disabled"],
    ["/txs/outspends", 400, "No txids specified"],
    [`/txs/outspends?txids=${Array(51).fill(zeros).join(",")}`, 400, "Too many txids requested"],
    ...["0", "-1", "abc", "1e0", "100000"].map(
      (count) => [`/address/${alice.address}/txs?max_txs=${count}`, 400, "Invalid max_txs"] as const,
    ),
    ...["0", "10001", "x"].map((count) => [`/mempool/txids/page?max_txs=${count}`, 400, "Invalid max_txs"] as const),
    [`/address/${alice.address}/txs?after_txid=${zeros}`, 422, "after_txid not found"],
    [`/address/${alice.address}/txs?after_txid=garbage`, 422, "after_txid not found"],
    [`/address/${alice.address}/utxo?limit=0`, 400, "Invalid limit"],
    [`/address/${alice.address}/utxo?after=${zeros}`, 400, "Invalid after"],
    [`/address/${alice.address}/utxo?after=${zeros}:0`, 422, "after not found"],
    ...[
      "/",
      "/foo",
      "//blocks/tip/height",
      "/Blocks/tip/height",
      "/blocks%2Ftip%2Fheight",
      "/blocks/tip/",
      "/mempool/",
    ].map((path) => [path, 404, `endpoint does not exist ${JSON.stringify(path)}`] as const),
    ...[
      `/tx/${t}/`,
      `/tx/${t}/hex/`,
      `/block/${b}/`,
      `/address/${alice.address}/`,
      `/address/${alice.address}/utxo/`,
    ].map((path) => [path, 404, `endpoint does not exist ${JSON.stringify(path)}`] as const),
  ])("GET %s is answered %i %s", async (path, status, text) => {
    expectFailure(await ask(path), status, text);
    const head = await ask(path, { method: "HEAD" });
    expect([head.statusCode, head.body]).toEqual([status, ""]);
  });

  test.each(["PUT", "DELETE", "OPTIONS", "POST"] as const)(
    "of the method %s is told which there are",
    async (method) => {
      const response = await ask("/blocks", { method });
      expectFailure(response, 405, "The methods of this path are: GET, HEAD");
      expect(response.headers.allow).toBe("GET, HEAD");
      expectFailure(await ask("/foo", { method }), 404, `endpoint does not exist "/foo"`);
    },
  );

  test("gets JSON when it requests nothing else", async () => {
    const response = await ask("/tx/abc", { headers: { accept: "application/json" } });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({ error: { code: "invalid_input", message: "Invalid hex string" } });
  });

  test.each([
    ["/addresses/txs", Array(301).fill("a"), 422, "body too long"],
    ["/scripthashes/txs/summary", Array(301).fill("a"), 422, "body too long"],
    [`/addresses/txs?after_txid=${zeros}`, [alice.address], 422, "after_txid not found"],
    [`/addresses/txs/summary?after_txid=${waitingId1}`, [alice.address], 422, "after_txid not found"],
    ["/txs/package", Array(26).fill("00"), 400, "Exceeded maximum of 25 transactions"],
    ["/txs/package", ["00"], 400, "Invalid transaction size for item 0"],
    ["/txs/package", ["zz".repeat(100)], 400, "Invalid transaction hex for item 0"],
    ["/txs/package?maxfeerate=abc", [], 400, "Invalid maxfeerate"],
    ["/txs/package?maxburnamount=-1", [], 400, "Invalid maxburnamount"],
    ["/txs/test", Array(26).fill("00"), 400, "Exceeded maximum of 25 transactions"],
    ["/txs/test?maxfeerate=x", [], 400, "Invalid maxfeerate"],
  ])("POST %s is answered in the reference's words", async (path, body, status, text) => {
    expectFailure(await post(path, body), status, text);
  });
});

describe("a request that is taken leniently", () => {
  test.each(["/blocks/", "/blocks/abc", "/blocks/-1", "/blocks/tip", "/blocks/1e0", "/blocks/1.0"])(
    "%s lists the blocks from the tip",
    async (path) => {
      const response = await ask(path);
      expect(response.statusCode).toBe(200);
      expect(response.body).toBe((await ask("/blocks")).body);
    },
  );

  test.each(["", "abc", "-25", "1e0", "0"])("/block/:hash/txs/%s begins with the first", async (start) => {
    const path = `/block/${hashAt(2)}/txs`;
    expect((await ask(`${path}/${start}`)).body).toBe((await ask(path)).body);
  });

  test.each(["", "abc", "garbage".repeat(30)])("/address/:address/txs/chain/%s is the first page", async (cursor) => {
    const path = `/address/${bob.address}/txs/chain`;
    expect((await ask(`${path}/${cursor}`)).body).toBe((await ask(path)).body);
  });

  test("ids and hashes in upper case", async () => {
    expect((await ask(`/tx/${fanOutId.toUpperCase()}`)).json()).toMatchObject({ txid: fanOutId });
    expect((await ask(`/block/${hashAt(2).toUpperCase()}`)).json()).toMatchObject({ id: hashAt(2) });
    const upper = alice.address.toUpperCase();
    expect((await ask(`/address/${upper}`)).json()).toMatchObject({ address: upper, chain_stats: { tx_count: 2 } });
  });

  test.each([
    [`/tx/${zeros}/status`, { confirmed: false }],
    [`/tx/${zeros}/outspend/0`, { spent: false }],
    [`/tx/${fanOutId}/outspend/9999`, { spent: false }],
    [`/block/${zeros}/status`, noBlock],
    [`/address/${alice.address}/txs/chain/${zeros}`, []],
    [`/scripthash/${zeros}/txs`, []],
    [`/scripthash/${zeros}/utxo`, []],
    [`/txs/outspends?txids=${zeros},nonsense`, [[], []]],
  ])("%s is no failure", async (path, body) => {
    const response = await ask(path);
    expect([response.statusCode, response.json(), response.headers["cache-control"]]).toEqual([200, body, cacheShort]);
  });
});

describe("what a reorganisation has replaced", () => {
  test.each(["", "/header", "/raw", "/txs", "/txs/0"])("is not shown as /block/:hash%s", async (end) => {
    expectFailure(await ask(`/block/${staleHash}${end}`), 404, "Block not found");
  });

  test("keeps its status and its ids, for a short time each", async () => {
    for (const [end, body] of [
      ["/status", noBlock],
      ["/txids", staleIds],
    ] as const) {
      const response = await ask(`/block/${staleHash}${end}`);
      expect([response.json(), response.headers["cache-control"]]).toEqual([body, cacheShort]);
    }
    expect((await ask(`/block/${staleHash}/txid/1`)).body).toBe(staleIds[1]);
  });

  test("leaves its transactions known and unconfirmed", async () => {
    const txid = staleIds[1] ?? "";
    const response = await ask(`/tx/${txid}`);
    expect(response.json()).toMatchObject({
      txid,
      status: { confirmed: false },
      vin: [{ prevout: { value: 5_000_000_000 } }],
    });
    expect(response.headers["cache-control"]).toBe(cacheShort);
    expect((await ask(`/tx/${txid}/hex`)).body).toBe(toHex(staleBlock.transactions[1]?.bytes ?? new Uint8Array(0)));
    expect((await ask(`/tx/${txid}/status`)).json()).toEqual({ confirmed: false });
    expect((await ask(`/tx/${txid}/outspends`)).json()).toEqual([{ spent: false }]);
    expect((await ask(`/address/${carol.address}`)).json()).toMatchObject({ chain_stats: { tx_count: 0 } });
  });
});

describe("what waits for a block", () => {
  const unconfirmed = { confirmed: false };

  test("is shown whole", async () => {
    const response = await ask(`/tx/${waitingId2}`);
    expect(response.json()).toMatchObject({
      txid: waitingId2,
      fee: 5_000,
      status: unconfirmed,
      vin: [{ txid: waitingId1, vout: 0, prevout: { scriptpubkey_address: alice.address, value: 49_999_500 } }],
    });
    expect(response.headers["cache-control"]).toBe(cacheShort);
    expect((await ask(`/tx/${waitingId1}/hex`)).body).toBe(toHex(waiting1.bytes));
    expect((await ask(`/tx/${waitingId1}/raw`)).rawPayload.equals(waiting1.bytes)).toBe(true);
    expect((await ask(`/tx/${waitingId1}/status`)).json()).toEqual(unconfirmed);
  });

  test("spends outputs", async () => {
    const spend = { spent: true, txid: waitingId1, status: unconfirmed };
    const outspends = (await ask(`/tx/${fanOutId}/outspends`)).json() as unknown[];
    expect(outspends.slice(0, 3)).toEqual([{ ...spend, vin: 0 }, { ...spend, vin: 1 }, { spent: false }]);
    expect(outspends).toHaveLength(fanOut);
    expect((await ask(`/tx/${fanOutId}/outspend/1`)).json()).toEqual({ ...spend, vin: 1 });
    const own = [{ spent: true, txid: waitingId2, vin: 0, status: unconfirmed }, { spent: false }];
    expect((await ask(`/tx/${waitingId1}/outspends`)).json()).toEqual(own);
    expect((await ask(`/txs/outspends?txids=${waitingId1},${waitingId2}`)).json()).toEqual([own, [{ spent: false }]]);
  });

  test("counts next to what is confirmed", async () => {
    expect((await ask(`/address/${alice.address}`)).json()).toEqual({
      address: alice.address,
      chain_stats: {
        funded_txo_count: 1,
        funded_txo_sum: 5_000_000_000,
        spent_txo_count: 1,
        spent_txo_sum: 5_000_000_000,
        tx_count: 2,
      },
      mempool_stats: {
        funded_txo_count: 1,
        funded_txo_sum: 49_999_500,
        spent_txo_count: 1,
        spent_txo_sum: 49_999_500,
        tx_count: 2,
      },
    });
    expect((await ask(`/scripthash/${carol.scripthash}`)).json()).toMatchObject({
      chain_stats: { tx_count: 0 },
      mempool_stats: { funded_txo_count: 1, tx_count: 1 },
    });
  });

  const idsOf = (response: LightMyRequestResponse): string[] =>
    (response.json() as { txid: string }[]).map(({ txid }) => txid);
  const whole = [waitingId2, waitingId1, fanOutId, coinbase1];

  test("stands at the head of a history", async () => {
    for (const path of [`/address/${alice.address}`, `/scripthash/${alice.scripthash.toUpperCase()}`]) {
      expect(idsOf(await ask(`${path}/txs`))).toEqual(whole);
      expect(idsOf(await ask(`${path}/txs/mempool`))).toEqual(whole.slice(0, 2));
      expect(idsOf(await ask(`${path}/txs/chain`))).toEqual(whole.slice(2));
      expect(idsOf(await ask(`${path}/txs/chain/${fanOutId}`))).toEqual(whole.slice(3));
    }
  });

  test.each([1, 2, 3, 4, 200])("is paged through with the confirmed, %i at a time", async (count) => {
    for (const read of [
      (query: string) => ask(`/address/${alice.address}/txs?${query}`),
      (query: string) => post(`/addresses/txs?${query}`, [alice.address, alice.address, "nonsense"]),
      (query: string) => post(`/scripthashes/txs?${query}`, [alice.scripthash]),
    ]) {
      const seen: string[] = [];
      for (let page = await read(`max_txs=${count}`); ; ) {
        const ids = idsOf(page);
        expect(ids.length).toBeLessThanOrEqual(count);
        seen.push(...ids);
        if (ids.length === 0) break;
        page = await read(`max_txs=${count}&after_txid=${ids.at(-1)?.toUpperCase()}`);
      }
      expect(seen).toEqual(whole);
    }
  });

  test.each([1, 2, 3, 7, 25])("is paged through for several scripts, %i at a time", async (count) => {
    const scripts = [carol, bob, alice, miner].map(({ scripthash }) => scripthash);
    const all = (await post("/scripthashes/txs?max_txs=200", scripts)).json() as { txid: string; status: object }[];
    const heights = all.flatMap(({ status }) => ("block_height" in status ? [status.block_height] : []));
    // Both transactions of the mempool, the coinbases of blocks 1 to 13, and the two with many outputs.
    expect(all).toHaveLength(17);
    expect(new Set(all.map(({ txid }) => txid)).size).toBe(17);
    expect(heights).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 3, 2, 2, 1]);
    const seen: string[] = [];
    for (let after = ""; ; after = `&after_txid=${seen.at(-1)}`) {
      const ids = idsOf(await post(`/scripthashes/txs?max_txs=${count}${after}`, scripts));
      if (ids.length === 0) break;
      seen.push(...ids);
    }
    expect(seen).toEqual(all.map(({ txid }) => txid));
  });

  test("is left out of a history in short", async () => {
    const summary = [
      { txid: fanOutId, height: 2, value: -5_000_000_000, time: second.time },
      { txid: coinbase1, height: 1, value: 5_000_000_000, time: first.time },
    ];
    expect((await ask(`/address/${alice.address}/txs/summary`)).json()).toEqual(summary);
    expect((await ask(`/scripthash/${alice.scripthash}/txs/summary/${fanOutId}`)).json()).toEqual(summary.slice(1));
    expect((await ask(`/address/${alice.address}/txs/summary?max_txs=1`)).json()).toEqual(summary.slice(0, 1));
    const both = [alice.address, bob.address];
    const common = [{ ...summary[0], value: -5_000_000_000 + fanOut * 50_000_000 }, summary[1]];
    expect((await post("/addresses/txs/summary", both)).json()).toEqual(common);
    expect((await post(`/addresses/txs/summary?after_txid=${fanOutId}`, both)).json()).toEqual(common.slice(1));
  });

  test("takes from the unspent outputs and adds to them", async () => {
    const outputs = (await ask(`/address/${bob.address}/utxo`)).json() as {
      txid: string;
      vout: number;
      status: object;
    }[];
    const confirmed = Array.from({ length: fanOut - 2 }, (_, position) => `${fanOutId}:${position + 2}`);
    const names = [...confirmed, `${waitingId1}:1`];
    expect(outputs.map(({ txid, vout }) => `${txid}:${vout}`)).toEqual(names);
    expect(outputs.at(-1)).toEqual({ txid: waitingId1, vout: 1, status: unconfirmed, value: 49_999_500 });
    for (const limit of [1, 7, 57, 58, 59, 60]) {
      const seen: string[] = [];
      for (let after = ""; ; after = `&after=${seen.at(-1)}`) {
        const page = (await ask(`/scripthash/${bob.scripthash}/utxo?limit=${limit}${after}`)).json() as typeof outputs;
        expect(page.length).toBeLessThanOrEqual(limit);
        seen.push(...page.map(({ txid, vout }) => `${txid}:${vout}`));
        if (page.length < limit) break;
      }
      expect(seen).toEqual(names);
    }
    expect((await ask(`/address/${alice.address}/utxo`)).json()).toEqual([]);
  });

  test("is listed and summed up", async () => {
    const sorted = [waitingId1, waitingId2].sort();
    expect((await ask("/mempool/txids")).json()).toEqual(sorted);
    expect((await ask("/mempool/txids/page")).json()).toEqual(sorted);
    expect((await ask("/mempool/txids/page?max_txs=1")).json()).toEqual(sorted.slice(0, 1));
    expect((await ask(`/mempool/txids/page/${sorted[0]}`)).json()).toEqual(sorted.slice(1));
    const recent = await ask("/mempool/recent");
    expect(recent.json()).toEqual([
      { txid: waitingId2, fee: 5_000, vsize: waiting2.virtualSize, value: 49_999_500 },
      { txid: waitingId1, fee: 1_000, vsize: waiting1.virtualSize, value: 100_000_000 },
    ]);
    expect(recent.headers["cache-control"]).toBe("public, max-age=5");
    const vsize = waiting1.virtualSize + waiting2.virtualSize;
    expect((await ask("/mempool")).json()).toMatchObject({ count: 2, vsize, total_fee: 6_000 });
  });

  test("makes no fee estimate go missing", async () => {
    const estimates = (await ask("/fee-estimates")).json() as Record<string, number>;
    expect(Object.keys(estimates)).toHaveLength(28);
    const fees = (await ask("/v1/fees/recommended")).json() as Record<string, number>;
    expect(Object.keys(fees)).toEqual(["fastestFee", "halfHourFee", "hourFee", "economyFee", "minimumFee"]);
  });
});

test("a body is what its path says, whatever it is called", async () => {
  const payload = JSON.stringify([alice.address]);
  for (const contentType of [
    "application/x-www-form-urlencoded",
    "text/plain",
    "application/json; charset=utf-8",
    "x",
  ]) {
    const response = await ask("/addresses/txs", { method: "POST", payload, headers: { "content-type": contentType } });
    expect([response.statusCode, (response.json() as unknown[]).length]).toEqual([200, 4]);
  }
  for (const wrong of ["", "[", `{"a":1}`, "[1]"]) {
    expect((await ask("/addresses/txs", { method: "POST", payload: wrong })).statusCode).toBe(400);
  }
});

describe("how long a response may be kept", () => {
  const settled = hashAt(3);

  test.each<readonly [path: string, cacheControl: string]>([
    ["/block-height/3", cacheLong],
    ["/block-height/4", cacheShort],
    ...["", "/status", "/header", "/raw", "/txids", "/txid/0", "/txs", "/txs/0"].map(
      (end) => [`/block/${settled}${end}`, cacheLong] as const,
    ),
    ...["", "/status", "/header", "/raw", "/txids", "/txid/0", "/txs"].map(
      (end) => [`/block/${hashAt(4)}${end}`, cacheShort] as const,
    ),
    ...["", "/status", "/hex", "/raw", "/merkle-proof", "/merkleblock-proof"].map(
      (end) => [`/tx/${fanOutId}${end}`, cacheLong] as const,
    ),
    [`/tx/${coinbase1}/outspend/0`, cacheLong],
    [`/tx/${fanOutId}/outspend/0`, cacheShort],
    [`/tx/${coinbase1}/outspends`, cacheShort],
    ["/blocks/3", cacheShort],
    [`/address/${alice.address}`, cacheShort],
  ])("%s: %s", async (path, cacheControl) => {
    const response = await ask(path);
    expect([response.statusCode, response.headers["cache-control"]]).toEqual([200, cacheControl]);
  });
});

describe("every response to GET", () => {
  const a = `/address/${bob.address}`;
  const s = `/scripthash/${bob.scripthash}`;
  const paths = [
    ["/blocks/tip/hash", "text/plain"],
    ["/blocks/tip/height", "text/plain"],
    ["/blocks", "application/json"],
    ["/blocks/5", "application/json"],
    ["/block-height/2", "text/plain"],
    [`/block/${hashAt(2)}`, "application/json"],
    [`/block/${hashAt(2)}/status`, "application/json"],
    [`/block/${hashAt(2)}/header`, "text/plain"],
    [`/block/${hashAt(2)}/raw`, "application/octet-stream"],
    [`/block/${hashAt(2)}/txids`, "application/json"],
    [`/block/${hashAt(2)}/txid/1`, "text/plain"],
    [`/block/${hashAt(2)}/txs`, "application/json"],
    [`/tx/${fanOutId}`, "application/json"],
    [`/tx/${fanOutId}/status`, "application/json"],
    [`/tx/${fanOutId}/hex`, "text/plain"],
    [`/tx/${fanOutId}/raw`, "application/octet-stream"],
    [`/tx/${fanOutId}/merkle-proof`, "application/json"],
    [`/tx/${fanOutId}/merkleblock-proof`, "text/plain"],
    [`/tx/${fanOutId}/outspend/0`, "application/json"],
    [`/tx/${fanOutId}/outspends`, "application/json"],
    [`/txs/outspends?txids=${fanOutId}`, "application/json"],
    ...[a, s].flatMap((path) =>
      ["", "/txs", "/txs/chain", "/txs/mempool", "/txs/summary", "/utxo"].map(
        (end) => [path + end, "application/json"] as const,
      ),
    ),
    ["/mempool", "application/json"],
    ["/mempool/txids", "application/json"],
    ["/mempool/txids/page", "application/json"],
    ["/mempool/recent", "application/json"],
    ["/fee-estimates", "application/json"],
    ["/v1/fees/recommended", "application/json"],
  ] as const;

  test.each(paths)("%s has its headers, and the same without a body", async (path, contentType) => {
    const response = await ask(path);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      "content-type": contentType,
      "cache-control": expect.stringMatching(/^public, max-age=/),
      etag: expect.stringMatching(/^"[!#-~]+"$/),
      "access-control-allow-origin": "*",
      "access-control-expose-headers": expect.stringContaining("etag"),
      vary: "accept, accept-encoding, authorization, x-api-key",
    });
    const head = await ask(path, { method: "HEAD" });
    expect([head.statusCode, head.body]).toEqual([200, ""]);
    const { date: _date, ...headers } = response.headers;
    expect(head.headers).toMatchObject(headers);
  });

  test.each(paths)("%s is not sent again to who has it", async (path) => {
    const { headers } = await ask(path);
    for (const method of ["GET", "HEAD"] as const) {
      const again = await ask(path, { method, headers: { "if-none-match": `"other", W/${headers.etag}` } });
      expect([again.statusCode, again.body]).toEqual([304, ""]);
      expect(again.headers).toMatchObject({
        etag: headers.etag,
        "cache-control": headers["cache-control"],
        vary: headers.vary,
      });
      expect(again.headers).not.toHaveProperty("content-type");
    }
    expect((await ask(path, { headers: { "if-none-match": `"other"` } })).statusCode).toBe(200);
  });

  test("has a tag of its own", async () => {
    const tags = new Map<string, string>();
    for (const [path] of paths) {
      const { headers, body } = await ask(path);
      expect(tags.get(`${path} ${headers.etag}`) ?? body).toBe(body);
    }
    const tagOf = async (path: string) => (await ask(path)).headers.etag;
    expect(await tagOf(`/tx/${waitingId1}`)).not.toBe(await tagOf(`/tx/${waitingId2}`));
    expect(await tagOf(`/tx/${fanOutId}/outspend/0`)).not.toBe(await tagOf(`/tx/${fanOutId}/outspend/1`));
    expect(await tagOf(`/block/${hashAt(2)}/status`)).not.toBe(await tagOf(`/block/${staleHash}/status`));
  });
});

describe("a large answer", () => {
  const path = `/tx/${fanOutId}`;

  test.each([
    ["gzip", "gzip", gunzipSync],
    ["br", "gzip, deflate, br", brotliDecompressSync],
  ] as const)("is compressed with %s for who takes it", async (coding, accepted, decompress) => {
    const plain = await ask(path);
    const response = await ask(path, { headers: { "accept-encoding": accepted } });
    expect(response.headers["content-encoding"]).toBe(coding);
    expect(response.headers["content-length"]).toBe(String(response.rawPayload.length));
    expect(decompress(response.rawPayload).toString()).toBe(plain.body);
    expect(response.headers.etag).toBe(plain.headers.etag?.replace(/"$/, `-${coding}"`));
    const headers = { "accept-encoding": accepted, "if-none-match": response.headers.etag ?? "" };
    expect((await ask(path, { headers })).statusCode).toBe(304);
    expect((await ask(path, { headers: { "if-none-match": response.headers.etag ?? "" } })).statusCode).toBe(200);
  });

  test.each(["", "identity", "gzip;q=0", "zstd"])("is sent as it is to who takes %j", async (accepted) => {
    const response = await ask(path, { headers: { "accept-encoding": accepted } });
    expect(response.headers).not.toHaveProperty("content-encoding");
    expect(response.json()).toMatchObject({ txid: fanOutId });
  });

  test("is one of many bytes in text", async () => {
    const headers = { "accept-encoding": "gzip" };
    for (const small of [`/tx/${coinbase1}`, "/blocks/tip/hash", `/block/${hashAt(2)}/raw`, "/tx/abc"]) {
      expect((await ask(small, { headers })).headers).not.toHaveProperty("content-encoding");
    }
  });
});

describe("a long list of unspent outputs", () => {
  const path = `/address/${busy.address}/utxo`;
  const busyId = displayHash((parseBlock(third.bytes).transactions[1] ?? fanOutTx).txid);
  const names = Array.from({ length: busyCount }, (_, vout) => `${busyId}:${vout}`);
  const namesOf = (text: string): string[] =>
    (JSON.parse(text) as { txid: string; vout: number }[]).map(({ txid, vout }) => `${txid}:${vout}`);

  test("is never refused", async () => {
    const response = await ask(path);
    expect(response.headers).toMatchObject({ "content-type": "application/json", "transfer-encoding": "chunked" });
    expect(namesOf(response.body)).toEqual(names);
    expect((await ask(path, { method: "HEAD" })).body).toBe("");
  });

  test("is compressed on its way, and not sent again", async () => {
    const response = await ask(path, { headers: { "accept-encoding": "gzip" } });
    expect(response.headers["content-encoding"]).toBe("gzip");
    expect(namesOf(gunzipSync(response.rawPayload).toString())).toEqual(names);
    const headers = { "accept-encoding": "gzip", "if-none-match": String(response.headers.etag) };
    const again = await ask(path, { headers });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  });

  test.each([1_000, 1_001, 2_000, 2_499, 2_500, 2_501])("comes in pages of %i", async (limit) => {
    const seen: string[] = [];
    for (let after = ""; ; after = `&after=${seen.at(-1)}`) {
      const page = namesOf((await ask(`${path}?limit=${limit}${after}`)).body);
      seen.push(...page);
      if (page.length < limit) break;
    }
    expect(seen).toEqual(names);
  });
});

describe("a page of another origin", () => {
  test("may request everything without showing a key first", async () => {
    const response = await listener.inject({
      method: "OPTIONS",
      url: "/bitcoin-regtest/indexer/rest/addresses/txs",
      headers: { origin: "https://example.org", "access-control-request-method": "POST" },
    });
    expect([response.statusCode, response.body]).toEqual([204, ""]);
    expect(response.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD, POST",
      "access-control-allow-headers": "authorization, content-type, if-none-match, x-api-key",
      "access-control-max-age": "86400",
    });
  });

  test("may read why it was refused", async () => {
    const response = await ask("/blocks", { headers: { "x-api-key": "wrong", origin: "https://example.org" } });
    expect([response.statusCode, response.headers["access-control-allow-origin"]]).toEqual([401, "*"]);
  });
});

describe("what an operator switches on", () => {
  const nodeId = "bitcoin-open";
  const addresses = [alice, bob, busy, miner].map(({ address }) => address).sort();

  test("finds addresses of the best chain by how they begin", async () => {
    for (const prefix of ["", "b", "bcrt1q", ...addresses, ...addresses.map((address) => address.slice(0, 10))]) {
      const response = await ask(`/address-prefix/${prefix}`, { nodeId });
      expect(response.json()).toEqual(addresses.filter((address) => address.startsWith(prefix)));
      expect(response.headers["cache-control"]).toBe(cacheShort);
    }
    for (const prefix of ["zzz", "BCRT1", carol.address, "%20", "x".repeat(200)]) {
      const response = await ask(`/address-prefix/${prefix}`, { nodeId });
      expect([response.statusCode, response.json()]).toEqual([200, []]);
    }
  });

  test("shows the node's block template as it is, and its refusal", async () => {
    const template = {
      version: 536870912,
      previousblockhash: hashAt(13),
      transactions: [],
      height: 14,
      bits: "207fffff",
      curtime: tip.time,
      more: { of: "its own" },
    };
    node.response = () => template;
    const response = await ask("/block-template", { nodeId });
    expect([response.json(), response.headers["cache-control"]]).toEqual([template, "no-store"]);
    node.response = () => {
      throw new UpstreamRpcError(-9, "not connected");
    };
    const refusal = await ask("/block-template", { nodeId });
    expect([refusal.statusCode, refusal.json()]).toEqual([502, { error: { code: -9, message: "not connected" } }]);
    expect(refusal.headers["access-control-allow-origin"]).toBe("*");
  });
});

describe("an index without a mempool", () => {
  const nodeId = "bitcoin-open";

  test("says that nothing waits", async () => {
    for (const path of [
      "/mempool/txids",
      "/mempool/txids/page",
      "/mempool/recent",
      `/address/${bob.address}/txs/mempool`,
    ]) {
      expect((await ask(path, { nodeId })).json()).toEqual([]);
    }
    expect((await ask("/mempool", { nodeId })).json()).toEqual({ count: 0, vsize: 0, total_fee: 0, fee_histogram: [] });
    const estimates = Object.values((await ask("/fee-estimates", { nodeId })).json() as Record<string, number>);
    expect(estimates).toEqual(Array(28).fill(1));
    expect((await ask("/v1/fees/recommended", { nodeId })).json()).toEqual({
      fastestFee: 1,
      halfHourFee: 1,
      hourFee: 1,
      economyFee: 1,
      minimumFee: 1,
    });
    expect((await ask(`/tx/${waitingId1}`, { nodeId })).statusCode).toBe(404);
    expect((await ask(`/address/${bob.address}/utxo`, { nodeId })).json()).toHaveLength(fanOut);
  });
});

describe("what is handed to the node", () => {
  const hex = toHex(waiting1.bytes);

  function sends(payload: string | Buffer): Promise<LightMyRequestResponse> {
    return ask("/tx", { method: "POST", payload, headers: { "content-type": "text/plain" } });
  }

  test("comes back as its id", async () => {
    node.response = () => waitingId1;
    for (const response of [await sends(hex), await ask(`/broadcast?tx=${hex}`)]) {
      expect([response.statusCode, response.body, response.headers["cache-control"]]).toEqual([
        200,
        waitingId1,
        "public, max-age=0",
      ]);
      expect(response.headers["content-type"]).toBe("text/plain");
    }
  });

  test.each(["", "00", "zz"])("is refused in the node's words when it is %j", async (text) => {
    const refusal = "sendrawtransaction RPC error -22: TX decode failed. Make sure the tx has at least one input.";
    expectFailure(await sends(text), 400, refusal);
  });

  test("is refused when it is no text", async () => {
    expectFailure(await sends(Buffer.from([0xff, 0xfe])), 400, "The request body is not UTF-8");
  });

  test("is refused when it is mined already, or when the node refuses it", async () => {
    const mined = "sendrawtransaction RPC error -27: Transaction already in block chain";
    expectFailure(await sends(toHex(fanOutTx.bytes)), 400, mined);
    node.response = (method) => {
      throw new UpstreamRpcError(-26, `${method} says no`);
    };
    expectFailure(await sends(hex), 400, "sendrawtransaction RPC error -26: sendrawtransaction says no");
    expectFailure(await post("/txs/package", [hex]), 400, "submitpackage RPC error -26: submitpackage says no");
  });

  test("is answered as the node answers it when it is a package, or only tested", async () => {
    const result = { package_msg: "success", "tx-results": {} };
    node.response = () => result;
    expect((await post("/txs/package", [hex])).json()).toEqual(result);
    const tested = [{ txid: waitingId1, allowed: true, vsize: 100, fees: { base: 1e-7 } }];
    node.response = () => tested;
    expect((await post("/txs/test?maxfeerate=0.2", [hex])).json()).toMatchObject(tested);
    node.response = () => [{ txid: waitingId1, allowed: false, "reject-reason": "missing-inputs" }];
    expect((await post("/txs/test", [hex])).json()).toMatchObject([
      { allowed: false, "reject-reason": "missing-inputs" },
    ]);
    node.response = () => {
      throw new UpstreamRpcError(-8, "Array says no");
    };
    expectFailure(await post("/txs/test", [hex]), 400, "testmempoolaccept RPC error -8: Array says no");
  });

  test("is not implemented where the node does not have the method", async () => {
    node.response = () => {
      throw new UpstreamRpcError(-32601, "Method not found");
    };
    for (const path of ["/txs/package", "/txs/test"]) expect((await post(path, [hex])).statusCode).toBe(501);
  });
});
