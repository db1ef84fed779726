import { fromHex } from "@nodewright/bitcoin-primitives";
import { ByteReader } from "../store/byte-codec.ts";
import type { TableReads } from "../store/environment.ts";
import { nextKey } from "../store/find-history-row.ts";
import {
  histories,
  historyPerRow,
  maximumTransactionNumber,
  scriptPrefixLength,
  scriptStatistics,
} from "../store/layout.ts";
import type { HistorySlice, IndexedTransaction } from "./chain-queries.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * Returns the transactions of a slice of a script's history by position.
 *
 * All rows of a history except the latest hold the same number of transactions, so the rows before the slice are skipped and not read.
 */
export function readHistorySlice(
  snapshot: Snapshot,
  scriptHashText: string,
  { skip, limit }: HistorySlice,
): readonly IndexedTransaction[] {
  const scriptHash = scriptHashText.length === 64 ? fromHex(scriptHashText) : undefined;
  const length = scriptHash && snapshot.reads.get(scriptStatistics, scriptHash)?.transactions;
  if (scriptHash === undefined || length === undefined || skip >= length) return [];
  const end = Math.min(skip + limit, length);
  return snapshot.transactionsAt(numbersBetween(snapshot.reads, scriptHash, { start: skip, end, length }));
}

/** Returns transaction numbers from the 0-based `start`, counted from the oldest, to before `end`; ascending. */
function numbersBetween(
  reads: TableReads,
  scriptHash: Uint8Array,
  { start, end, length }: { readonly start: number; readonly end: number; readonly length: number },
): readonly number[] {
  const rowCount = Math.ceil(length / historyPerRow);
  const firstRow = Math.floor(start / historyPerRow);
  const lastRow = Math.floor((end - 1) / historyPerRow);
  const newest = histories.key(scriptHash, maximumTransactionNumber);
  const oldest = histories.key(scriptHash, 0);
  const limit = lastRow - firstRow + 1;
  // Starts from the nearer end of the history. Later rows come first.
  const fromOldest = firstRow <= rowCount - 1 - lastRow;
  const rows = reads.rows(
    histories,
    fromOldest
      ? { start: oldest, end: keyBefore(newest), reverse: true, limit, offset: firstRow }
      : { start: newest, end: nextKey(oldest), limit, offset: rowCount - 1 - lastRow },
  );
  const ascending = fromOldest ? rows : rows.toReversed();
  const numbers = ascending.flatMap(({ key, value }) => {
    const first = maximumTransactionNumber - new ByteReader(key, scriptPrefixLength).uint32();
    return histories.decode(value, scriptHash, first);
  });
  const skipped = firstRow * historyPerRow;
  return numbers.slice(start - skipped, end - skipped);
}

/** Returns a key that is below this one and above all of other scripts before it. */
function keyBefore(key: Uint8Array): Uint8Array {
  return key.subarray(0, scriptPrefixLength);
}
