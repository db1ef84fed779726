import { displayHash, parseBlock, parseTransaction, type Transaction, toHex } from "@nodewright/bitcoin-primitives";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildChain } from "./build-chain.ts";
import { collect } from "./testing/collect.ts";
import type { ChainOptions } from "./chain-options.ts";
import { everyScriptKind } from "./script-kind.ts";
import type { ChainBlock, MempoolStep, TestChain } from "./test-chain.ts";

const small: ChainOptions = { seed: 7, transactions: 300, staleBranches: 2, mempool: 80, signatures: "placeholder" };

interface ReadChain {
  readonly chain: TestChain;
  readonly blocks: readonly ChainBlock[];
  readonly steps: readonly MempoolStep[];
}

async function read(options: ChainOptions): Promise<ReadChain> {
  const chain = buildChain(options);
  const blocks = await collect(chain.blocks);
  return { chain, blocks, steps: await collect(chain.mempool) };
}

/** Returns the blocks of the best chain, including those among the mempool's steps. */
function bestOf({ blocks, steps }: ReadChain): readonly ChainBlock[] {
  const later = steps.flatMap((step) => (step.kind === "block" ? [step.block] : []));
  return [...blocks.filter(({ branch }) => branch === undefined), ...later];
}

const outpoints = ({ inputs }: Transaction) =>
  inputs.map(({ previousOutput: { txid, vout } }) => `${displayHash(txid)}:${vout}`);

