import type { Table } from "../store/layout.ts";
import { type BulkJournal, parseJournal } from "./bulk-journal.ts";

/** Table of one row, committed together with the rows that it describes; dropped when the index is complete. */
export const bulkJournals: Table<[], BulkJournal> = {
  name: "bulk-journal",
  key: () => Buffer.from("journal"),
  encode: (journal) => Buffer.from(JSON.stringify(journal)),
  decode: (bytes) => parseJournal(Buffer.from(copyOf(bytes)).toString("utf8")),
};

/** Bytes of an output number in keys. */
const voutLength = 3;

/**
 * Unspent outputs that did not fit in memory, by outpoint. The value is the number of the creating transaction and the words of the
 * output's record in native byte order. Dropped when the index is complete.
 */
export const spilledOutputs: Table<[txid: Uint8Array, vout: number], Uint8Array> = {
  name: "bulk-unspent-outputs",
  key: (txid, vout) => {
    const key = Buffer.allocUnsafe(32 + voutLength);
    key.set(txid);
    key.writeUIntBE(vout, 32, voutLength);
    return key;
  },
  encode: (words) => Buffer.from(words),
  decode: copyOf,
};

export const bulkTables: readonly { readonly name: string }[] = [bulkJournals, spilledOutputs];

/** Copies a value. The engine's values are views of memory that is longer than their `length`, and is reused. */
export function copyOf(bytes: Uint8Array): Uint8Array {
  return Uint8Array.prototype.slice.call(bytes, 0, bytes.length);
}
