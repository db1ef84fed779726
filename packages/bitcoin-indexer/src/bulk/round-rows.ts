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

/** Writes the records of a round into tables that have rows already. */
export class RoundRows {
  readonly #environment: Environment;
  readonly #makers: Readonly<Record<SortedTable, RowMaker>>;
  readonly #removedKey = Buffer.alloc(scriptPrefixLength + 7);
  /** The first transaction of the round. */
  #first = 0;

  constructor(environment: Environment) {
    this.#environment = environment;
    const earlier: EarlierRows = {
      numbers: (key) => environment.getBytes(transactionNumbers, key),
      // What the round itself made has no row yet.
      spends: (number) => (number < this.#first ? environment.get(spends, number) : undefined),
      statistics: (key) => environment.get(scriptStatistics, key),
      history: (key, firstNumber) => environment.get(histories, key, firstNumber) ?? [],
    };
    this.#makers = createRowMakers(earlier);
  }

  /** `first`: of the round's transactions. `removed`: keys of `unspent-outputs`. Leaves the sorters empty. */
  write(sorters: Sorters, removed: RowSorter, first: number): void {
    this.#first = first;
    removed.drain((words) => {
      for (let start = 0; start < words.length; start += removedWords) this.#remove(words, start);
    });
    for (const table of sortedTables) this.#writeTable(sorters[table], table);
  }

  #writeTable(sorter: RowSorter, table: SortedTable): void {
    const make = this.#makers[table];
    const { width } = recordShapes[table];
    if (sorter.length === 0) return;
    sorter.drain((words) => {
      const records = new RecordWalk(words, width);
      while (records.isLeft) make(records, (target, key, value) => this.#put(target, key, value));
    });
  }

  #put(table: { readonly name: string }, key: Uint8Array, value: Uint8Array): void {
    // A row of a key alone is there, or is not.
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

/** Sorted records in memory. */
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
