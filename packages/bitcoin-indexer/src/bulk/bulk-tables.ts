import type { Table } from "../store/layout.ts";
import { type BulkJournal, parseJournal } from "./bulk-journal.ts";

/** One row, committed together with the rows that it tells of; gone when the index is whole. */
export const bulkJournals: Table<[], BulkJournal> = {
  name: "bulk-journal",
  key: () => Buffer.from("journal"),
  encode: (journal) => Buffer.from(JSON.stringify(journal)),
  decode: (bytes) => parseJournal(Buffer.from(copyOf(bytes)).toString("utf8")),
};

/** Bytes of a number of an output in keys. */
const voutLength = 3;

/**
 * Unspent outputs that memory had no room for, by outpoint; the value is the making transaction's number and the words of the output's
 * record in the machine's order. Gone when the index is whole.
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

/** The engine's values are views of memory that is longer than their `length` says, and is used again. */
export function copyOf(bytes: Uint8Array): Uint8Array {
  return Uint8Array.prototype.slice.call(bytes, 0, bytes.length);
}