describe("a chain of a seed", () => {
  it("is the same today as it ever was, with placeholder and with real signatures, with and without threads", async () => {
    const digestOf = async (options: ChainOptions) => (await read(options)).chain.summary().digest;
    expect(await digestOf(small)).toBe("992f9e7c26a6a6031abe86d0d317bc300b2aba017ffe8a1c789b58745570ceff");
    const real: ChainOptions = { ...small, transactions: 100, mempool: 20, signatures: "real", workers: 0 };
    expect(await digestOf(real)).toBe("c3fbb44bc6e3e6f44df1e5ed8247f634a9832f8255ec69aa47ccf1fbdeb1ca01");
    expect(await digestOf({ ...real, workers: 2 })).toBe(
      "c3fbb44bc6e3e6f44df1e5ed8247f634a9832f8255ec69aa47ccf1fbdeb1ca01",
    );
  });

  it("is another one with another seed", async () => {
    const tipOf = async (seed: number) => (await read({ ...small, seed })).chain.summary().tip;
    expect(await tipOf(8)).not.toBe(await tipOf(9));
  });

  it("pays and spends every kind of script, even when it is short", async () => {
    const { chain } = await read({ seed: 1, transactions: 100, signatures: "placeholder" });
    const { outputsByKind, inputsByKind } = chain.summary();
    expect(Object.keys(outputsByKind)).toEqual(expect.arrayContaining([...everyScriptKind, "op-return"]));
    const spendable = everyScriptKind.filter((kind) => kind !== "unspendable");
    expect(Object.keys(inputsByKind).toSorted()).toEqual(spendable.toSorted());
  });

  it("counts in its summary what is in its bytes", async () => {
    const all = await read(small);
    const summary = all.chain.summary();
    const best = bestOf(all).map(({ bytes }) => parseBlock(bytes));
    const transactions = best.flatMap((block) => block.transactions);
    const outputs = transactions.flatMap((transaction) => transaction.outputs);
    const isPaid = (script: Uint8Array) => script[0] !== 0x6a;
    const scripts = outputs.map(({ scriptPubKey }) => scriptPubKey).filter(isPaid);
    expect(summary).toMatchObject({
      height: best.length - 1,
      blocks: best.length,
      tip: displayHash(best.at(-1)?.header.hash ?? new Uint8Array(32)),
      transactions: transactions.length,
      inputs: transactions.filter(({ isCoinbase }) => !isCoinbase).flatMap(({ inputs }) => inputs).length,
      outputs: outputs.length,
      bytes: best.reduce((sum, { size }) => sum + size, 0),
      scripts: new Set(scripts.map(toHex)).size,
      staleBlocks: all.blocks.filter(({ branch }) => branch !== undefined).length,
    });
    for (const hot of summary.hotScripts) {
      const paid = new Map<string, string>();
      for (const { txid, outputs: each } of transactions)
        for (const [vout, { scriptPubKey }] of each.entries())
          if (toHex(scriptPubKey) === hot.scriptPubKey) paid.set(`${displayHash(txid)}:${vout}`, displayHash(txid));
      const spends = transactions.flatMap((each) =>
        outpoints(each)
          .filter((outpoint) => paid.has(outpoint))
          .map(() => displayHash(each.txid)),
      );
      expect(hot).toMatchObject({
        funded: paid.size,
        spent: spends.length,
        transactions: new Set([...paid.values(), ...spends]).size,
      });
    }
  });

  it("comes near the chain that indexes are measured with, scaled down", async () => {
    const scale = 20;
    const { chain } = await read({
      seed: 7,
      transactions: Math.round(280_663 / scale),
      blocks: 200,
      signatures: "placeholder",
    });
    const summary = chain.summary();
    const isNear = (value: number, wanted: number) => {
      expect(value).toBeGreaterThan((wanted / scale) * 0.9);
      expect(value).toBeLessThan((wanted / scale) * 1.1);
    };
    isNear(summary.inputs, 554_065);
    isNear(summary.outputs, 811_447);
    isNear(summary.bytes, 116_000_000);
    isNear(summary.scripts, 60_003);
    isNear(summary.hotScripts[0]?.transactions ?? 0, 37_234);
  });

  it("is read once", async () => {
    const { chain } = await read({ seed: 1, transactions: 0, signatures: "placeholder" });
    expect(() => chain.blocks[Symbol.asyncIterator]()).toThrow("read once");
    expect(() => chain.mempool[Symbol.asyncIterator]()).toThrow("read once");
  });

  it("has a mempool behind its blocks only", async () => {
    const chain = buildChain(small);
    await expect(collect(chain.mempool)).rejects.toThrow("after its blocks");
  });

  it.each([
    ["seed", { seed: -1 }],
    ["transactions", { transactions: 0.5 }],
    ["blocks", { blocks: 101 }],
    ["blocks", { blocks: 110, staleBranches: 9 }],
    ["depth", { staleBranches: { count: 1, depth: 0 } }],
    ["mempool", { mempool: -1 }],
    ["tipTime", { tipTime: 1_296_688_602 }],
    ["workers", { workers: Number.NaN }],
  ])("refuses a %s that no chain can have", (name, options) => {
    expect(() => buildChain({ ...small, ...options })).toThrow(name);
  });
});

