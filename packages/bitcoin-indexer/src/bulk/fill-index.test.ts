import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  displayHash,
  type Network,
  networks,
  parseBlock,
  type TransactionContent,
} from "@nodewright/bitcoin-primitives";
import fc from "fast-check";
import { expect, it } from "vitest";
import { openChainIndex } from "../chain-index-reader.ts";
import { isIndexerError } from "../basics/indexer-error.ts";
import { runIndexer } from "../sync/run-indexer.ts";
import { createArraySource } from "../source/array-source.ts";
import { createBlockFileSource } from "../source/block-file-source.ts";
import { type EmbeddedStoreOptions, openEmbeddedStore } from "../engine/embedded-store.ts";
import { blockFileOf } from "../testing/block-file.ts";
import { compareIndexes } from "../testing/compare-indexes.ts";
import { mineRegtestBlock } from "../testing/regtest-block.ts";
import {
  type BlockChoices,
  type Coin,
  repeatingChain,
  repeatingScripts,
  transactionOf,
} from "../testing/repeating-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import type { BulkLimits } from "./bulk-target.ts";
import { fillIndex } from "./fill-index.ts";

const network: Network = networks.regtest;

/** Limits so small that a short chain has segments, spills, several runs and several merges. */
const tinyLimits: BulkLimits = {
  minimumBytes: 0,
  segmentBytes: 3_000,
  unspentWords: 200,
  sorterWords: 400,
  rowsPerTransaction: 7,
  runsPerMerge: 2,
  batchBytes: 1_000,
  threads: 0,
};

const noScript = new Uint8Array(0);

/** Content of a block. Coinbases are identical where their choices are, as before BIP 34, and so may be transactions that spend them. */
const blockChoices: fc.Arbitrary<BlockChoices> = fc.record({
  coinbase: fc.nat(2),
  script: fc.constant(0),
  payments: fc.array(
    fc.record({
      coins: fc.array(fc.nat(1_000), { minLength: 1, maxLength: 4 }),
      scripts: fc.array(fc.nat(repeatingScripts.length - 1), { minLength: 1, maxLength: 5 }),
      hasWitness: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    }),
    { maxLength: 3 },
  ),
});

/** Writes block files, and returns their path. */
function writeBlocks(directory: string, files: readonly (readonly Uint8Array[])[]): string {
  const path = join(directory, "source");
  mkdirSync(path, { recursive: true });
  for (const [index, blocks] of files.entries()) {
    writeFileSync(join(path, `blk${String(index).padStart(5, "0")}.dat`), blockFileOf(blocks, network));
  }
  return path;
}

interface IndexingOptions extends EmbeddedStoreOptions {
  readonly limits?: Partial<BulkLimits>;
}

/** Indexes completely; returns the failure. */
async function index(directory: string, path: string, options: IndexingOptions = {}): Promise<unknown> {
  const store = await openEmbeddedStore(directory, network, options);
  const source = createBlockFileSource(path, network);
  try {
    await runIndexer({ store, source, bulkLimits: options.limits });
    return undefined;
  } catch (reason) {
    return reason;
  } finally {
    await source.close();
    await store.close();
  }
}

const blockByBlock: Partial<BulkLimits> = { minimumBytes: Number.POSITIVE_INFINITY };

/** Fills an index until `batches` batches are joined, and then fails. */
async function fillPartly(directory: string, path: string, batches: number): Promise<void> {
  const store = await openEmbeddedStore(directory, network);
  const source = createBlockFileSource(path, network);
  const signal = new AbortController().signal;
  let left = batches;
  try {
    await source.chain({ height: -1, hashAt: async () => undefined }, signal);
    const { bulk: target } = store;
    const chain = source.inFiles?.();
    if (target === undefined || chain === undefined) return;
    const onAdvance = (): void => {
      left -= 1;
      if (left < 0) throw new Error("enough");
    };
    await fillIndex({ target, chain, signal, limits: tinyLimits, onAdvance });
  } catch (reason) {
    if (!(reason instanceof Error && reason.message === "enough")) throw reason;
  } finally {
    await source.close();
    await store.close();
  }
}

it("holds exactly the rows of an index that grew block by block, however often it was interrupted", async () => {
  await withTemporaryDirectory(async (directory) => {
    let run = 0;
    const chains = fc.array(blockChoices, { minLength: 5, maxLength: 40 });
    const interruptions = fc.array(fc.nat(12), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(chains, interruptions, fc.boolean(), async (choices, batches, addressSearch) => {
        run += 1;
        const place = join(directory, String(run));
        const blocks = repeatingChain(choices);
        // Files in the wrong order, one of them ending in a branch that lost.
        const stale = repeatingChain(choices.slice(0, 3)).slice(2);
        const path = writeBlocks(place, [blocks.slice(4), [...blocks.slice(0, 4), ...stale]]);
        const options = { addressSearch, limits: tinyLimits };
        const [bulk, grown] = [join(place, "bulk"), join(place, "grown")];
        if (!addressSearch) for (const count of batches) await fillPartly(bulk, path, count);
        expect(await index(bulk, path, options)).toBeUndefined();
        expect(await index(grown, path, { addressSearch, limits: blockByBlock })).toBeUndefined();
        expect(await compareIndexes(bulk, grown)).toEqual([]);
        expect(readdirSync(bulk)).not.toContain("bulk");
      }),
      { numRuns: 25, endOnFailure: true, interruptAfterTimeLimit: 40_000 },
    );
  });
});

