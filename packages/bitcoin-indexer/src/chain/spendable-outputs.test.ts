import type { Block, Outpoint, Transaction } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import type { SpentOutput } from "./connected-block.ts";
import { SpendableOutputs } from "./spendable-outputs.ts";

const script = Uint8Array.of(0x51);

function outpoint(name: number, vout: number): Outpoint {
  return { txid: new Uint8Array(32).fill(name), vout };
}

function transaction(
  name: number,
  inputs: readonly Outpoint[],
  scripts: readonly Uint8Array[] = [script],
): Transaction {
  return {
    txid: new Uint8Array(32).fill(name),
    inputs: inputs.map((previousOutput) => ({ previousOutput })),
    outputs: scripts.map((scriptPubKey, vout) => ({ value: BigInt(vout), scriptPubKey })),
  } as unknown as Transaction;
}

function blockOf(...transactions: readonly Transaction[]): Block {
  return { transactions } as unknown as Block;
}

const stored: SpentOutput = { transactionNumber: 3, height: 2, isCoinbase: false, value: 9n, scriptPubKey: script };

/** Returns outputs over a store that has the first output of the named transactions; `asked` lists the lookups. */
function over(...names: readonly number[]): { readonly outputs: SpendableOutputs; readonly asked: string[] } {
  const asked: string[] = [];
  const outputs = new SpendableOutputs((outpoints) => {
    asked.push(...outpoints.map(({ txid, vout }) => `${txid[0]}:${vout}`));
    return Promise.resolve(
      outpoints.map(({ txid, vout }) => (names.includes(txid[0] ?? 0) && vout === 0 ? stored : undefined)),
    );
  });
  return { outputs, asked };
}

describe("SpendableOutputs", () => {
  it("takes an output of the store once, after it was fetched", async () => {
    const { outputs, asked } = over(1);
    expect(outputs.take(outpoint(1, 0))).toBeUndefined();
    await outputs.fetch(blockOf(transaction(8, []), transaction(9, [outpoint(1, 0), outpoint(1, 1), outpoint(2, 0)])));
    expect(asked).toEqual(["1:0", "1:1", "2:0"]);
    expect(outputs.take(outpoint(1, 0))).toBe(stored);
    expect(outputs.take(outpoint(1, 0))).toBeUndefined();
    expect(outputs.take(outpoint(1, 1))).toBeUndefined();
    expect(outputs.take(outpoint(2, 0))).toBeUndefined();
  });

  it("does not look up again what was fetched or taken, before it is settled", async () => {
    const { outputs, asked } = over(1);
    const block = blockOf(transaction(8, []), transaction(9, [outpoint(1, 0)]));
    await outputs.fetch(block);
    await outputs.fetch(block);
    outputs.take(outpoint(1, 0));
    await outputs.fetch(block);
    expect(asked).toEqual(["1:0"]);
    outputs.settle();
    expect(outputs.take(outpoint(1, 0))).toBeUndefined();
    await outputs.fetch(block);
    expect(asked).toEqual(["1:0", "1:0"]);
    expect(outputs.take(outpoint(1, 0))).toBe(stored);
  });

  it("looks up nothing for a coinbase, for what the same block makes, and for what a recent one made", async () => {
    const { outputs, asked } = over();
    outputs.add(transaction(5, []), 10, 4, false);
    await outputs.fetch(blockOf());
    await outputs.fetch(blockOf(transaction(8, [outpoint(1, 0)])));
    await outputs.fetch(
      blockOf(
        transaction(8, [outpoint(1, 0)]),
        transaction(9, [outpoint(8, 0), outpoint(5, 0)]),
        transaction(10, [outpoint(9, 0)]),
      ),
    );
    expect(asked).toEqual([]);
  });

  it("gives what was added, once, with its place and a copy of its script", () => {
    const { outputs } = over();
    const own = Uint8Array.of(0x52);
    outputs.add(transaction(5, [], [own, script]), 10, 4, true);
    own[0] = 0x53;
    expect(outputs.take(outpoint(5, 0))).toEqual({
      transactionNumber: 10,
      height: 4,
      isCoinbase: true,
      value: 0n,
      scriptPubKey: Buffer.of(0x52),
    });
    expect(outputs.take(outpoint(5, 0))).toBeUndefined();
    expect(outputs.take(outpoint(5, 2))).toBeUndefined();
    expect(outputs.take(outpoint(5, 1))?.value).toBe(1n);
  });

  it("never gives what no input can spend", () => {
    const { outputs } = over();
    outputs.add(transaction(5, [], [Uint8Array.of(0x6a, 1), script]), 10, 4, false);
    expect(outputs.take(outpoint(5, 0))).toBeUndefined();
    expect(outputs.take(outpoint(5, 1))).toBeDefined();
  });

  it("forgets spent transactions when it is settled, and keeps those with an output left", async () => {
    const { outputs, asked } = over();
    outputs.add(transaction(5, [], [script, script]), 10, 4, false);
    outputs.add(transaction(6, [], [script]), 11, 4, false);
    outputs.add(transaction(7, [], [Uint8Array.of(0x6a)]), 12, 4, false);
    outputs.take(outpoint(5, 0));
    outputs.take(outpoint(6, 0));
    const block = blockOf(transaction(8, []), transaction(9, [outpoint(5, 1), outpoint(6, 0), outpoint(7, 0)]));
    await outputs.fetch(block);
    expect(asked).toEqual([]);
    outputs.settle();
    await outputs.fetch(block);
    expect(asked).toEqual(["6:0", "7:0"]);
    expect(outputs.take(outpoint(5, 1))).toBeDefined();
  });

  it("does not forget a transaction of the same id that was added after one was spent", async () => {
    const { outputs, asked } = over();
    outputs.add(transaction(6, [], [script]), 11, 4, false);
    outputs.take(outpoint(6, 0));
    outputs.settle();
    outputs.add(transaction(6, [], [script]), 12, 5, false);
    outputs.settle();
    await outputs.fetch(blockOf(transaction(8, []), transaction(9, [outpoint(6, 0)])));
    expect(asked).toEqual([]);
    expect(outputs.take(outpoint(6, 0))?.transactionNumber).toBe(12);
  });

  it("keeps 300,000 outputs of the latest transactions", async () => {
    const { outputs, asked } = over();
    const many = (count: number): Uint8Array[] => new Array<Uint8Array>(count).fill(script);
    outputs.add(transaction(1, [], many(100_000)), 1, 1, false);
    outputs.add(transaction(2, [], many(100_000)), 2, 1, false);
    outputs.add(transaction(3, [], many(100_000)), 3, 1, false);
    const block = blockOf(transaction(8, []), transaction(9, [outpoint(1, 0), outpoint(2, 0), outpoint(3, 0)]));
    outputs.settle();
    await outputs.fetch(block);
    expect(asked).toEqual([]);
    outputs.add(transaction(4, [], many(2)), 4, 2, false);
    outputs.take(outpoint(4, 0));
    outputs.settle();
    await outputs.fetch(block);
    expect(asked).toEqual(["1:0"]);
    // There is space for another now.
    outputs.add(transaction(5, [], many(99_999)), 5, 3, false);
    outputs.settle();
    await outputs.fetch(block);
    expect(asked).toEqual(["1:0", "1:0"]);
  });
});
