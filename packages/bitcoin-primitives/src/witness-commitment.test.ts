import { describe, expect, it } from "vitest";
import {
  type Block,
  doubleSha256,
  hasValidWitnessCommitment,
  parseTransaction,
  serializeTransaction,
  type Transaction,
  type TransactionContent,
  witnessCommitmentOf,
} from "./index.ts";

const zeros = new Uint8Array(32);
const head = Uint8Array.of(0x6a, 0x24, 0xaa, 0x21, 0xa9, 0xed);

function transaction(content: Partial<TransactionContent> & { readonly witness?: readonly Uint8Array[] }): Transaction {
  const { witness = [], ...others } = content;
  const previousOutput = { txid: zeros, vout: 0xffffffff };
  const input = { previousOutput, scriptSig: Uint8Array.of(0x51, 0x51), sequence: 0xffffffff, witness };
  const outputs = [{ value: 1n, scriptPubKey: Uint8Array.of(0x51) }];
  return parseTransaction(serializeTransaction({ version: 2, inputs: [input], outputs, locktime: 0, ...others }));
}

/** Returns BIP 141's `SHA256d(witness root | witness reserved value)`, of a block with one transaction after its coinbase. */
function commitmentTo(spending: Transaction, reserved: Uint8Array): Uint8Array {
  const root = doubleSha256(Buffer.concat([zeros, spending.wtxid]));
  return doubleSha256(Buffer.concat([root, reserved]));
}

function blockOf(...transactions: Transaction[]): Block {
  return { header: {}, transactions } as unknown as Block;
}

function paying(...scripts: readonly Uint8Array[]): TransactionContent["outputs"] {
  return scripts.map((scriptPubKey) => ({ value: 0n, scriptPubKey }));
}

describe("a block's witness commitment (BIP 141)", () => {
  const spending = transaction({ witness: [Uint8Array.of(1, 2, 3)] });
  const reserved = new Uint8Array(32).fill(7);
  const commitment = Buffer.concat([head, commitmentTo(spending, reserved)]);

  it("is that of its witnesses and of the reserved value", () => {
    const coinbase = transaction({ outputs: paying(commitment), witness: [reserved] });
    expect(hasValidWitnessCommitment(blockOf(coinbase, spending))).toBe(true);
    const altered = transaction({ witness: [Uint8Array.of(1, 2, 4)] });
    expect(hasValidWitnessCommitment(blockOf(coinbase, altered))).toBe(false);
  });

  it.each([
    ["no witness", []],
    ["another value", [zeros]],
    ["31 bytes", [reserved.subarray(1)]],
    ["33 bytes", [Buffer.concat([reserved, Uint8Array.of(5)])]],
    ["a second item behind it", [reserved, new Uint8Array(0)]],
    ["a second item before it", [Uint8Array.of(1), reserved]],
  ])("is invalid when the coinbase has %s in place of the one reserved value", (_, witness) => {
    const coinbase = transaction({ outputs: paying(commitment), witness });
    expect(hasValidWitnessCommitment(blockOf(coinbase, spending))).toBe(false);
  });

  it("is required as soon as one transaction has a witness", () => {
    const plain = transaction({});
    expect(hasValidWitnessCommitment(blockOf(plain, plain, plain))).toBe(true);
    expect(hasValidWitnessCommitment(blockOf(plain, plain, spending))).toBe(false);
    expect(hasValidWitnessCommitment(blockOf())).toBe(false);
  });

  it("is the last of several outputs that have its form", () => {
    const other = Buffer.concat([head, reserved]);
    const find = (...scripts: Uint8Array[]) => witnessCommitmentOf(transaction({ outputs: paying(...scripts) }));
    expect(find(other, commitment)).toEqual(commitment.subarray(6));
    expect(find(commitment, other)).toEqual(Buffer.from(reserved));
    expect(find(commitment, other.subarray(0, -1))).toEqual(commitment.subarray(6));
    expect(find(Buffer.concat([commitment, Uint8Array.of(9)]))).toEqual(commitment.subarray(6));
    for (let position = 0; position < head.length; position += 1) {
      const wrong = Buffer.from(commitment);
      wrong[position] = 0;
      expect(find(wrong)).toBeUndefined();
    }
  });
});