it("ends below a bad block with the rows, the words and the byte of an index that grew block by block", async () => {
  await withTemporaryDirectory(async (directory) => {
    let run = 0;
    const chains = fc.array(blockChoices, { minLength: 3, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        chains,
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (choices, which, at, mask) => {
          run += 1;
          const place = join(directory, String(run));
          const blocks = repeatingChain(choices).map((block) => Buffer.from(block));
          const block = blocks[which % blocks.length] ?? Buffer.alloc(1);
          // After the header: with another header it would be on no chain.
          const offset = 80 + (at % (block.length - 80));
          block[offset] = (block[offset] ?? 0) ^ mask;
          const path = writeBlocks(place, [blocks]);
          const [bulk, grown] = [join(place, "bulk"), join(place, "grown")];
          const reason = await index(bulk, path, { limits: tinyLimits });
          const expected = await index(grown, path, { limits: blockByBlock });
          expect(isIndexerError(reason) && { ...reason, message: reason.message }).toEqual(
            isIndexerError(expected) && { ...expected, message: expected.message },
          );
          expect(await compareIndexes(bulk, grown)).toEqual([]);
        },
      ),
      { numRuns: 25, interruptAfterTimeLimit: 30_000 },
    );
  });
});

/** Returns a chain with a generated block on top. */
function chainWith(transactions: (blocks: readonly Uint8Array[]) => readonly TransactionContent[]): Uint8Array[] {
  const blocks = repeatingChain(
    Array.from({ length: 12 }, (_, height) => ({ coinbase: height, script: 0, payments: [] })),
  );
  const previousHash = parseBlock(blocks.at(-1) ?? noScript).header.hash;
  const content = { previousHash, height: 99, time: 1_400_000_000, scriptPubKey: repeatingScripts[1] ?? noScript };
  return [...blocks, mineRegtestBlock({ ...content, transactions: transactions(blocks) })];
}

function coinbaseCoin(block: Uint8Array | undefined): Coin {
  const [coinbase] = parseBlock(block ?? noScript).transactions;
  return { txid: Uint8Array.from(coinbase?.txid ?? noScript), vout: 0, value: coinbase?.outputs[0]?.value ?? 0n };
}

const badSpends: readonly {
  readonly name: string;
  readonly reason: string;
  readonly transactions: (blocks: readonly Uint8Array[]) => readonly TransactionContent[];
}[] = [
  {
    name: "spends an output twice",
    reason: "a transaction spends an output that does not exist or is spent",
    transactions: (blocks) => {
      const coin = coinbaseCoin(blocks[3]);
      return [transactionOf([coin], [0], false), transactionOf([coin], [1], false)];
    },
  },
  {
    name: "spends an output that its transaction does not have",
    reason: "a transaction spends an output that does not exist or is spent",
    transactions: (blocks) => [transactionOf([{ ...coinbaseCoin(blocks[3]), vout: 0x1000000 }], [0], false)],
  },
  {
    name: "pays more than it spends",
    reason: "a transaction pays more than it spends",
    transactions: (blocks) => [transactionOf([{ ...coinbaseCoin(blocks[3]), value: 20_000_000_000n }], [0], false)],
  },
];

it.each(badSpends)("tells of a block that $name", async ({ reason, transactions }) => {
  await withTemporaryDirectory(async (directory) => {
    const blocks = chainWith(transactions);
    const path = writeBlocks(directory, [blocks]);
    const [bulk, grown] = [join(directory, "bulk"), join(directory, "grown")];
    const found = await index(bulk, path, { limits: { ...tinyLimits, unspentWords: 10 } });
    expect(found).toMatchObject({ code: "bad-block", message: expect.stringContaining(`${reason}.`) });
    expect(found).toMatchObject({ message: expect.stringContaining("in block 13 of regtest") });
    await index(grown, path, { limits: blockByBlock });
    expect(await compareIndexes(bulk, grown)).toEqual([]);
  });
});

