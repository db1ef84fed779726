import {
  displayHash,
  hashScript,
  parseTransaction,
  serializeTransaction,
  toHex,
  type Transaction,
} from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import { RegtestChain, type RegtestCoin } from "../testing/regtest-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { createTestMempool } from "../testing/test-mempool.ts";
import { maximumBatch } from "./chain-queries.ts";
import { EmbeddedMempoolQueries } from "./embedded-mempool-queries.ts";
import { feeEstimateTargets, type MempoolQueries, unknownFeeRate } from "./mempool-queries.ts";

const script = Uint8Array.of(0x51);
const other = Uint8Array.of(0x52);
const scriptHash = toHex(hashScript(script));
const otherHash = toHex(hashScript(other));
const unknown = "7".repeat(64);

interface Spending {
  readonly coins: readonly Pick<RegtestCoin, "outpoint">[];
  readonly scripts: readonly Uint8Array[];
  readonly scriptSig?: Uint8Array;
  readonly witness?: readonly Uint8Array[];
}

function spend({ coins, scripts, scriptSig = new Uint8Array(0), witness = [] }: Spending): Transaction {
  const inputs = coins.map(({ outpoint }) => ({ previousOutput: outpoint, scriptSig, sequence: 0, witness }));
  const outputs = scripts.map((scriptPubKey, vout) => ({ value: 1_000n + BigInt(vout), scriptPubKey }));
  return parseTransaction(serializeTransaction({ version: 2, inputs, outputs, locktime: 0 }));
}

function coinOf({ txid }: Transaction, vout: number): Pick<RegtestCoin, "outpoint"> {
  return { outpoint: { txid, vout } };
}

/** Runs `action` with a mempool above a chain of some coins of 50 bitcoin each. */
async function withMempool(
  make: (coins: readonly RegtestCoin[]) => readonly Transaction[],
  action: (queries: MempoolQueries, transactions: readonly Transaction[], time: number) => Promise<void>,
): Promise<void> {
  await withTemporaryDirectory(async (directory) => {
    const chain = new RegtestChain();
    let tip = chain.genesis;
    for (let height = 1; height <= 5; height += 1) tip = chain.extend(tip, script);
    const transactions = make(tip.coins.slice(1));
    const mempool = createTestMempool(directory, tip, transactions);
    try {
      await action(mempool.queries, transactions, tip.time);
    } finally {
      await mempool.close();
    }
  });
}

/** Returns three transactions: one spends a coin of the chain; the second spends the first; the third is unrelated. */
function family(coins: readonly RegtestCoin[]): readonly Transaction[] {
  const parent = spend({ coins: coins.slice(0, 1), scripts: [script, other] });
  const child = spend({ coins: [coinOf(parent, 1)], scripts: [script], witness: [Uint8Array.of(1)] });
  return [parent, child, spend({ coins: coins.slice(1, 2), scripts: [other] })];
}

const textOf = ({ txid }: Transaction): string => displayHash(txid);

describe("a mempool without tables", () => {
  it("is empty", async () => {
    const queries = new EmbeddedMempoolQueries(() => undefined);
    expect(await queries.summary()).toEqual({ count: 0, virtualSize: 0, totalFee: 0n, feeHistogram: [] });
    expect(await queries.transactionIds({ limit: 9 })).toEqual([]);
    expect(await queries.members([unknown])).toEqual([undefined]);
    expect(await queries.changes()).toBe(0);
    expect(await queries.recent(9)).toEqual([]);
    expect(await queries.transaction(unknown)).toBeUndefined();
    expect(await queries.has(unknown)).toBe(false);
    expect(await queries.spends([{ txid: unknown, vout: 0 }])).toEqual([undefined]);
    expect(await queries.scriptStatistics(scriptHash)).toEqual({
      transactions: 0,
      fundedOutputs: 0,
      fundedValue: 0n,
      spentOutputs: 0,
      spentValue: 0n,
    });
    expect(await queries.scriptHistory(scriptHash, { limit: 9 })).toEqual([]);
    expect(await queries.unspentOutputs(scriptHash)).toEqual([]);
    expect(await queries.spentOutputs(scriptHash)).toEqual([]);
    expect([...(await queries.feeEstimates())]).toEqual(feeEstimateTargets.map((target) => [target, unknownFeeRate]));
  });
});

