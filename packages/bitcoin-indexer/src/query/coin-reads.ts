import { type Coin, isUnspendable } from "@nodewright/bitcoin-primitives";
import { nextKey } from "../store/find-history-row.ts";
import { spends, transactionNumbers, txidPrefixLength } from "../store/layout.ts";
import type { Snapshot } from "./snapshot.ts";

/** Some coins, and the position of the next ones. */
export interface ReadCoins {
  readonly coins: readonly Coin[];
  /** A key of `transactionNumbers`; `undefined` after the last. */
  readonly next: Uint8Array | undefined;
}

/** Number of keys of `transactionNumbers` that are read in one turn of the event loop: each stands for one transaction, rarely for more. */
const keysAtOnce = 64;

/** Key after every key. */
const end: Uint8Array = new Uint8Array(txidPrefixLength + 1).fill(0xff);

/** The first key. */
export const firstCoins: Uint8Array = new Uint8Array(txidPrefixLength);

/** Returns the coins of the transactions from the key `start` on, by txid in wire order, then by vout. */
export function readCoins(snapshot: Snapshot, start: Uint8Array): ReadCoins {
  const rows = snapshot.reads.rows(transactionNumbers, { start, end, limit: keysAtOnce });
  const last = rows.at(-1);
  const numbers = rows.flatMap(({ value }) => transactionNumbers.decode(value, firstCoins));
  return {
    coins: lastOfEach(snapshot, numbers).flatMap(({ txid, number }) => coinsOf(snapshot, txid, number)),
    next: last === undefined || rows.length < keysAtOnce ? undefined : nextKey(Buffer.from(last.key)),
  };
}

interface NumberedTransaction {
  readonly txid: Uint8Array;
  readonly number: number;
}

/** Returns the last of each transactions with the same txid, which has replaced the coins of the others (BIP 30). */
function lastOfEach({ stored }: Snapshot, numbers: readonly number[]): readonly NumberedTransaction[] {
  const transactions = numbers.map((number) => ({ txid: stored.txidOf(number), number }));
  transactions.sort((left, right) => Buffer.compare(left.txid, right.txid) || left.number - right.number);
  return transactions.filter(({ txid }, index) => {
    const next = transactions[index + 1];
    return next === undefined || Buffer.compare(txid, next.txid) !== 0;
  });
}

function coinsOf(snapshot: Snapshot, txid: Uint8Array, number: number): readonly Coin[] {
  const { height, position } = snapshot.placeOf(number);
  // The first block's output is unspendable.
  if (height === 0) return [];
  const place = snapshot.stored.placeOf(number);
  const spent = new Set((snapshot.reads.get(spends, number) ?? []).map(({ vout }) => vout));
  if (spent.size === place.outputCount) return [];
  const coins: Coin[] = [];
  for (const [vout, { value, scriptPubKey }] of snapshot.stored.parse(number, place).outputs.entries()) {
    if (spent.has(vout) || isUnspendable(scriptPubKey)) continue;
    coins.push({ txid, vout, height, isCoinbase: position === 0, value, scriptPubKey });
  }
  return coins;
}
