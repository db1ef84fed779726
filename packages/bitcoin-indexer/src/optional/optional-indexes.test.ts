import { createCipheriv } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Block,
  basicBlockFilter,
  blockFilterHeader,
  blockSubsidy,
  displayHash,
  isUnspendable,
  type Network,
  networks,
  parseBlock,
  sha256,
  toHex,
} from "@nodewright/bitcoin-primitives";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChainIndexReader, openChainIndex } from "../chain-index-reader.ts";
import { runIndexer } from "../sync/run-indexer.ts";
import { createArraySource } from "../source/array-source.ts";
import { createBlockFileSource } from "../source/block-file-source.ts";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { applyBlocks } from "../testing/apply-blocks.ts";
import { buildOptionalIndexes } from "../testing/build-optional-indexes.ts";
import { optionalRowsOf } from "../testing/compare-optional-indexes.ts";
import { demoBlockFile } from "../testing/demo-chain.ts";
import { repeatingChain, repeatingScripts } from "../testing/repeating-chain.ts";
import type { RegtestTip } from "../testing/regtest-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { buildClean, createRandom, WalkingChain } from "../testing/walking-chain.ts";
import type { CoinStatisticsRow } from "./coin-statistics.ts";
import type { OptionalBatchLimits } from "./optional-writer.ts";

const { mainnet, regtest } = networks;
const both = { blockFilters: true, coinStatistics: true };

interface PlainCoin {
  readonly txid: Uint8Array;
  readonly vout: number;
  readonly height: number;
  readonly isCoinbase: boolean;
  readonly value: bigint;
  readonly script: Uint8Array;
}

/** All coins and their spends, in a map, block after block: slow, and by other code than the index. */
class PlainChain {
  readonly #network: Network;
  readonly coins = new Map<string, PlainCoin>();
  height = -1;
  unspendable = 0n;
  filterHeader: Uint8Array | undefined;
  filter = new Uint8Array(0);
  /** Amounts of the last block. */
  block = { spent: 0n, coinbase: 0n, created: 0n, genesisBlock: 0n, repeatedCoinbase: 0n, scripts: 0n, unclaimed: 0n };

  constructor(network: Network) {
    this.#network = network;
  }

