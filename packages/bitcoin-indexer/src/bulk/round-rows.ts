import { setImmediate as nextTimeSlice } from "node:timers/promises";
import type { Environment } from "../store/environment.ts";
import {
  addresses,
  histories,
  scriptPrefixLength,
  scriptStatistics,
  spends,
  transactionNumbers,
  unspentOutputs,
} from "../store/layout.ts";
import { type SortedTable, sortedTables } from "./bulk-journal.ts";
import { removedWords } from "./grown-outputs.ts";
import { recordShapes, type Sorters } from "./joined-rows.ts";
import type { SortedRecords } from "./merged-runs.ts";
import type { RowSorter } from "./row-sorter.ts";
import { createRowMakers, type EarlierRows, type RowMaker } from "./sorted-tables.ts";

/** Maximum time in milliseconds without handling signals and messages. */
const turnMilliseconds = 50;

/** Writer of the records of a round into tables that have rows already. */
export class RoundRows {
  readonly #environment: Environment;
  readonly #makers: Readonly<Record<SortedTable, RowMaker>>;
  readonly #removedKey = Buffer.alloc(scriptPrefixLength + 7);
  /** First transaction of the round. */
  #first = 0;
  #repeatedKeys: Buffer[] = [];

  constructor(environment: Environment) {
    this.#environment = environment;
    const earlier: EarlierRows = {
      numbers: (key) => {
        const row = environment.getBytes(transactionNumbers, key);
        if (row !== undefined) this.#repeatedKeys.push(Buffer.from(key));
        return row;
      },
      // Outputs created in this round have no row yet.
      spends: (number) => (number < this.#first ? environment.get(spends, number) : undefined),
      statistics: (key) => environment.get(scriptStatistics, key),
      history: (key, firstNumber) => {
        const row = environment.get(histories, key, firstNumber);
        if (row === undefined)
          throw environment.damaged(`there is no row of history from transaction ${firstNumber} on`);
        return row;
      },
    };
    this.#makers = createRowMakers(earlier);
  }

  /**
   * Writes the rows and empties the sorters. `first`: first of the round's transactions. `removed`: keys of `unspent-outputs`. Signals and
   * messages are handled meanwhile. Throws the reason of `signal` when that is aborted.
   */
  async write(sorters: Sorters, removed: RowSorter, first: number, signal: AbortSignal): Promise<void> {
    this.#first = first;
    let lastTurn = performance.now();
    for (const _ of this.#parts(sorters, removed)) {
      if (performance.now() - lastTurn < turnMilliseconds) continue;
      await nextTimeSlice();
      signal.throwIfAborted();
      lastTurn = performance.now();
    }
  }

  /** Returns and clears the keys of `transaction-numbers` under which the round's transactions were not the first. */
  repeatedKeys(): readonly Buffer[] {
    const keys = this.#repeatedKeys;
    this.#repeatedKeys = [];
    return keys;
  }

  /** Writes a part before each yield. */
  *#parts(sorters: Sorters, removed: RowSorter): Generator<void> {
    if (removed.length > 0) {
      for (const words of removed.drained()) {
        for (let start = 0; start < words.length; start += removedWords) this.#remove(words, start);
        yield;
      }
    }
    for (const table of sortedTables) {
      if (sorters[table].length === 0) continue;
      for (const words of sorters[table].drained()) {
        this.#writeRecords(words, table);
        yield;
      }
    }
  }

  #writeRecords(words: Uint32Array, table: SortedTable): void {
    const make = this.#makers[table];
    const records = new RecordWalk(words, recordShapes[table].width);
    while (records.isLeft) make(records, (target, key, value) => this.#put(target, key, value));
  }

  #put(table: { readonly name: string }, key: Uint8Array, value: Uint8Array): void {
    // A key-only row exists or does not.
    if (table === addresses && this.#environment.getBytes(addresses, key) !== undefined) return;
    this.#environment.putBytes(table, key, value, false);
  }

  #remove(words: Uint32Array, start: number): void {
    const key = this.#removedKey;
    for (let word = 0; word < 5; word += 1) key.writeUInt32BE(words[start + word] ?? 0, word * 4);
    key.writeUIntBE(words[start + 5] ?? 0, scriptPrefixLength + 4, 3);
    this.#environment.removeBytes(unspentOutputs, key);
  }
}

/** Sequence of sorted records in memory. */
class RecordWalk implements SortedRecords {
  readonly words: Uint32Array;
  readonly #width: number;
  start = 0;

  constructor(words: Uint32Array, width: number) {
    this.words = words;
    this.#width = width;
  }

  get isLeft(): boolean {
    return this.start < this.words.length;
  }

  next(): boolean {
    this.start += this.#width;
    return this.isLeft;
  }
}
