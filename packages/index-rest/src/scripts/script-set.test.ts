import type { IndexedTransaction } from "@nodewright/bitcoin-indexer";
import { displayHash, hashScript, parseTransaction, serializeTransaction, toHex } from "@nodewright/bitcoin-primitives";
import { expect, test } from "vitest";
import { ScriptSet } from "./script-set.ts";

const [mine, yours, theirs] = [Uint8Array.of(0x51), Uint8Array.of(0x52), Uint8Array.of(0x53)];

function hashOf(script: Uint8Array): string {
  return toHex(hashScript(script));
}

/** Spends 100 of mine and 50 of yours, and pays 120 to you and 20 to them. */
const indexed: IndexedTransaction = (() => {
  const input = { scriptSig: new Uint8Array(0), sequence: 0, witness: [] };
  const transaction = parseTransaction(
    serializeTransaction({
      version: 1,
      inputs: [0, 1].map((vout) => ({ ...input, previousOutput: { txid: new Uint8Array(32).fill(7), vout } })),
      outputs: [
        { value: 120n, scriptPubKey: yours },
        { value: 20n, scriptPubKey: theirs },
      ],
      locktime: 0,
    }),
  );
  const made = { height: 1, isCoinbase: false };
  const previousOutputs = [
    { ...made, value: 100n, scriptPubKey: mine },
    { ...made, value: 50n, scriptPubKey: yours },
  ];
  return { txid: displayHash(transaction.txid), transaction, previousOutputs, fee: 10n };
})();

test.each([
  [[mine], -100n],
  [[yours], 70n],
  [[theirs], 20n],
  [[mine, yours], -30n],
  [[mine, yours, theirs], -10n],
  [[Uint8Array.of(0x54)], 0n],
  [[], 0n],
])("the balance of %j changes by %d", (scripts, balance) => {
  expect(new ScriptSet(scripts.map(hashOf)).balanceOf(indexed)).toBe(balance);
});

test.each([
  [[theirs, yours, mine], 0],
  [[Uint8Array.of(0x54), mine, theirs], 1],
  [[Uint8Array.of(0x54)], undefined],
])("the first of %j that it touches is the one at %s", (scripts, position) => {
  expect(new ScriptSet(scripts.map(hashOf)).firstOf(indexed)).toBe(position);
});
