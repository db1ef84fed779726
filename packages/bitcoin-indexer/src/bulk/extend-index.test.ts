import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { displayHash, networks, parseBlockHeader, toHex } from "@nodewright/bitcoin-primitives";
import { createHttpUpstream } from "@nodewright/upstream";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { IndexerEvent } from "../sync/indexer-event.ts";
import { runIndexer } from "../sync/run-indexer.ts";
import { createArraySource } from "../source/array-source.ts";
import { createBlockFileSource } from "../source/block-file-source.ts";
import type { BlockSource } from "../source/block-source.ts";
import { createNodeSource } from "../source/node-source.ts";
import { type EmbeddedStoreOptions, openEmbeddedStore } from "../engine/embedded-store.ts";
import { blockFileOf } from "../testing/block-file.ts";
import { compareIndexes } from "../testing/compare-indexes.ts";
import { longChain } from "../testing/long-chain.ts";
import { mineRegtestBlock } from "../testing/regtest-block.ts";
import { type BlockChoices, repeatingChain, repeatingScripts } from "../testing/repeating-chain.ts";
import { StubNode, tipsOf } from "../testing/stub-node.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import type { BulkLimits } from "./bulk-target.ts";

const network = networks.regtest;

/** Limits with which any possible extension is made in bulk. */
const inBulk: Partial<BulkLimits> = { minimumBytes: 0, segmentBytes: 15_000, batchBytes: 1_000, threads: 0 };
const blockByBlock: Partial<BulkLimits> = { minimumBytes: Number.POSITIVE_INFINITY };

/** Limits with which few blocks are a round. */
const batchLimits = { blocks: 10, items: 12, bytes: 2_000 };

const blockChoices: fc.Arbitrary<BlockChoices> = fc.record({
  coinbase: fc.nat(2),
  script: fc.constant(0),
  payments: fc.array(
    fc.record({
      coins: fc.array(fc.nat(1_000), { minLength: 1, maxLength: 4 }),
      scripts: fc.array(fc.nat(repeatingScripts.length - 1), { minLength: 1, maxLength: 5 }),
      hasWitness: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
});

interface IndexingOptions extends EmbeddedStoreOptions {
  readonly bulkLimits: Partial<BulkLimits>;
  readonly ends?: (event: IndexerEvent) => boolean;
  /** Controller that ends it, too. */
  readonly stopping?: AbortController;
}

/** Indexes until `ends` returns true for an event: by default when everything is indexed. Returns all events. */
async function index(
  directory: string,
  source: BlockSource,
  { bulkLimits, ends, stopping = new AbortController(), ...storeOptions }: IndexingOptions,
): Promise<readonly IndexerEvent[]> {
  const store = await openEmbeddedStore(directory, network, storeOptions);
  const events: IndexerEvent[] = [];
  const onEvent = (event: IndexerEvent): void => {
    events.push(event);
    if (ends?.(event) ?? event.state === "ready") stopping.abort();
  };
  try {
    await runIndexer({ store, source, bulkLimits, batchLimits, onEvent, signal: stopping.signal });
  } finally {
    await source.close();
    await store.close();
  }
  return events;
}

function filesOf(directory: string, blocks: readonly Uint8Array[]): BlockSource {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "blk00000.dat"), blockFileOf(blocks, network));
  return createBlockFileSource(directory, network);
}

/** Returns the differences from an index of these blocks that grew block by block. */
async function differences(
  directory: string,
  blocks: readonly Uint8Array[],
  options: EmbeddedStoreOptions = {},
): Promise<readonly string[]> {
  const grown = `${directory}.grown`;
  await index(grown, createArraySource(network, blocks), { ...options, bulkLimits: blockByBlock });
  return await compareIndexes(directory, grown);
}

it("extends an index by the rows of one that grew block by block, in rounds of any size", async () => {
  await withTemporaryDirectory(async (directory) => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(blockChoices, { minLength: 5, maxLength: 40 }),
        fc.nat(),
        fc.boolean(),
        fc.boolean(),
        async (choices, part, addressSearch, blocksInPlace) => {
          run += 1;
          const place = join(directory, String(run));
          const path = join(place, "index");
          const options = { addressSearch, blocksInPlace };
          const blocks = repeatingChain(choices);
          const first = blocks.slice(0, 1 + (part % (blocks.length - 1)));
          await index(path, filesOf(join(place, "files"), first), { ...options, bulkLimits: blockByBlock });
          await index(path, filesOf(join(place, "files"), blocks), { ...options, bulkLimits: inBulk });
          expect(await differences(path, blocks, options)).toEqual([]);
        },
      ),
      { numRuns: 25, endOnFailure: true, interruptAfterTimeLimit: 40_000 },
    );
  });
});

const chain = longChain(120);
const half = chain.slice(0, 60);

interface HalfIndexed {
  readonly path: string;
  readonly node: StubNode;
  /** Extends the index from the node. */
  extend(ends?: (event: IndexerEvent) => boolean, stopping?: AbortController): Promise<readonly IndexerEvent[]>;
}

/** Runs `action` with an index of half of a chain, and a node that serves all of it. */
async function withHalf(action: (indexed: HalfIndexed) => Promise<void>): Promise<void> {
  const node = new StubNode(tipsOf(chain));
  await node.start();
  try {
    await withTemporaryDirectory(async (directory) => {
      const path = join(directory, "index");
      await index(path, createArraySource(network, half), { bulkLimits: blockByBlock });
      const extend: HalfIndexed["extend"] = (ends, stopping) => {
        const source = createNodeSource(createHttpUpstream({ url: node.url }), network, { pollMilliseconds: 10 });
        const options = { ...(ends === undefined ? {} : { ends }), ...(stopping === undefined ? {} : { stopping }) };
        return index(path, source, { bulkLimits: inBulk, ...options });
      };
      await action({ path, node, extend });
    });
  } finally {
    await node.stop();
  }
}

