import { fromHex } from "@nodewright/bitcoin-primitives";
import { ByteReader } from "../store/byte-codec.ts";
import type { TableReads } from "../store/environment.ts";
import { findHistoryRow, nextKey } from "../store/find-history-row.ts";
import {
  addresses,
  maximumTransactionNumber,
  scriptPrefixLength,
  scriptStatistics,
  unspentOutputs,
  unspentValue,
} from "../store/layout.ts";
import { readReplaced } from "../store/replaced-outputs.ts";
import type {
  HistoryPage,
  IndexedTransaction,
  OutputName,
  UnspentOutput,
  UnspentOutputPage,
  WriteTransaction,
  WrittenTransaction,
} from "./chain-queries.ts";
import type { ScriptStatistics } from "../store/script-sums-codec.ts";
import { displayHashes } from "./display-hashes.ts";
import type { Snapshot } from "./snapshot.ts";
import type { WrittenTransactions } from "./written-transactions.ts";

/** Largest vout that a key can hold. */
const maximumVout = 0xffffff;

/**
 * Returns the statistics; `undefined` for a script that the best chain never paid. `hasReplaced`: whether there are outputs that were
 * replaced (BIP 30). Those count as never created, and their transactions once: funded minus spent is unspent.
 */
export function readStatistics(reads: TableReads, text: string, hasReplaced: boolean): ScriptStatistics | undefined {
  const scriptHash = scriptHashBytes(text);
  const row = scriptHash === undefined ? undefined : reads.get(scriptStatistics, scriptHash);
  if (row === undefined) return undefined;
  const { newestHistoryRow: _, ...statistics } = row;
  const replaced = hasReplaced && scriptHash !== undefined ? readReplaced(reads, scriptHash) : undefined;
  if (replaced === undefined) return statistics;
  return {
    ...statistics,
    fundedOutputs: statistics.fundedOutputs - replaced.outputs,
    fundedValue: statistics.fundedValue - replaced.value,
    transactions: statistics.transactions - replaced.transactionNumbers.size,
  };
}

/** Returns a page of the history, at the same cost at any position. */
export function readHistory(snapshot: Snapshot, text: string, page: HistoryPage): readonly IndexedTransaction[] {
  const scriptHash = scriptHashBytes(text);
  if (scriptHash === undefined) return [];
  return snapshot.transactionsAt(historyPage(snapshot, scriptHash, page));
}

/**
 * Returns the same, in the form of `write` where that is worth it; reads only what is not in `written`, which is at the snapshot's state.
 */
export function readWrittenHistory(
  snapshot: Snapshot,
  text: string,
  page: HistoryPage,
  write: WriteTransaction,
  written: WrittenTransactions,
): readonly (IndexedTransaction | WrittenTransaction)[] {
  const scriptHash = scriptHashBytes(text);
  if (scriptHash === undefined) return [];
  const numbers = historyPage(snapshot, scriptHash, page);
  const found = numbers.map((number) => written.find(number));
  const missing = numbers.filter((_number, position) => found[position] === undefined);
  if (missing.length === 0) return found.filter((one) => one !== undefined);
  const read = snapshot.transactionsAt(missing).values();
  return numbers.map((number, position) => found[position] ?? keepNext(snapshot, read, number, write, written));
}

function keepNext(
  snapshot: Snapshot,
  read: Iterator<IndexedTransaction, undefined>,
  number: number,
  write: WriteTransaction,
  written: WrittenTransactions,
): IndexedTransaction | WrittenTransaction {
  const indexed = read.next().value;
  if (indexed?.block === undefined) throw snapshot.reads.damaged(`there is no block for transaction ${number}`);
  if (!written.isMissedAgain(number)) return indexed;
  return written.keep(number, { txid: indexed.txid, block: indexed.block, bytes: write(indexed) });
}