it("gives blocks back from copies of its own and from where the node keeps them", async () => {
  await withTemporaryDirectory(async (directory) => {
    const blocks = chainWith((below) => [transactionOf([coinbaseCoin(below[1])], [0, 1, 2, 4], true)]);
    const path = writeBlocks(directory, [blocks.slice(0, 5), blocks.slice(5)]);
    for (const blocksInPlace of [false, true]) {
      const place = join(directory, String(blocksInPlace));
      expect(await index(place, path, { blocksInPlace, limits: { ...tinyLimits, threads: 2 } })).toBeUndefined();
      const copied = readdirSync(join(place, "blocks"));
      expect(copied).toEqual(blocksInPlace ? [] : ["blk00000.dat"]);
      const reader = openChainIndex(place, { network });
      for (const block of blocks) {
        const hash = displayHash(parseBlock(block).header.hash);
        expect(Buffer.from((await reader.rawBlock(hash)) ?? noScript).equals(block)).toBe(true);
      }
      await reader.close();
    }
  });
});

it("is seen by readers when it is whole, and grows block by block from there", async () => {
  await withTemporaryDirectory(async (directory) => {
    const blocks = chainWith(() => []);
    const place = join(directory, "index");
    const reader = openChainIndex(place, { network });
    const store = await openEmbeddedStore(place, network);
    const source = createBlockFileSource(writeBlocks(directory, [blocks.slice(0, 11)]), network);
    const seen: (number | undefined)[] = [];
    const heights: number[] = [];
    await source.chain({ height: -1, hashAt: async () => undefined }, new AbortController().signal);
    const { bulk: target } = store;
    const chain = source.inFiles?.();
    if (target === undefined || chain === undefined) throw new Error("Nothing to fill");
    const asked: Promise<unknown>[] = [];
    await fillIndex({
      target,
      chain,
      signal: new AbortController().signal,
      limits: tinyLimits,
      onAdvance: ({ height }) => {
        heights.push(height);
        asked.push(reader.tip().then((tip) => seen.push(tip?.height)));
      },
    });
    await Promise.all(asked);
    expect(heights.at(-1)).toBe(10);
    expect(heights.length).toBeGreaterThan(1);
    expect(new Set(seen)).toEqual(new Set([undefined]));
    expect((await reader.tip())?.height).toBe(10);
    await source.close();
    await runIndexer({ store, source: createArraySource(network, blocks) });
    expect((await reader.tip())?.height).toBe(13);
    await reader.close();
    await store.close();
    const grown = join(directory, "grown");
    await index(grown, writeBlocks(directory, [blocks]), { limits: blockByBlock });
    expect(await compareIndexes(place, grown)).toEqual([]);
  });
});

it("cuts the history of a busy script into the rows of an index that grew block by block", async () => {
  await withTemporaryDirectory(async (directory) => {
    const choices = Array.from({ length: 300 }, (_, coinbase) => ({ coinbase, script: 0, payments: [] }));
    const path = writeBlocks(directory, [repeatingChain(choices)]);
    const [bulk, grown] = [join(directory, "bulk"), join(directory, "grown")];
    expect(await index(bulk, path, { limits: { ...tinyLimits, segmentBytes: 40_000 } })).toBeUndefined();
    expect(await index(grown, path, { limits: blockByBlock })).toBeUndefined();
    expect(await compareIndexes(bulk, grown)).toEqual([]);
  });
});

it("begins anew where the files hold another chain than the one that was begun", async () => {
  await withTemporaryDirectory(async (directory) => {
    const place = join(directory, "index");
    const choices = Array.from({ length: 60 }, (_, height) => ({ coinbase: height, script: 0, payments: [] }));
    await fillPartly(place, writeBlocks(directory, [repeatingChain(choices)]), 8);
    expect(readdirSync(place)).toContain("bulk");
    const other = writeBlocks(directory, [repeatingChain(choices.map((choice) => ({ ...choice, script: 1 })))]);
    expect(await index(place, other, { limits: tinyLimits })).toBeUndefined();
    const grown = join(directory, "grown");
    await index(grown, other, { limits: blockByBlock });
    expect(await compareIndexes(place, grown)).toEqual([]);
  });
});

it("is given up where blocks come from elsewhere than files", async () => {
  await withTemporaryDirectory(async (directory) => {
    const place = join(directory, "index");
    const blocks = repeatingChain(
      Array.from({ length: 60 }, (_, height) => ({ coinbase: height, script: 0, payments: [] })),
    );
    const path = writeBlocks(directory, [blocks]);
    await fillPartly(place, path, 8);
    expect(readdirSync(place)).toContain("bulk");
    const store = await openEmbeddedStore(place, network);
    await runIndexer({ store, source: createArraySource(network, blocks) });
    await store.close();
    const grown = join(directory, "grown");
    await index(grown, path, { limits: blockByBlock });
    expect(await compareIndexes(place, grown)).toEqual([]);
    expect(readdirSync(place)).not.toContain("bulk");
  });
});
