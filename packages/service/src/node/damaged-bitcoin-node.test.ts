import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BlockRepairOutcome, createArraySource, openEmbeddedStore, runIndexer } from "@nodewright/bitcoin-indexer";
import { blockFileOf, RegtestChain } from "@nodewright/bitcoin-indexer/testing";
import { networks } from "@nodewright/bitcoin-primitives";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type BitcoinNode, createBitcoinNode } from "./bitcoin-node.ts";
import type { IndexHealth } from "./node-health.ts";

const network = networks.regtest;
const switches = {
  addressSearch: false,
  blockFilters: false,
  blocksInPlace: false,
  blockTemplates: false,
  coinStatistics: false,
};
let directory: string;
let node: BitcoinNode | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "nodewright-damaged-node-"));
});

afterEach(async () => {
  await node?.stop();
  rmSync(directory, { recursive: true });
});

it("is created and started with a damaged index, refuses its requests, and names the file and the way out to its operator", async () => {
  const chain = new RegtestChain();
  const store = await openEmbeddedStore(directory, network);
  await runIndexer({ store, source: createArraySource(network, [chain.genesis.bytes]) });
  await store.close();
  writeFileSync(join(directory, "installed"), "");
  const file = join(directory, "index", "data.mdb");
  writeFileSync(file, Buffer.from(readFileSync(file)).fill("noise", 2 * 4_096));
  const events: unknown[] = [];
  node = createBitcoinNode({
    id: "bitcoin-regtest",
    network,
    directory,
    source: { kind: "block-files", path: directory },
    switches,
    onEvent: (event) => events.push(event),
    onRepair: () => undefined,
  });
  await node.start();
  expect(node.unavailable("rest")).toMatchObject({ code: "upstream_unavailable" });
  const reason = expect.stringMatching(/data\.mdb.*[Dd]elete .* to index anew/);
  expect(events).toContainEqual(expect.objectContaining({ state: "failed", reason }));
  expect(node.problem()).toEqual(reason);
  expect(await node.health()).toMatchObject({ isServed: false, problem: reason, index: { state: "failed", reason } });
  await expect(node.queries.tip()).rejects.toMatchObject({ name: "IndexerError" });
});

it("says that a damaged block is being read again, lists it at once, and lists and reports it when it is repaired", async () => {
  const chain = new RegtestChain();
  const blocks = [chain.genesis.bytes];
  for (let tip = chain.genesis; blocks.length < 5; blocks.push(tip.bytes)) tip = chain.extend(tip, Uint8Array.of(0x51));
  const source = join(directory, "source");
  mkdirSync(source);
  writeFileSync(join(source, "blk00000.dat"), blockFileOf(blocks, network));
  const index = join(directory, "index");
  const outcomes: BlockRepairOutcome[] = [];
  const ready = Promise.withResolvers<void>();
  const repaired = Promise.withResolvers<void>();
  node = createBitcoinNode({
    id: "bitcoin-regtest",
    network,
    directory: index,
    source: { kind: "block-files", path: source, follow: true },
    switches,
    onEvent: ({ state }) => void (state === "ready" && ready.resolve()),
    onRepair: (outcome) => {
      outcomes.push(outcome);
      repaired.resolve();
    },
  });
  await node.start();
  await ready.promise;
  expect((await node.health()).index).not.toHaveProperty("damagedBlocks");
  const path = join(index, "blocks", "blk00000.dat");
  const bytes = readFileSync(path);
  bytes[bytes.length - 1] = 0xff;
  writeFileSync(path, bytes);

  const tip = await node.queries.tip();
  await expect(node.queries.rawBlock(tip?.hash ?? "")).rejects.toThrow(
    `: it is being read from ${source}, and what comes of that is reported.`,
  );
  const damaged = { path, reason: expect.stringContaining("were changed") };
  expect(listed((await node.health()).index)).toMatchObject([damaged]);
  await repaired.promise;

  expect(outcomes).toMatchObject([damaged]);
  expect(outcomes[0]).not.toHaveProperty("problem");
  const health = await node.health();
  expect(health).not.toHaveProperty("problem");
  expect(health.index?.repairedBlocks).toMatchObject([{ ...damaged, repairedAt: expect.any(Number) }]);
  expect(health.index).not.toHaveProperty("damagedBlocks");
  expect(
    Buffer.from((await node.queries.rawBlock(tip?.hash ?? "")) ?? []).equals(Buffer.from(blocks.at(-1) ?? [])),
  ).toBe(true);
});

/** Returns the listed damage. The repair may be faster than the request for the health. */
function listed(health: IndexHealth | undefined): unknown {
  return health?.damagedBlocks ?? health?.repairedBlocks;
}