describe("a mempool", () => {
  it("lists txids in their order, in pages", async () => {
    await withMempool(family, async (queries, transactions) => {
      const sorted = transactions.map(textOf).toSorted();
      expect(await queries.transactionIds({ limit: 9 })).toEqual(sorted);
      expect(await queries.transactionIds({ limit: 2 })).toEqual(sorted.slice(0, 2));
      for (const [index, after] of sorted.entries()) {
        expect(await queries.transactionIds({ after, limit: 9 })).toEqual(sorted.slice(index + 1));
      }
      expect(await queries.transactionIds({ after: "f".repeat(64), limit: 9 })).toEqual([]);
      expect(await queries.transactionIds({ after: "0".repeat(64), limit: 9 })).toEqual(sorted);
      for (const after of ["", "f".repeat(63), "g".repeat(64)]) {
        expect(await queries.transactionIds({ after, limit: 9 })).toEqual([]);
      }
    });
  });

  it("tells the latest first", async () => {
    await withMempool(family, async (queries, transactions, time) => {
      const recent = await queries.recent(9);
      expect(recent.map(({ txid }) => txid)).toEqual(transactions.map(textOf).toReversed());
      expect(recent[1]).toEqual({
        txid: textOf(transactions[1] ?? expect.unreachable()),
        fee: 1n,
        virtualSize: transactions[1]?.virtualSize,
        value: 1_001n,
        time: time + 1,
      });
      expect(await queries.recent(1)).toEqual(recent.slice(0, 1));
    });
  });

  it("tells a transaction with what it spends, and its family", async () => {
    await withMempool(family, async (queries, transactions, time) => {
      const [parent, child] = transactions.map(textOf) as [string, string];
      const found = (await queries.transaction(child)) ?? expect.unreachable();
      expect(found).toMatchObject({ txid: child, fee: 1n, previousOutputs: [{ value: 1_001n, height: -1 }] });
      expect(Buffer.from(found.transaction.bytes).equals(transactions[1]?.bytes ?? script)).toBe(true);
      expect(found.block).toBeUndefined();
      const [first, second, none] = await queries.members([parent, child, unknown]);
      expect(first).toMatchObject({ txid: parent, wtxid: parent, parents: [], children: [child], time });
      expect(second).toMatchObject({ parents: [parent], children: [], size: transactions[1]?.size });
      expect(second?.wtxid).toBe(displayHash(transactions[1]?.wtxid ?? script));
      expect(second?.wtxid).not.toBe(child);
      expect(none).toBeUndefined();
      expect([await queries.has(parent), await queries.has(unknown), await queries.has("zz")]).toEqual([
        true,
        false,
        false,
      ]);
      expect(await queries.transaction(unknown)).toBeUndefined();
      expect(await queries.changes()).toBeGreaterThan(0);
    });
  });

  it("refuses more members at once than a batch has", async () => {
    const queries = new EmbeddedMempoolQueries(() => undefined);
    const many = new Array<string>(maximumBatch).fill(unknown);
    expect(await queries.members(many)).toHaveLength(maximumBatch);
    await expect(queries.members([...many, unknown])).rejects.toThrow(
      `Requested ${maximumBatch + 1} at once, more than ${maximumBatch}`,
    );
  });

  it("tells who spends an output", async () => {
    await withMempool(family, async (queries, transactions) => {
      const [parent = "", child = ""] = transactions.map(textOf);
      const names = [
        { txid: parent, vout: 1 },
        { txid: parent, vout: 0 },
        { txid: parent, vout: 2 ** 32 - 1 },
        { txid: parent, vout: 2 ** 32 },
        { txid: parent, vout: -1 },
        { txid: parent, vout: 0.5 },
        { txid: "zz", vout: 1 },
      ];
      const none = new Array<undefined>(names.length - 1).fill(undefined);
      expect(await queries.spends(names)).toEqual([{ txid: child, vin: 0 }, ...none]);
    });
  });

  it("gives a script's history in pages, the latest first", async () => {
    await withMempool(family, async (queries, transactions) => {
      const [parent = "", child = "", third = ""] = transactions.map(textOf);
      const page = async (hash: string, after: string | undefined, limit: number): Promise<readonly string[]> =>
        (await queries.scriptHistory(hash, { after, limit })).map(({ txid }) => txid);
      // The third spends what the script had, too.
      expect(await page(scriptHash, undefined, 9)).toEqual([third, child, parent]);
      expect(await page(scriptHash, undefined, 2)).toEqual([third, child]);
      expect(await page(scriptHash, third, 9)).toEqual([child, parent]);
      expect(await page(scriptHash, child, 9)).toEqual([parent]);
      expect(await page(scriptHash, parent, 9)).toEqual([]);
      expect(await page(scriptHash, unknown, 9)).toEqual([]);
      expect(await page(otherHash, undefined, 9)).toEqual([third, child, parent]);
      const plain = toHex(hashScript(Uint8Array.of(0x53)));
      expect(await page(plain, undefined, 9)).toEqual([]);
      expect(await page(plain, child, 9)).toEqual([]);
      for (const text of ["", scriptHash.slice(1), "g".repeat(64)]) expect(await page(text, undefined, 9)).toEqual([]);
    });
  });

  it("tells what of a script is spent and unspent there", async () => {
    await withMempool(family, async (queries, transactions) => {
      const [parent = "", child = "", third = ""] = transactions.map(textOf);
      expect(await queries.unspentOutputs(scriptHash)).toEqual([
        { txid: parent, vout: 0, value: 1_000n },
        { txid: child, vout: 0, value: 1_000n },
      ]);
      expect(await queries.unspentOutputs(otherHash)).toEqual([{ txid: third, vout: 0, value: 1_000n }]);
      expect(await queries.unspentOutputs("zz")).toEqual([]);
      expect(await queries.spentOutputs(otherHash)).toEqual([{ txid: parent, vout: 1 }]);
      const spent = await queries.spentOutputs(scriptHash);
      const inputs = [transactions[0], transactions[2]].map((each) => each?.inputs[0]?.previousOutput);
      expect(spent).toEqual(
        inputs.map((outpoint) => ({ txid: displayHash(outpoint?.txid ?? script), vout: outpoint?.vout })),
      );
      expect(await queries.scriptStatistics(otherHash)).toEqual({
        transactions: 3,
        fundedOutputs: 2,
        fundedValue: 2_001n,
        spentOutputs: 1,
        spentValue: 1_001n,
      });
      expect((await queries.scriptStatistics("zz")).transactions).toBe(0);
    });
  });

  it.each([
    ["few inputs with long scripts", 3, 0x101],
    ["inputs with scripts above 64 KiB", 2, 0x10001],
    ["more than 252 inputs", 300, 1],
  ])("finds what %s spend", async (_, count, length) => {
    const scripts = new Array<Uint8Array>(count).fill(other);
    const scriptSig = new Uint8Array(length);
    for (const witness of [[], [Uint8Array.of(1)]]) {
      await withMempool(
        (coins) => {
          const parent = spend({ coins: coins.slice(0, 1), scripts });
          return [
            parent,
            spend({ coins: scripts.map((_each, vout) => coinOf(parent, vout)), scripts: [script], scriptSig, witness }),
          ];
        },
        async (queries, [parent]) => {
          const txid = textOf(parent ?? expect.unreachable());
          expect(await queries.spentOutputs(otherHash)).toEqual(scripts.map((_each, vout) => ({ txid, vout })));
        },
      );
    }
  });
});
