import { ByteReader } from "./byte-codec.ts";
import type { TableReads } from "./environment.ts";
import { histories, maximumTransactionNumber, scriptPrefixLength } from "./layout.ts";

/** A row of a script's history: transaction numbers, ascending. */
export interface HistoryRow {
  readonly key: Uint8Array;
  readonly transactionNumbers: readonly number[];
}

/** At most `count` rows of a script's history, the newest first, from the row that may hold `transactionNumber` downward. */
export function historyRowsFrom(
  reads: TableReads,
  scriptHash: Uint8Array,
  transactionNumber: number,
  count: number,
): readonly HistoryRow[] {
  const range = {
    start: histories.key(scriptHash, transactionNumber),
    end: keyBehind(histories.key(scriptHash, 0)),
    limit: count,
  };
  return reads.rows(histories, range).map(({ key, value }) => {
    const firstNumber = maximumTransactionNumber - new ByteReader(key, scriptPrefixLength).uint32();
    return { key, transactionNumbers: histories.decode(value, scriptHash, firstNumber) };
  });
}

/** The first key after `key` in byte order. */
export function keyBehind(key: Uint8Array): Buffer {
  const behind = Buffer.alloc(key.length + 1);
  behind.set(key);
  return behind;
}