it("extends an index from a node", async () => {
  await withHalf(async ({ path, extend }) => {
    const events = await extend();
    expect(events.at(-1)).toMatchObject({ state: "stopped", height: 120 });
    expect(await differences(path, chain)).toEqual([]);
  });
});

it("keeps what was committed when the node goes away, and goes on when it is there again", async () => {
  await withHalf(async ({ path, node, extend }) => {
    node.lie = (method, [hash]) => {
      if (method === "getblock" && hash === hashOf(115)) node.fault = (response) => response.destroy();
      return undefined;
    };
    const events = await extend(({ state }) => state === "stalled");
    const height = events.at(-1)?.height ?? 0;
    expect(height).toBeGreaterThan(80);
    expect(await differences(path, chain.slice(0, height + 1))).toEqual([]);
    node.lie = () => undefined;
    node.fault = undefined;
    await extend();
    expect(await compareIndexes(path, await grownOf(`${path}.whole`, chain))).toEqual([]);
  });
});

it("ends below a bad block, and says what is wrong with it", async () => {
  await withHalf(async ({ path, node, extend }) => {
    const damaged = Buffer.from(chain[100] ?? noBytes);
    damaged.writeUInt8(damaged.readUInt8(damaged.length - 5) ^ 1, damaged.length - 5);
    node.lie = (method, [hash]) => (method === "getblock" && hash === hashOf(100) ? toHex(damaged) : undefined);
    const events = await extend(({ state, height }) => state !== "indexing" && height === 99);
    expect(events.find(({ height, reason }) => height === 99 && reason !== undefined)?.reason).toContain("100");
    expect(await differences(path, chain.slice(0, 100))).toEqual([]);
  });
});

it("retries for a block that came damaged once", async () => {
  await withHalf(async ({ path, node, extend }) => {
    let lies = 1;
    const damaged = Buffer.from(chain[100] ?? noBytes);
    damaged.writeUInt8(damaged.readUInt8(damaged.length - 5) ^ 1, damaged.length - 5);
    node.lie = (method, [hash]) => {
      if (method !== "getblock" || hash !== hashOf(100) || lies === 0) return undefined;
      lies -= 1;
      return toHex(damaged);
    };
    const events = await extend(({ state, height }) => state === "ready" && height === 120);
    expect(events.filter(({ state }) => state === "stalled")).toHaveLength(1);
    expect(await differences(path, chain)).toEqual([]);
  });
});

it.each([70, 119])("comes to the best chain when the node reorganises down to %i meanwhile", async (fork) => {
  await withHalf(async ({ path, node, extend }) => {
    const other = [...chain.slice(0, fork + 1)];
    while (other.length < 140) other.push(mineOn(other));
    const known = new Map([...chain, ...other].map((bytes) => [hashOfBlock(bytes), toHex(bytes)]));
    let asked = 0;
    node.lie = (method, [hash]) => {
      if (method !== "getblock") return undefined;
      asked += 1;
      if (asked === 40) node.chain = tipsOf(other);
      return known.get(String(hash));
    };
    await extend(({ state, height }) => state === "ready" && height === 139);
    expect(await differences(path, other)).toEqual([]);
  });
});

it("stops within a round, which is then left, and goes on", async () => {
  await withHalf(async ({ path, node, extend }) => {
    const stopping = new AbortController();
    node.lie = (method, [hash]) => {
      if (method === "getblock" && hash === hashOf(115)) stopping.abort();
      return undefined;
    };
    const events = await extend(undefined, stopping);
    const height = events.at(-1)?.height ?? 0;
    expect(height).toBeLessThan(120);
    expect(await differences(path, chain.slice(0, height + 1))).toEqual([]);
    await extend();
    expect(await compareIndexes(path, await grownOf(`${path}.whole`, chain))).toEqual([]);
  });
});

it("takes blocks up again that were on the best chain before", async () => {
  await withTemporaryDirectory(async (directory) => {
    const path = join(directory, "index");
    const other = [...half.slice(0, 50)];
    while (other.length < 75) other.push(mineOn(other));
    await index(path, createArraySource(network, half), { bulkLimits: blockByBlock });
    await index(path, createArraySource(network, [...half, ...other]), { bulkLimits: blockByBlock });
    // First back onto the stale half, on which the complete chain then builds.
    await index(path, filesOf(join(directory, "files"), [...other, ...chain.slice(1)]), { bulkLimits: inBulk });
    expect(await differences(path, chain)).toEqual([]);
  });
});

async function grownOf(path: string, blocks: readonly Uint8Array[]): Promise<string> {
  await index(path, createArraySource(network, blocks), { bulkLimits: blockByBlock });
  return path;
}

const noBytes = new Uint8Array(0);

function hashOfBlock(bytes: Uint8Array): string {
  return displayHash(parseBlockHeader(bytes.subarray(0, 80)).hash);
}

function hashOf(height: number): string {
  return hashOfBlock(chain[height] ?? noBytes);
}

function mineOn(blocks: readonly Uint8Array[]): Uint8Array {
  const { hash, time } = parseBlockHeader((blocks.at(-1) ?? noBytes).subarray(0, 80));
  return mineRegtestBlock({
    previousHash: hash,
    height: blocks.length,
    time: time + 600,
    scriptPubKey: Uint8Array.of(0x51),
    transactions: [],
  });
}
