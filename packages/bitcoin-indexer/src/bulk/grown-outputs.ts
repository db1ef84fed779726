import { hashScript } from "@nodewright/bitcoin-primitives";
import { ByteWriter } from "../store/byte-codec.ts";
import { writeScript } from "../store/script-codec.ts";
import type { Environment } from "../store/environment.ts";
import type { StoredTransactions } from "../store/stored-transactions.ts";
import type { SpendableArena } from "./block-joiner.ts";
import { putReplacedOutput } from "./put-replaced-output.ts";
import { RowSorter } from "./row-sorter.ts";
import { recordColumn, UnspentArena } from "./unspent-arena.ts";

const none = -1;

/** Words of an output's key in `unspent-outputs`: four words of a script hash, transaction number, vout. */
export const removedWords = 6;

/** Upper bound of output numbers in a block: an output takes at least nine bytes. */
const voutsPerTransaction = 2 ** 19;

/** 32-bit words of the outputs in memory, and of those that are kept from round to round: most inputs spend these. */
const arenaWords = 4 * 1024 * 1024;
const keptWords = 2.5 * 1024 * 1024;

/**
 * Unspent outputs of an index that grows in rounds: those of recent transactions in memory, all others in its tables.
 *
 * The tables are those of the last round. Outputs created and spent in this round are tracked alongside them.
 */
export class GrownOutputs implements SpendableArena {
  readonly arena: UnspentArena;
  /** Outputs of earlier rounds that this round spends. */
  readonly removed: RowSorter = new RowSorter(removedWords, removedWords, Number.POSITIVE_INFINITY);
  readonly #rows: RowSorter;
  readonly #transactions: StoredTransactions;
  readonly #environment: Environment;
  readonly #scripts = new ByteWriter();
  /** Number of the first transaction of this round. */
  #first: number;
  /** Transactions of this round, by the first words of their txids. */
  readonly #made = new Set<number>();
  /** Outputs of earlier rounds that this round has spent. */
  readonly #taken = new Set<number>();
  takenFrom = 0;

  /**
   * Creates the outputs. `rows`: sink of the records of outputs that a round leaves. `first`: number of the first transaction of the first
   * round.
   */
  constructor(environment: Environment, transactions: StoredTransactions, rows: RowSorter, first: number) {
    this.arena = new UnspentArena(arenaWords);
    this.#environment = environment;
    this.#transactions = transactions;
    this.#rows = rows;
    this.#first = first;
  }

  take(source: Uint32Array, txid: number, vout: number): number {
    const record = this.#find(source, txid, vout);
    if (record !== none && this.takenFrom < this.#first) {
      this.#taken.add(this.takenFrom * voutsPerTransaction + vout);
      this.#addRemoved(record, vout);
    }
    return record;
  }

  shadow(source: Uint32Array, txid: number): void {
    const { arena } = this;
    this.#made.add(fingerprint(source, txid));
    const entry = arena.find(source, txid);
    if (entry === none) return;
    this.#replace(entry);
    arena.remove(entry);
  }

  /** Replaces the outputs that are already in the tables, once the round's rows are there. */
  #replace(entry: number): void {
    const { arena } = this;
    if (arena.transactionNumberOf(entry) < this.#first) return;
    for (const { record, transactionNumber, vout } of arena.outputsOf(entry)) {
      const records = arena.words;
      putReplacedOutput(this.#environment, { txids: records, txid: entry, transactionNumber, vout, records, record });
    }
  }

  /** Adds the rows of the outputs that this round leaves. */
  addRows(): void {
    for (const entry of this.arena.entries()) this.#addRows(entry);
  }

  /** Records that the tables now have the state of this round. `next`: first transaction of the next one. */
  settle(next: number): void {
    const { arena } = this;
    this.#made.clear();
    this.#taken.clear();
    this.#first = next;
    arena.compact();
    if (arena.end <= keptWords) return;
    let left = arena.end;
    for (const entry of arena.entries()) {
      if (left <= keptWords / 2) break;
      left -= arena.lengthOf(entry);
      arena.remove(entry);
    }
    arena.compact();
  }

  #find(source: Uint32Array, txid: number, vout: number): number {
    const { arena } = this;
    const entry = arena.find(source, txid);
    if (entry === none) return this.#findStored(source, txid, vout);
    this.takenFrom = arena.transactionNumberOf(entry);
    return arena.take(entry, vout);
  }

  /** Returns the record of an output in the tables. */
  #findStored(source: Uint32Array, txid: number, vout: number): number {
    // All its outputs are spent, though the tables may have an earlier transaction with this txid.
    if (this.#made.has(fingerprint(source, txid))) return none;
    const name = Buffer.from(source.buffer, source.byteOffset + txid * 4, 32);
    const output = this.#transactions.findUnspentOutput({ txid: Uint8Array.from(name), vout });
    if (output === undefined) return none;
    this.takenFrom = output.transactionNumber;
    if (this.#taken.has(this.takenFrom * voutsPerTransaction + vout)) return none;
    const { arena } = this;
    writeScript(this.#scripts, output.scriptPubKey);
    const script = this.#scripts.take();
    arena.reserve(UnspentArena.wordsFor(1, script.length));
    const record = arena.addTaken(script.length);
    const hash = Buffer.from(hashScript(output.scriptPubKey));
    const { words } = arena;
    words[record + recordColumn.valueLow] = Number(output.value & 0xffffffffn);
    words[record + recordColumn.valueHigh] = Number(output.value >> 32n);
    for (let word = 0; word < 4; word += 1) words[record + recordColumn.hash + word] = hash.readUInt32BE(word * 4);
    arena.copyScript(record, script, 0, script.length);
    return record;
  }

  #addRemoved(record: number, vout: number): void {
    const { words: records } = this.arena;
    const start = this.removed.add(records[record + recordColumn.hash] ?? 0);
    const { words } = this.removed;
    for (let word = 0; word < 4; word += 1) words[start + word] = records[record + recordColumn.hash + word] ?? 0;
    words[start + 4] = this.takenFrom;
    words[start + 5] = vout;
  }

  /** Adds the rows of an entry. Rows of an earlier round are in the tables already. */
  #addRows(entry: number): void {
    const { arena } = this;
    if (arena.transactionNumberOf(entry) < this.#first) return;
    const { words: records } = arena;
    for (const { record, transactionNumber, vout } of arena.outputsOf(entry)) {
      const start = this.#rows.add(records[record + recordColumn.hash] ?? 0);
      const { words } = this.#rows;
      for (let word = 0; word < 4; word += 1) words[start + word] = records[record + recordColumn.hash + word] ?? 0;
      words[start + 4] = transactionNumber;
      words[start + 5] = vout;
      for (let word = 0; word < 8; word += 1) words[start + 6 + word] = records[entry + word] ?? 0;
      words[start + 14] = records[record + recordColumn.valueLow] ?? 0;
      words[start + 15] = records[record + recordColumn.valueHigh] ?? 0;
    }
  }
}

/** Returns 53 of the first 64 bits: as many as a number can hold. */
function fingerprint(words: Uint32Array, txid: number): number {
  return (words[txid] ?? 0) * 0x200000 + ((words[txid + 1] ?? 0) >>> 11);
}
