import { ByteReader } from "./byte-codec.ts";
import type { TableReads } from "./environment.ts";
import { histories, maximumTransactionNumber, scriptPrefixLength } from "./layout.ts";

/**
 * Returns the row of a script's history that contains `transactionNumber`, or otherwise the latest one below it: transaction numbers,
 * ascending. `undefined` if no row matches.
 */
export function findHistoryRow(
  reads: TableReads,
  scriptHash: Uint8Array,
  transactionNumber: number,
): readonly number[] | undefined {
  const range = {
    start: histories.key(scriptHash, transactionNumber),
    end: nextKey(histories.key(scriptHash, 0)),
    limit: 1,
  };
  const [row] = reads.rows(histories, range);
  if (row === undefined) return undefined;
  const firstNumber = maximumTransactionNumber - new ByteReader(row.key, scriptPrefixLength).uint32();
  return histories.decode(row.value, scriptHash, firstNumber);
}

/** Returns the first key after `key` in byte order. */
export function nextKey(key: Uint8Array): Buffer {
  const behind = Buffer.alloc(key.length + 1);
  behind.set(key);
  return behind;
}