  connect({ header, transactions }: Block): void {
    this.height += 1;
    const { height } = this;
    const spent: PlainCoin[] = [];
    const sums = { spent: 0n, coinbase: 0n, created: 0n, scripts: 0n };
    const made: PlainCoin[] = [];
    for (const { txid, inputs, outputs, isCoinbase } of transactions) {
      for (const { previousOutput } of isCoinbase ? [] : inputs) {
        const key = `${toHex(previousOutput.txid)}:${previousOutput.vout}`;
        const coin = this.coins.get(key) ?? expect.unreachable(`${key} is no coin`);
        this.coins.delete(key);
        spent.push(coin);
        sums.spent += coin.value;
      }
      for (const [vout, { value, scriptPubKey }] of outputs.entries()) {
        const coin = { txid: Uint8Array.from(txid), vout, height, isCoinbase, value, script: scriptPubKey };
        made.push(coin);
        if (height === 0) continue;
        if (isUnspendable(scriptPubKey)) sums.scripts += value;
        else this.coins.set(`${toHex(txid)}:${vout}`, coin);
        if (!isUnspendable(scriptPubKey)) sums[isCoinbase ? "coinbase" : "created"] += value;
      }
    }
    const subsidy = blockSubsidy(height, this.#network);
    const left = height === 0 ? 0n : sums.spent + subsidy - sums.coinbase - sums.created - sums.scripts;
    const unclaimed = left > 0n ? left : 0n;
    const genesisBlock = height === 0 ? subsidy : 0n;
    this.block = { ...sums, genesisBlock, repeatedCoinbase: 0n, unclaimed };
    this.unspendable += unclaimed + genesisBlock + sums.scripts;
    const scripts = (list: readonly PlainCoin[]) => list.map(({ script }) => script);
    this.filter = Uint8Array.from(basicBlockFilter(header.hash, { paid: scripts(made), spent: scripts(spent) }));
    this.filterHeader = blockFilterHeader(this.filter, this.filterHeader);
  }

  /** Returns the statistics in the index's form. */
  statistics(): Omit<CoinStatisticsRow, "hash" | "muHash"> & { readonly digest: string } {
    const coins = [...this.coins.values()];
    return {
      coins: coins.length,
      bogoSize: coins.reduce((sum, { script }) => sum + 50 + script.length, 0),
      amount: coins.reduce((sum, { value }) => sum + value, 0n),
      unspendable: this.unspendable,
      block: this.block,
      digest: plainMuHash(coins),
    };
  }
}

/** Returns the product of the system's key streams, modulo 2^3072 - 1103717. */
function plainMuHash(coins: readonly PlainCoin[]): string {
  const prime = 2n ** 3072n - 1_103_717n;
  let product = 1n;
  for (const { txid, vout, height, isCoinbase, value, script } of coins) {
    const head = Buffer.alloc(48);
    head.writeUInt32LE(vout, 32);
    head.writeUInt32LE((height << 1) | Number(isCoinbase), 36);
    head.writeBigInt64LE(value, 40);
    head.set(txid);
    const length = script.length < 253 ? [script.length] : [253, script.length & 0xff, script.length >> 8];
    const key = sha256(Buffer.concat([head, Uint8Array.from(length), script]));
    const stream = createCipheriv("chacha20", key, Buffer.alloc(16)).update(Buffer.alloc(384));
    product = (product * BigInt(`0x${toHex(stream.reverse())}`)) % prime;
  }
  return toHex(sha256(Buffer.from(product.toString(16).padStart(768, "0"), "hex").reverse()));
}

async function statisticsAt(index: ChainIndexReader, height: number): Promise<unknown> {
  const { hash = "" } = (await index.blockByHeight(height)) ?? {};
  const found = await index.optional.coinStatistics?.find(hash, height);
  if (found === undefined) return undefined;
  const { hash: _hash, muHash, ...row } = found;
  return { ...row, digest: toHex(sha256(muHash)) };
}

async function filterAt(index: ChainIndexReader, height: number): Promise<readonly (string | undefined)[]> {
  const { hash = "" } = (await index.blockByHeight(height)) ?? {};
  const row = await index.optional.blockFilters?.find(hash, height);
  return [row && toHex(row.filter), row && toHex(row.header)];
}

describe("of mainnet's first blocks", () => {
  let directory: string;
  let end: () => void;
  let ended: Promise<void>;

  beforeAll(async () => {
    const made = Promise.withResolvers<string>();
    const { promise, resolve } = Promise.withResolvers<void>();
    end = resolve;
    ended = withTemporaryDirectory(async (path) => {
      const store = await openEmbeddedStore(path, mainnet);
      const source = createBlockFileSource(demoBlockFile, mainnet);
      await runIndexer({ store, source });
      await source.close();
      await store.close();
      await buildOptionalIndexes(path, mainnet, both);
      made.resolve(path);
      await promise;
    });
    directory = await made.promise;
  });

  afterAll(async () => {
    end();
    await ended;
  });

  it("every filter and header, and the statistics after some blocks, are what the blocks say", async () => {
    const index = openChainIndex(directory, { network: mainnet, optional: both });
    const plain = new PlainChain(mainnet);
    for (let height = 0; height <= 14_131; height += 1) {
      const { hash = "" } = (await index.blockByHeight(height)) ?? {};
      plain.connect(parseBlock((await index.rawBlock(hash)) ?? expect.unreachable(`no block ${height}`)));
      const expected = [toHex(plain.filter), toHex(plain.filterHeader ?? new Uint8Array(0))];
      expect(await filterAt(index, height), `height ${height}`).toEqual(expected);
      if ([0, 1, 9, 170, 181, 2_812, 10_000, 14_131].includes(height)) {
        expect(await statisticsAt(index, height), `height ${height}`).toEqual(plain.statistics());
      }
    }
    await index.close();
  });

  it("coins come in the order of their outpoints, each as often as it is one", async () => {
    const index = openChainIndex(directory, { network: mainnet });
    const tip = (await index.tip()) ?? expect.unreachable();
    let before = "";
    let amount = 0n;
    for await (const coins of index.coinPages(tip.hash)) {
      for (const { txid, vout, value } of coins) {
        const place = `${toHex(txid)}${vout.toString(16).padStart(8, "0")}`;
        expect(place > before).toBe(true);
        before = place;
        amount += value;
      }
    }
    expect(amount).toBe(706_550n * 100_000_000n);
    const wrong = index.coinPages("00".repeat(32))[Symbol.asyncIterator]();
    await expect(wrong.next()).rejects.toMatchObject({ code: "reorganised" });
    await index.close();
  });
});

/** Limits so small that a build takes many batches. */
const smallBatches: OptionalBatchLimits = { blocks: 3, milliseconds: 1_000, bytes: 1_000_000 };

async function indexOf(directory: string, blocks: readonly Uint8Array[]): Promise<void> {
  const store = await openEmbeddedStore(directory, regtest);
  await runIndexer({ store, source: createArraySource(regtest, blocks) });
  await store.close();
}

/** Returns a chain without repeated transactions, as nodes require. */
function chainOfAllScripts(blocks: number): readonly Uint8Array[] {
  const random = createRandom(6);
  const below = (end: number): number => Math.floor(random() * end);
  return repeatingChain(
    Array.from({ length: blocks }, (_, height) => ({
      coinbase: height,
      script: below(repeatingScripts.length),
      payments: Array.from({ length: below(6) }, () => ({
        coins: Array.from({ length: 1 + below(3) }, () => below(1_000)),
        scripts: Array.from({ length: 1 + below(4) }, () => below(repeatingScripts.length)),
        hasWitness: below(2) === 0,
      })),
    })),
  );
}

/** Replaces the blocks above `forkHeight` by those of another branch. */
async function replaceBlocks(directory: string, forkHeight: number, tips: readonly RegtestTip[]): Promise<void> {
  const store = await openEmbeddedStore(directory, regtest);
  const above = tips.slice(forkHeight + 1).map(({ bytes }) => bytes);
  await applyBlocks(store, forkHeight, above);
  await store.close();
}

function forkOf(before: readonly RegtestTip[], after: readonly RegtestTip[]): number {
  return before.findIndex((tip, height) => tip !== after[height]) - 1;
}

describe("of a chain that changes", () => {
  it("filters and statistics are what the blocks say, of all forms of scripts", async () => {
    await withTemporaryDirectory(async (directory) => {
      const blocks = chainOfAllScripts(300);
      await indexOf(directory, blocks);
      await buildOptionalIndexes(directory, regtest, both, { limits: smallBatches });
      const index = openChainIndex(directory, { network: regtest, optional: both });
      const plain = new PlainChain(regtest);
      for (const [height, bytes] of blocks.entries()) {
        plain.connect(parseBlock(bytes));
        const expected = [toHex(plain.filter), toHex(plain.filterHeader ?? new Uint8Array(0))];
        expect(await filterAt(index, height)).toEqual(expected);
        if (height % 50 === 0) expect(await statisticsAt(index, height)).toEqual(plain.statistics());
      }
      await index.close();
    });
  });

  it.each([1, 2, 3])("both follow reorganisations, and keep what they knew of stale blocks (seed %i)", async (seed) => {
    await withTemporaryDirectory(async (parent) => {
      const walk = new WalkingChain(createRandom(seed));
      walk.grow(30);
      const directory = join(parent, "followed");
      await buildClean(directory, walk.tips);
      await buildOptionalIndexes(directory, regtest, both, { limits: smallBatches });
      const known = new Map<string, readonly unknown[]>();
      for (let change = 0; change < 5; change += 1) {
        const before = walk.tips;
        const index = openChainIndex(directory, { network: regtest, optional: both });
        for (const { hash, height } of before) known.set(displayHash(hash), await rowsOf(index, hash, height));
        await index.close();
        walk.reorganise(1 + walk.below(20));
        await replaceBlocks(directory, forkOf(before, walk.tips), walk.tips);
        await buildOptionalIndexes(directory, regtest, both, { limits: smallBatches });
        const clean = join(parent, `clean-${change}`);
        await buildClean(clean, walk.tips);
        await buildOptionalIndexes(clean, regtest, both);
        expect(await optionalRowsOf(directory)).toEqual(await optionalRowsOf(clean));
      }
      const index = openChainIndex(directory, { network: regtest, optional: both });
      for (const [hash, rows] of known) {
        const { height = -1 } = (await index.blockByHash(hash)) ?? {};
        expect(await rowsOf(index, Buffer.from(hash, "hex").reverse(), height)).toEqual(rows);
        expect(rows).not.toContain(undefined);
      }
      await index.close();
    });
  });

  it("a reorganisation in the midst of the build leaves no row of the other branch", async () => {
    await withTemporaryDirectory(async (parent) => {
      const walk = new WalkingChain(createRandom(9));
      walk.grow(60);
      const directory = join(parent, "built");
      await buildClean(directory, walk.tips);
      const stop = new AbortController();
      let batches = 0;
      await buildOptionalIndexes(directory, regtest, both, {
        limits: smallBatches,
        signal: stop.signal,
        onProgress: () => {
          batches += 1;
          if (batches === 1) stop.abort();
        },
      });
      const before = walk.tips;
      walk.reorganise(59);
      await replaceBlocks(directory, forkOf(before, walk.tips), walk.tips);
      await buildOptionalIndexes(directory, regtest, both, { limits: smallBatches });
      const clean = join(parent, "clean");
      await buildClean(clean, walk.tips);
      await buildOptionalIndexes(clean, regtest, both);
      expect(await optionalRowsOf(directory)).toEqual(await optionalRowsOf(clean));
    });
  });

  it("a damaged block is waited for until it is repaired", async () => {
    await withTemporaryDirectory(async (directory) => {
      const walk = new WalkingChain(createRandom(6));
      walk.grow(20);
      await buildClean(directory, walk.tips);
      const path = join(directory, "blocks", "blk00000.dat");
      const sound = readFileSync(path);
      writeFileSync(path, Buffer.from(sound).fill(0, 1_000));
      const states: string[] = [];
      await buildOptionalIndexes(directory, regtest, both, {
        onProgress: ({ state }) => {
          states.push(state);
          if (state === "stalled") writeFileSync(path, sound);
        },
      });
      expect(states).toContain("stalled");
      expect(states).not.toContain("failed");
      expect(states.at(-1)).toBe("ready");
    });
  });

  it("a main index that is made anew below them is waited for, and nothing is made twice", async () => {
    await withTemporaryDirectory(async (directory) => {
      const walk = new WalkingChain(createRandom(4));
      walk.grow(40);
      await buildClean(directory, walk.tips);
      await buildOptionalIndexes(directory, regtest, both);
      const whole = await optionalRowsOf(directory);
      for (const part of ["index", "blocks", "layout.json"]) rmSync(join(directory, part), { recursive: true });
      await buildClean(directory, walk.tips.slice(0, 11));
      const states: unknown[] = [];
      await buildOptionalIndexes(directory, regtest, both, { onProgress: (progress) => states.push(progress) });
      expect(states).toContainEqual({ index: "block-filters", state: "ready", height: 40, targetHeight: 10 });
      expect(await optionalRowsOf(directory)).toEqual(whole);
    });
  });
});

async function rowsOf(index: ChainIndexReader, hash: Uint8Array, height: number): Promise<readonly unknown[]> {
  const filter = await index.optional.blockFilters?.find(displayHash(hash), height);
  const statistics = await index.optional.coinStatistics?.find(displayHash(hash), height);
  return [filter && toHex(filter.header), statistics && toHex(statistics.muHash)];
}

describe("a directory", () => {
  async function withIndex(action: (directory: string) => Promise<void>): Promise<void> {
    await withTemporaryDirectory(async (directory) => {
      const walk = new WalkingChain(createRandom(5));
      walk.grow(10);
      await buildClean(directory, walk.tips);
      await action(directory);
    });
  }

  it("of another layout is refused with the way out, left as it is, and not read", async () => {
    await withIndex(async (directory) => {
      await buildOptionalIndexes(directory, regtest, both);
      const description = join(directory, "optional", "block-filters", "layout.json");
      writeFileSync(description, '{"layout":99}\n');
      await expect(buildOptionalIndexes(directory, regtest, both)).rejects.toThrow(
        `The block filters in ${join(directory, "optional", "block-filters")} have layout 99, this version needs 1: ` +
          "delete that directory to have them made anew, or switch them off.",
      );
      const index = openChainIndex(directory, { network: regtest, optional: both });
      const { hash = "" } = (await index.tip()) ?? {};
      expect(await index.optional.blockFilters?.find(hash, 10)).toBeUndefined();
      expect(await index.optional.blockFilters?.height()).toBe(-1);
      expect(await index.optional.coinStatistics?.height()).toBe(10);
      await index.close();
      rmSync(join(directory, "optional", "block-filters"), { recursive: true });
      await buildOptionalIndexes(directory, regtest, both);
    });
  });

  it("whose description is no description is refused", async () => {
    await withIndex(async (directory) => {
      await buildOptionalIndexes(directory, regtest, { coinStatistics: true });
      writeFileSync(join(directory, "optional", "coin-statistics", "layout.json"), "precious");
      await expect(buildOptionalIndexes(directory, regtest, both)).rejects.toThrow("have layout unknown");
    });
  });

  it("that holds files of somebody else is left alone", async () => {
    await withIndex(async (directory) => {
      const rows = join(directory, "optional", "block-filters", "rows");
      mkdirSync(rows, { recursive: true });
      writeFileSync(join(rows, "data.mdb"), "precious");
      await expect(buildOptionalIndexes(directory, regtest, both)).rejects.toThrow("holds other files under rows");
      expect(existsSync(join(rows, "data.mdb"))).toBe(true);
    });
  });

  it("that an unfinished start left is made anew", async () => {
    await withIndex(async (directory) => {
      const path = join(directory, "optional", "block-filters");
      mkdirSync(join(path, "rows"), { recursive: true });
      writeFileSync(join(path, "layout.json.unfinished"), "");
      writeFileSync(join(path, "rows", "data.mdb"), "begun");
      await buildOptionalIndexes(directory, regtest, both);
      const index = openChainIndex(directory, { network: regtest, optional: both });
      expect(await index.optional.blockFilters?.height()).toBe(10);
      await index.close();
    });
  });

  it("is not looked into for what is not kept", async () => {
    await withIndex(async (directory) => {
      await buildOptionalIndexes(directory, regtest, both);
      const index = openChainIndex(directory, { network: regtest, optional: { coinStatistics: true } });
      expect(index.optional).toMatchObject({ blockFilters: undefined, coinStatistics: expect.anything() });
      await index.close();
    });
  });
});