describe("any chain", () => {
  const options = fc.record({
    seed: fc.nat(),
    transactions: fc.integer({ min: 0, max: 400 }),
    hotScripts: fc.integer({ min: 0, max: 12 }),
    staleBranches: fc.record({ count: fc.integer({ min: 0, max: 3 }), depth: fc.integer({ min: 1, max: 8 }) }),
    mempool: fc.record({ transactions: fc.nat({ max: 60 }), blocks: fc.nat({ max: 3 }) }),
    signatures: fc.constant("placeholder" as const),
  });

  it("spends what is there once, coinbases a hundred blocks later, and creates no coins", async () => {
    await fc.assert(
      fc.asyncProperty(options, async (each) => {
        const all = await read(each);
        expect(all.chain.summary().transactions - bestOf(all).length).toBeGreaterThanOrEqual(each.transactions);
        const branches = new Map<number | undefined, readonly ChainBlock[]>([[undefined, bestOf(all)]]);
        for (const [index, { forkHeight, hashes }] of all.chain.staleBranches.entries()) {
          const stale = all.blocks.filter(({ branch }) => branch === index);
          expect(stale.map(({ hash }) => toHex(hash))).toEqual(hashes.map(toHex));
          branches.set(index, [...bestOf(all).slice(0, forkHeight + 1), ...stale]);
          expect(bestOf(all).length, "a stale branch loses").toBeGreaterThan(forkHeight + 1 + hashes.length);
        }
        for (const blocks of branches.values()) expectSound(blocks);
      }),
      { numRuns: 150 },
    );
  });

  it("leads a mempool from one valid state to the next", async () => {
    await fc.assert(
      fc.asyncProperty(options, async (each) => {
        const { chain, steps } = await read({ ...each, mempool: { transactions: 120, blocks: 2 } });
        const mempool = new Map<string, Transaction>();
        const spent = new Map<string, string>();
        const drop = (txid: Uint8Array) => {
          const name = displayHash(txid);
          const transaction = mempool.get(name);
          expect(transaction, "what leaves a mempool was in it").toBeDefined();
          mempool.delete(name);
          for (const outpoint of transaction === undefined ? [] : outpoints(transaction)) spent.delete(outpoint);
        };
        for (const step of steps) {
          if (step.kind === "block") {
            const { transactions } = parseBlock(step.block.bytes);
            const names = new Set(transactions.map(({ txid }) => displayHash(txid)));
            const taken = new Set(transactions.flatMap(outpoints));
            for (const txid of step.confirmed) expect(names).toContain(displayHash(txid));
            for (const txid of [...step.confirmed, ...step.conflicted]) drop(txid);
            for (const outpoint of spent.keys()) expect(taken).not.toContain(outpoint);
            continue;
          }
          if (step.kind === "replacement") for (const txid of step.replaced) drop(txid);
          const transaction = parseTransaction(step.transaction.bytes);
          const name = displayHash(transaction.txid);
          expect(displayHash(step.transaction.txid)).toBe(name);
          const parents = new Set(transaction.inputs.map(({ previousOutput }) => displayHash(previousOutput.txid)));
          expect(step.transaction.parents.map(displayHash).toSorted()).toEqual(
            [...parents].filter((parent) => mempool.has(parent)).toSorted(),
          );
          for (const outpoint of outpoints(transaction)) {
            expect(spent.get(outpoint), "a coin is spent once").toBeUndefined();
            spent.set(outpoint, name);
          }
          mempool.set(name, transaction);
        }
        expect(chain.summary().mempool.transactions).toBe(mempool.size);
      }),
      { numRuns: 15 },
    );
  });
});

/** Checks a chain of blocks from genesis on. */
function expectSound(blocks: readonly ChainBlock[]): void {
  const coins = new Map<string, { readonly value: bigint; readonly height: number; readonly isCoinbase: boolean }>();
  let parent = new Uint8Array(32) as Uint8Array;
  for (const [height, { bytes, hash }] of blocks.entries()) {
    const { header, transactions } = parseBlock(bytes);
    expect(toHex(header.previousHash)).toBe(toHex(parent));
    parent = hash;
    let fees = 0n;
    for (const transaction of transactions.slice(1)) {
      let available = 0n;
      for (const outpoint of outpoints(transaction)) {
        const coin = coins.get(outpoint);
        if (coin === undefined) throw new Error(`${outpoint} is spent at ${height} and is not there`);
        if (coin.isCoinbase && height - coin.height < 100) throw new Error(`${outpoint} has not matured at ${height}`);
        available += coin.value;
        coins.delete(outpoint);
      }
      const paid = paidBy(transaction);
      if (available <= paid) throw new Error(`A transaction at ${height} has no fee`);
      fees += available - paid;
      addCoins(transaction, height);
    }
    const [coinbase] = transactions;
    if (coinbase === undefined) throw new Error("A block has no coinbase");
    expect(paidBy(coinbase)).toBe((5_000_000_000n >> BigInt(Math.floor(height / 150))) + fees);
    addCoins(coinbase, height);
  }

  function addCoins({ txid, outputs, isCoinbase }: Transaction, height: number): void {
    for (const [vout, { value }] of outputs.entries())
      coins.set(`${displayHash(txid)}:${vout}`, { value, height, isCoinbase });
  }
}

function paidBy({ outputs }: Transaction): bigint {
  return outputs.reduce((sum, { value }) => sum + value, 0n);
}