/** Returns a page of unspent outputs, at the same cost at any position; an output costs one row. */
export function readUnspentOutputs(
  snapshot: Snapshot,
  text: string,
  { after, limit }: UnspentOutputPage,
): readonly UnspentOutput[] {
  const scriptHash = scriptHashBytes(text);
  if (scriptHash === undefined) return [];
  const start = after === undefined ? unspentOutputs.key(scriptHash, 0, 0) : unspentCursor(snapshot, scriptHash, after);
  if (start === undefined) return [];
  const end = nextKey(unspentOutputs.key(scriptHash, maximumTransactionNumber, maximumVout));
  const rows = snapshot.reads.rows(unspentOutputs, { start, end, limit });
  const ids = displayHashes(txidsOf(rows));
  return rows.map(({ key, value }, index) => {
    const number = new ByteReader(key, scriptPrefixLength).uint32();
    const block = snapshot.placeOf(number);
    return {
      txid: ids[index] ?? "",
      vout: readVout(key),
      value: unspentValue(value),
      isCoinbase: block.position === 0,
      block,
    };
  });
}

/** Returns the txids, one after the other. */
function txidsOf(rows: readonly { readonly value: Uint8Array }[]): Buffer {
  const longest = rows.reduce((length, { value }) => Math.max(length, value.length), 0);
  const txids = Buffer.allocUnsafeSlow(rows.length * 32 + longest);
  // Each value is written completely, because it begins with its txid, and the next one overwrites the rest of it: cheaper than a view of
  // each.
  for (const [index, { value }] of rows.entries()) txids.set(value, index * 32);
  return txids.subarray(0, rows.length * 32);
}

function readVout(key: Uint8Array): number {
  const start = scriptPrefixLength + 4;
  return ((key[start] ?? 0) << 16) | ((key[start + 1] ?? 0) << 8) | (key[start + 2] ?? 0);
}

/** Returns the addresses in byte order. */
export function readAddresses(reads: TableReads, prefix: string, limit: number): readonly string[] {
  // No address has another character, nor is any key this long.
  if (!/^[0-9A-Za-z]{0,90}$/.test(prefix)) return [];
  const start = addresses.key(prefix);
  const end = Buffer.concat([start, Buffer.of(0xff)]);
  return reads.keys(addresses, { start, end, limit }).map((key) => Buffer.from(key).toString("latin1"));
}

/** Returns the numbers of the page's transactions, latest first. */
function historyPage(
  snapshot: Snapshot,
  scriptHash: Uint8Array,
  { after, below, limit }: HistoryPage,
): readonly number[] {
  const cursor = historyCursor(snapshot, { after, below });
  if (cursor === undefined) return [];
  const replaced = snapshot.hasReplaced ? readReplaced(snapshot.reads, scriptHash)?.transactionNumbers : undefined;
  const page: number[] = [];
  for (let from = cursor; page.length < limit; ) {
    const numbers = findHistoryRow(snapshot.reads, scriptHash, from) ?? [];
    const [firstNumber] = numbers;
    if (firstNumber === undefined) break;
    const position: number = from === cursor ? numbers.findIndex((number) => number >= cursor) : -1;
    // The first row of a page after a transaction contains it, or no row does.
    if (after !== undefined && from === cursor && numbers[position] !== cursor) return [];
    const end = position === -1 ? numbers.length : position;
    for (let index = end - 1; index >= 0 && page.length < limit; index -= 1) {
      const number = numbers[index] ?? 0;
      // A txid occurs in a history once, where it is confirmed: a page also continues from there.
      if (replaced?.has(number) !== true) page.push(number);
    }
    if (firstNumber === 0) break;
    from = firstNumber - 1;
  }
  return page;
}

/** Returns the transaction number that a page is below. */
function historyCursor(snapshot: Snapshot, { after, below }: Pick<HistoryPage, "after" | "below">): number | undefined {
  if (after !== undefined) return snapshot.findNumber(after);
  return below === undefined ? maximumTransactionNumber : snapshot.numberAt(below.height, below.position);
}

function unspentCursor(snapshot: Snapshot, scriptHash: Uint8Array, after: OutputName): Uint8Array | undefined {
  const number = snapshot.findNumber(after.txid);
  const isVout = Number.isInteger(after.vout) && after.vout >= 0 && after.vout <= maximumVout;
  if (number === undefined || !isVout) return undefined;
  return nextKey(unspentOutputs.key(scriptHash, number, after.vout));
}

function scriptHashBytes(text: string): Uint8Array | undefined {
  return text.length === 64 ? fromHex(text) : undefined;
}
