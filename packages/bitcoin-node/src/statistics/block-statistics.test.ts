import type { BlockStatistics } from "@nodewright/bitcoin-api/types";
import {
  displayHash,
  networks,
  parseBlock,
  parseTransaction,
  serializeTransaction,
  type Transaction,
} from "@nodewright/bitcoin-primitives";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getblockstats } from "../handlers/getblockstats.ts";
import { type ChainNode, openChainNode } from "../testing/chain-node.ts";
import { plainResult } from "../testing/plain-result.ts";
import { BlockCounter } from "./block-counter.ts";
import { feeRatePercentiles, median, type WeighedFeeRate } from "./percentiles.ts";

let node: ChainNode;

beforeAll(async () => {
  node = await openChainNode({ seed: 11, transactions: 400, staleBranches: 2, signatures: "placeholder" });
});

afterAll(async () => {
  await node.close();
});

interface Coin {
  readonly value: bigint;
  readonly scriptPubKey: Uint8Array;
}

/** Returns the size of an unspent output: outpoint 36, height with coinbase flag 4, value 8, and the script after its length. */
function sizeOf({ scriptPubKey: { length } }: Coin): number {
  return 48 + (length < 253 ? 1 : 3) + length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const half = sorted.length / 2;
  if (sorted.length === 0) return 0;
  if (sorted.length % 2 === 1) return sorted[Math.floor(half)] ?? 0;
  return Math.floor(((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2);
}

/** Computes percentiles slowly, with every unit of weight as an entry of its own. */
function slowPercentiles(feeRates: readonly WeighedFeeRate[]): number[] {
  const units = feeRates
    .flatMap(({ feeRate, weight }) => Array.from({ length: weight }, () => feeRate))
    .sort((left, right) => left - right);
  return [10, 25, 50, 75, 90].map((percent) => units[Math.max(Math.ceil((units.length * percent) / 100) - 1, 0)] ?? 0);
}

/** Returns all statistics of a block, from its bytes and those of all blocks below. */
function slowStatistics(bytes: Uint8Array, height: number, coins: ReadonlyMap<string, Coin>): Partial<BlockStatistics> {
  const { header, transactions } = parseBlock(bytes);
  const others = transactions.slice(1);
  const made = new Map(coins);
  for (const transaction of transactions) for (const [key, coin] of coinsOf(transaction)) made.set(key, coin);
  const spentBy = ({ inputs }: Transaction): Coin[] =>
    inputs.map(
      ({ previousOutput: { txid, vout } }) => made.get(`${displayHash(txid)}:${vout}`) ?? expect.unreachable(),
    );
  const fees = others.map((transaction) => Number(totalOf(spentBy(transaction)) - totalOf(transaction.outputs)));
  const weights = others.map(({ weight }) => weight);
  const rates = fees.map((fee, index) => Math.floor((fee * 4) / (weights[index] ?? 1)));
  const sizes = others.map(({ size }) => size);
  const witnesses = others.filter(({ hasWitness }) => hasWitness);
  const outputs = transactions.flatMap((transaction) => transaction.outputs);
  const kept =
    height === 0 ? [] : outputs.filter(({ scriptPubKey }) => scriptPubKey[0] !== 0x6a && scriptPubKey.length <= 10_000);
  const spent = others.flatMap(spentBy);
  return {
    avgfee: others.length === 0 ? 0 : Math.floor(sum(fees) / others.length),
    avgfeerate: others.length === 0 ? 0 : Math.floor((sum(fees) * 4) / sum(weights)),
    avgtxsize: others.length === 0 ? 0 : Math.floor(sum(sizes) / others.length),
    blockhash: displayHash(header.hash),
    feerate_percentiles: slowPercentiles(rates.map((feeRate, index) => ({ feeRate, weight: weights[index] ?? 0 }))),
    height,
    ins: spent.length,
    maxfee: Math.max(0, ...fees),
    maxfeerate: Math.max(0, ...rates),
    maxtxsize: Math.max(0, ...sizes),
    medianfee: middle(fees),
    mediantxsize: middle(sizes),
    minfee: fees.length === 0 ? 0 : Math.min(...fees),
    minfeerate: rates.length === 0 ? 0 : Math.min(...rates),
    mintxsize: sizes.length === 0 ? 0 : Math.min(...sizes),
    outs: outputs.length,
    subsidy: height < 150 ? 5_000_000_000 : 2_500_000_000,
    swtotal_size: sum(witnesses.map(({ size }) => size)),
    swtotal_weight: sum(witnesses.map(({ weight }) => weight)),
    swtxs: witnesses.length,
    time: header.time,
    total_out: Number(totalOf(others.flatMap((transaction) => transaction.outputs))),
    total_size: sum(sizes),
    total_weight: sum(weights),
    totalfee: sum(fees),
    txs: transactions.length,
    utxo_increase: outputs.length - spent.length,
    utxo_size_inc: sum(outputs.map(sizeOf)) - sum(spent.map(sizeOf)),
    utxo_increase_actual: kept.length - spent.length,
    utxo_size_inc_actual: sum(kept.map(sizeOf)) - sum(spent.map(sizeOf)),
  };
}

function coinsOf({ txid, outputs }: Transaction): readonly (readonly [string, Coin])[] {
  return outputs.map((output, vout) => [`${displayHash(txid)}:${vout}`, output]);
}

function totalOf(coins: readonly Coin[]): bigint {
  return coins.reduce((total, { value }) => total + value, 0n);
}

describe("the statistics of a block", () => {
  it("are what its bytes and those of all blocks below say, at every height", async () => {
    const coins = new Map<string, Coin>();
    for (const { height, bytes } of node.best) {
      const response = await plainResult(getblockstats({ hashOrHeight: height }, node.context()));
      expect(response).toMatchObject(slowStatistics(bytes, height, coins));
      expect(response.mediantime).toBe((await node.index.blockByHeight(height))?.medianTime);
      for (const transaction of parseBlock(bytes).transactions) {
        for (const [key, coin] of coinsOf(transaction)) coins.set(key, coin);
      }
    }
  });

  it("are the same by hash, in the order of Bitcoin Core, and told again from memory", async () => {
    const height = node.best.length - 2;
    const hash = displayHash(node.best[height]?.hash ?? expect.unreachable());
    const byHeight = await plainResult(getblockstats({ hashOrHeight: height }, node.context()));
    expect(await getblockstats({ hashOrHeight: hash.toUpperCase() }, node.context())).toEqual(byHeight);
    expect(await getblockstats({ hashOrHeight: height, stats: [] }, node.context())).toEqual(byHeight);
    expect(Object.keys(byHeight).slice(-4)).toEqual([
      "utxo_increase",
      "utxo_size_inc",
      "utxo_increase_actual",
      "utxo_size_inc_actual",
    ]);
  });

  it("are those of a stale block, from what it spent on its own branch", async () => {
    const stale = node.blocks.filter(({ branch, transactionCount }) => branch !== undefined && transactionCount > 1);
    expect(stale.length).toBeGreaterThan(0);
    const coins = new Map(node.blocks.flatMap(({ bytes }) => parseBlock(bytes).transactions.flatMap(coinsOf)));
    for (const { height, hash, bytes } of stale) {
      const response = await getblockstats({ hashOrHeight: displayHash(hash) }, node.context());
      expect(response).toMatchObject(slowStatistics(bytes, height, coins));
    }
  });

  it("are given alone where some are named, each once and in the order of their names", async () => {
    const all = await plainResult(getblockstats({ hashOrHeight: 110 }, node.context()));
    for (const [name, value] of Object.entries(all)) {
      const alone = await plainResult(getblockstats({ hashOrHeight: 110, stats: [name] }, node.context()));
      expect(alone).toEqual({ [name]: value });
    }
    const some = await plainResult(
      getblockstats({ hashOrHeight: 110, stats: ["txs", "avgfee", "txs", "blockhash"] }, node.context()),
    );
    expect(Object.keys(some)).toEqual(["avgfee", "blockhash", "txs"]);
  });

  it.each(["asdfghjkl", "", "__proto__", "constructor", "Txs", "hash"])("refuse the name %j", async (name) => {
    await expect(async () =>
      getblockstats({ hashOrHeight: 110, stats: ["minfee", name] }, node.context()),
    ).rejects.toMatchObject({ rpcCode: -8, message: `Invalid selected statistic '${name}'` });
  });

  it("refuse a height above the tip, and a hash that nothing has", async () => {
    const tip = node.best.length - 1;
    const above = { rpcCode: -8, message: `Target block height ${tip + 1} after current tip ${tip}` };
    await expect(async () => getblockstats({ hashOrHeight: tip + 1 }, node.context())).rejects.toMatchObject(above);
    const unknown = { rpcCode: -5, message: "Block not found" };
    await expect(async () =>
      getblockstats({ hashOrHeight: networks.mainnet.genesisHash }, node.context()),
    ).rejects.toMatchObject(unknown);
  });

  it("are not made of a block whose spent outputs are not known", () => {
    const transaction = parseTransaction(
      serializeTransaction({
        version: 1,
        inputs: [
          {
            previousOutput: { txid: new Uint8Array(32).fill(7), vout: 0 },
            scriptSig: new Uint8Array(0),
            sequence: 0,
            witness: [],
          },
        ],
        outputs: [],
        locktime: 0,
      }),
    );
    const counter = new BlockCounter({ hash: "ab", height: 7 });
    expect(() => counter.add({ transaction, previousOutputs: [undefined] })).toThrow(
      "An output that block ab spends is not known",
    );
  });

  it("count no output twice for a coinbase that repeats an earlier one", () => {
    const output = { value: 5_000_000_000n, scriptPubKey: Uint8Array.of(0x51) };
    const coinbase = parseTransaction(
      serializeTransaction({
        version: 1,
        inputs: [
          {
            previousOutput: { txid: new Uint8Array(32), vout: 0xffffffff },
            scriptSig: Uint8Array.of(1, 2),
            sequence: 0,
            witness: [],
          },
        ],
        outputs: [output],
        locktime: 0,
      }),
    );
    const hash = "00000000000743f190a18c5577a3c2d2a1f610ae9601ac046a38084ccb7cd721";
    const counter = new BlockCounter({ hash, height: 91_880 });
    counter.add({ transaction: coinbase, previousOutputs: [undefined] });
    expect(counter.counts()).toMatchObject({
      utxo_increase: 1,
      utxo_size_inc: 50,
      utxo_increase_actual: 0,
      utxo_size_inc_actual: 0,
    });
  });
});

describe("percentiles of fee rates", () => {
  it("are those of each unit of weight", () => {
    const feeRate = fc.record({ feeRate: fc.integer({ min: 0, max: 9 }), weight: fc.integer({ min: 1, max: 40 }) });
    fc.assert(
      fc.property(fc.array(feeRate, { maxLength: 30, size: "max" }), (feeRates) => {
        const total = sum(feeRates.map(({ weight }) => weight));
        expect(feeRatePercentiles(feeRates, total)).toEqual(slowPercentiles(feeRates));
      }),
    );
  });
});

describe("a median", () => {
  it.each([
    [[], 0],
    [[7], 7],
    [[9, 1], 5],
    [[9, 2], 5],
    [[3, 1, 2], 2],
    [[4, 1, 3, 2], 2],
  ])("of %j is %i", (values, expected) => {
    expect(median(values)).toBe(expected);
  });
});
