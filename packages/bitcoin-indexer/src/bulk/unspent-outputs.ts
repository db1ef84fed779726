import type { Environment } from "../store/environment.ts";
import { copyOf, spilledOutputs } from "./bulk-tables.ts";
import { putReplacedOutput, type ReplacedRecord } from "./put-replaced-output.ts";
import type { RowSorter } from "./row-sorter.ts";
import { recordColumn, recordHeadWords, UnspentArena } from "./unspent-arena.ts";

const none = -1;

/**
 * Unspent outputs of the chain so far: the latest in memory, the oldest in a table of the index's environment when memory is too small for
 * all.
 */
export class UnspentOutputs {
  readonly arena: UnspentArena;
  readonly #environment: Environment;
  readonly #rows: RowSorter;
  #spilled: number;
  /** Number of the transaction whose output was taken last. */
  takenFrom = 0;

  constructor(environment: Environment, capacity: number, spilled: number, rows: RowSorter) {
    this.arena = new UnspentArena(capacity);
    this.#environment = environment;
    this.#rows = rows;
    this.#spilled = spilled;
  }

  /** Number of rows of `spilledOutputs`. */
  get spilled(): number {
    return this.#spilled;
  }

  /** Takes the output with the given txid (eight words at `txid`) and number. Returns the first word of its record in the arena, or -1. */
  take(source: Uint32Array, txid: number, vout: number): number {
    const { arena } = this;
    const entry = arena.find(source, txid);
    if (entry === none) return this.#spilled === 0 ? none : this.#takeSpilled(source, txid, vout);
    this.takenFrom = arena.transactionNumberOf(entry);
    return arena.take(entry, vout);
  }

  /** Hides outputs of earlier transactions with this txid, which are replaced. `mayBeSpilled`: there may have been one. */
  shadow(source: Uint32Array, txid: number, mayBeSpilled: boolean): void {
    const { arena } = this;
    const entry = arena.find(source, txid);
    if (entry !== none) {
      for (const { record, transactionNumber, vout } of arena.outputsOf(entry)) {
        putReplacedOutput(this.#environment, {
          txids: arena.words,
          txid: entry,
          transactionNumber,
          vout,
          records: arena.words,
          record,
        });
      }
      arena.remove(entry);
    }
    if (!mayBeSpilled || this.#spilled === 0) return;
    const bytes = txidBytes(source, txid);
    const range = { start: spilledOutputs.key(bytes, 0), end: spilledOutputs.key(bytes, maximumVout) };
    for (const { key, value } of this.#environment.rows(spilledOutputs, range)) {
      putReplacedOutput(this.#environment, spilledRecord(key, value));
      this.#environment.removeBytes(spilledOutputs, key);
      this.#spilled -= 1;
    }
  }

  /** Moves the oldest outputs out of a compact arena until it holds at most `words`. */
  spill(words: number): void {
    const { arena } = this;
    const oldest: number[] = [];
    let left = arena.end;
    for (const entry of arena.entries()) {
      if (left <= words) break;
      oldest.push(entry);
      left -= arena.lengthOf(entry);
    }
    const leadOf = (entry: number): number => Buffer.from(arena.words.buffer, entry * 4, 4).readUInt32BE();
    // Sorted, so that neighboring rows are written one after the other.
    for (const entry of oldest.map((entry) => ({ entry, lead: leadOf(entry) })).toSorted((a, b) => a.lead - b.lead)) {
      this.#spillEntry(entry.entry);
    }
    arena.compact();
  }

  /** Adds the row of every remaining output, and yields periodically, so that rows can be written when there are many. */
  *addRows(): Generator<void> {
    const { arena } = this;
    for (const entry of arena.entries()) {
      for (const { record, transactionNumber, vout } of arena.outputsOf(entry)) {
        this.#addRow(arena.words, entry, transactionNumber, vout, arena.words, record);
      }
      yield;
    }
    if (this.#spilled === 0) return;
    for (const { key, value } of this.#environment.everyRow(spilledOutputs)) {
      this.#addSpilledRow(key, value);
      yield;
    }
  }

  #takeSpilled(source: Uint32Array, txid: number, vout: number): number {
    const key = spilledOutputs.key(txidBytes(source, txid), vout & maximumVout);
    if (vout > maximumVout) return none;
    const value = this.#environment.getBytes(spilledOutputs, key);
    if (value === undefined) return none;
    const row = wordsOf(value);
    const { arena } = this;
    arena.reserve(row.length + UnspentArena.wordsFor(0, 0));
    const record = arena.addTaken(row[1 + recordColumn.scriptLength] ?? 0);
    arena.words.set(row.subarray(1), record);
    this.takenFrom = row[0] ?? 0;
    this.#environment.removeBytes(spilledOutputs, key);
    this.#spilled -= 1;
    return record;
  }

  #spillEntry(entry: number): void {
    const { arena } = this;
    const { words } = arena;
    const txid = txidBytes(words, entry);
    for (const { record, transactionNumber, vout } of arena.outputsOf(entry)) {
      const length = recordHeadWords + (((words[record + recordColumn.scriptLength] ?? 0) + 3) >>> 2);
      const row = new Uint32Array(1 + length);
      row[0] = transactionNumber;
      row.set(words.subarray(record, record + length), 1);
      const value = new Uint8Array(row.buffer);
      this.#environment.putBytes(spilledOutputs, spilledOutputs.key(txid, vout), value, false);
      this.#spilled += 1;
    }
    arena.remove(entry);
  }

  #addSpilledRow(key: Uint8Array, value: Uint8Array): void {
    const { txids, txid, transactionNumber, vout, records, record } = spilledRecord(key, value);
    this.#addRow(txids, txid, transactionNumber, vout, records, record);
  }

  #addRow(
    txids: Uint32Array,
    txid: number,
    transactionNumber: number,
    vout: number,
    records: Uint32Array,
    record: number,
  ): void {
    const start = this.#rows.add(records[record + recordColumn.hash] ?? 0);
    const { words } = this.#rows;
    for (let word = 0; word < 4; word += 1) words[start + word] = records[record + recordColumn.hash + word] ?? 0;
    words[start + 4] = transactionNumber;
    words[start + 5] = vout;
    for (let word = 0; word < 8; word += 1) words[start + 6 + word] = txids[txid + word] ?? 0;
    words[start + 14] = records[record + recordColumn.valueLow] ?? 0;
    words[start + 15] = records[record + recordColumn.valueHigh] ?? 0;
  }
}

/** Decodes a row of `spilledOutputs`. */
function spilledRecord(key: Uint8Array, value: Uint8Array): ReplacedRecord {
  const records = wordsOf(value);
  const vout = Buffer.from(copyOf(key)).readUIntBE(32, 3);
  return { txids: wordsOf(key.subarray(0, 32)), txid: 0, transactionNumber: records[0] ?? 0, vout, records, record: 1 };
}

/** Largest vout of three bytes: a block can't hold that many outputs. */
const maximumVout = 0xffffff;

function txidBytes(words: Uint32Array, txid: number): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset + txid * 4, 32);
}

/** Returns a copy at a word-aligned address. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(Uint8Array.from(copyOf(bytes)).buffer);
}
