import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ChainIndexReader,
  createArraySource,
  damagedBlocks,
  openChainIndex,
  openEmbeddedStore,
  runIndexer,
} from "@nodewright/bitcoin-indexer";
import { RegtestChain, type RegtestTip } from "@nodewright/bitcoin-indexer/testing";
import { displayHash, networks, parseBlock } from "@nodewright/bitcoin-primitives";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { problemOfBlocks } from "./node/index-state.ts";
import { createErrorReporter } from "./process/error-reporter.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPublicListener } from "./gate/public-listener.ts";
import { openEmbeddedRegistry } from "./registry/embedded-registry.ts";
import type { Registry } from "./registry/registry.ts";
import { createInterfaceRoutes } from "./routes.ts";

const network = networks.regtest;
const nodeId = "bitcoin-regtest";
const script = Uint8Array.of(0x51);

let directory: string;
let blockFile: string;
let index: ChainIndexReader;
let registry: Registry;
let listener: FastifyInstance;
let apiKey: string;
/** Lines that the operator received. */
let reported: string[];

/** Blocks deep enough that responses about the lower ones are settled. */
const tips: RegtestTip[] = [];
const chain = new RegtestChain();
for (let tip = chain.genesis; tips.length < 30; tip = chain.extend(tip, script)) tips.push(tip);

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "nodewright-damaged-index-"));
  const indexDirectory = join(directory, "index");
  blockFile = join(indexDirectory, "blocks", "blk00000.dat");
  const store = await openEmbeddedStore(indexDirectory, network);
  const blocks = tips.map(({ bytes }) => bytes);
  await runIndexer({ store, source: createArraySource(network, blocks) });
  await store.close();
  index = openChainIndex(indexDirectory, { network });
  registry = await openEmbeddedRegistry(join(directory, "registry"));
  await registry.putNode({ id: nodeId, chain: "bitcoin", network: "regtest", kind: "shared" });
  await registry.putAccount({ id: "alice", name: "Alice" });
  const { id: subscriptionId } = await registry.createSubscription({ accountId: "alice", nodeId, plan: "default" });
  await registry.setMethodAccess({ subscriptionId, interface: "rpc", method: "gettxout", state: "on", changedBy: "a" });
  apiKey = (await registry.createKey({ subscriptionId, label: "test" })).key;
  reported = [];
  const onInternalError = createErrorReporter((line) => reported.push(line));
  listener = createPublicListener({
    registry,
    findNode: () => ({
      id: nodeId,
      chain: "bitcoin" as const,
      network,
      queries: index,
      optional: index.optional,
      upstream: undefined,
      offersBlockTemplates: false,
      unavailable: () => undefined,
    }),
    routes: createInterfaceRoutes({ identity: { version: 310_000, protocolVersion: 70_016 }, onInternalError }),
    publicDocs: false,
    status: () => "ok",
    onInternalError,
  });
  await listener.ready();
});

afterEach(async () => {
  await listener.close();
  await index.close();
  await registry.close();
  rmSync(directory, { recursive: true });
});

function hashOf(height: number): string {
  return displayHash(tips[height]?.hash ?? new Uint8Array(32));
}

function txidAt(height: number): string {
  const [coinbase] = parseBlock(tips[height]?.bytes ?? new Uint8Array(0)).transactions;
  return displayHash(coinbase?.txid ?? new Uint8Array(32));
}

/** Changes one bit of the last byte of the block at a height, which belongs to its coinbase. */
function damageBlock(height: number): number {
  const bytes = readFileSync(blockFile);
  const block = Buffer.from(tips[height]?.bytes ?? new Uint8Array(0));
  const end = bytes.indexOf(block) + block.length;
  bytes[end - 1] = (bytes[end - 1] ?? 0) ^ 0x10;
  writeFileSync(blockFile, bytes);
  return end - (parseBlock(block).transactions[0]?.size ?? 0);
}

function get(path: string) {
  return listener.inject({ url: `/${nodeId}/indexer/rest/${path}?apikey=${apiKey}` });
}

function call(method: string, params: readonly unknown[]) {
  const payload = { jsonrpc: "2.0", id: "1", method, params };
  return listener.inject({ method: "POST", url: `/${nodeId}/?apikey=${apiKey}`, payload });
}

function expectRefusal(response: LightMyRequestResponse): void {
  expect(response.statusCode).toBe(503);
  expect(response.headers["cache-control"] ?? "").not.toContain("immutable");
  expect(response.headers["retry-after"]).toBe("60");
  expect(response.body).toContain("damaged");
  expect(response.body).not.toContain(directory);
  expect(reported).toEqual([expect.stringContaining(blockFile)]);
}

describe("a block of which a bit was changed", () => {
  it.each([
    ["tx/:txid/hex", (height: number) => `tx/${txidAt(height)}/hex`],
    ["tx/:txid/raw", (height: number) => `tx/${txidAt(height)}/raw`],
    ["tx/:txid", (height: number) => `tx/${txidAt(height)}`],
    ["block/:hash/raw", (height: number) => `block/${hashOf(height)}/raw`],
    ["block/:hash/txs", (height: number) => `block/${hashOf(height)}/txs`],
  ])("is refused by %s with 503, and the operator is told of the file", async (_name, pathAt) => {
    damageBlock(5);
    expectRefusal(await get(pathAt(5)));
    const sound = await get(pathAt(6));
    expect(sound.statusCode).toBe(200);
    expect(sound.headers["cache-control"]).toContain("immutable");
  });

  it.each([
    ["getrawtransaction", () => [txidAt(5), 0]],
    ["getrawtransaction", () => [txidAt(5), 1]],
    ["getblock", () => [hashOf(5), 0]],
    ["getblock", () => [hashOf(5), 2]],
    ["gettxout", () => [txidAt(5), 0]],
  ])("is refused by %s with 503", async (method, params) => {
    damageBlock(5);
    const response = await call(method, params());
    expectRefusal(response);
    expect(response.json()).toMatchObject({ result: null, error: { code: -32603 } });
  });

  it("is told of with its file and byte by the health of its node", async () => {
    const offset = damageBlock(5);
    await get(`tx/${txidAt(5)}/hex`);
    expect(damagedBlocks(join(directory, "index"))).toMatchObject([{ path: blockFile, offset }]);
    expect(problemOfBlocks(damagedBlocks(join(directory, "index")))).toContain(`${blockFile} from byte ${offset} on`);
  });
});

it("refuses what a cut block file no longer holds with 503", async () => {
  truncateSync(blockFile, 2_000);
  expectRefusal(await get(`tx/${txidAt(25)}/hex`));
  expect((await get(`tx/${txidAt(1)}/hex`)).statusCode).toBe(200);
});
