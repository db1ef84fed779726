import {
  addresses,
  heights,
  histories,
  historyPerRow,
  maximumTransactionNumber,
  scriptPrefixLength,
  scriptStatistics,
  type ScriptStatisticsRow,
  type SpendRow,
  spends,
  transactionNumbers,
  txidPrefixLength,
  unspentOutputs,
} from "../store/layout.ts";
import type { SortedTable } from "./bulk-journal.ts";
import { addressWords, spendFlag } from "./joined-rows.ts";
import type { SortedRecords } from "./merged-runs.ts";
import { maximumVarintLength, RowBytes } from "./row-bytes.ts";

/** Appends a row to a table; key and value are valid only during the call. */
type AppendRow = (table: { readonly name: string }, key: Uint8Array, value: Uint8Array) => void;

/**
 * Builder of the rows of one key from the records that begin with it; the merged runs are at the first of them.
 *
 * It advances to the first record of the next key and returns the number of consumed records; `isLeft` is false at the end.
 */
export type RowMaker = (
  records: SortedRecords,
  append: AppendRow,
) => { readonly count: number; readonly isLeft: boolean };

/** Existing rows, where tables are not empty. */
export interface EarlierRows {
  /** Returns the row of the transactions whose txids begin with the key; valid until the next read. */
  numbers(key: Uint8Array): Uint8Array | undefined;
  spends(fundingTransactionNumber: number): readonly SpendRow[] | undefined;
  statistics(key: Uint8Array): ScriptStatisticsRow | undefined;
  history(key: Uint8Array, firstTransactionNumber: number): readonly number[];
}

/**
 * Creates the builders of the tables that are built from sorted runs: the same rows as those of an index that grew block by block. With
 * `earlier`, rows extend the existing ones.
 */
export function createRowMakers(earlier?: EarlierRows): Readonly<Record<SortedTable, RowMaker>> {
  return {
    heights: heightMaker(),
    numbers: numbersMaker(earlier),
    spends: spendsMaker(earlier),
    scripts: scriptMaker(earlier),
    unspent: unspentMaker(),
    addresses: addressMaker(),
  };
}

function heightMaker(): RowMaker {
  const key = Buffer.alloc(32);
  const row = new RowBytes();
  return (records, append) => {
    const { words, start } = records;
    for (let word = 0; word < 8; word += 1) key.writeUInt32BE(words[start + word] ?? 0, word * 4);
    row.uint32(words[start + 8] ?? 0);
    append(heights, key, row.take());
    return { count: 1, isLeft: records.next() };
  };
}

/** Creates the builder for transaction numbers. Transactions whose txids share their first bytes share a row. */
function numbersMaker(earlier: EarlierRows | undefined): RowMaker {
  const key = Buffer.alloc(txidPrefixLength);
  const row = new RowBytes();
  return (records, append) => {
    const first = records.words[records.start] ?? 0;
    const second = records.words[records.start + 1] ?? 0;
    key.writeUInt32BE(first, 0);
    key.writeUInt32BE(second, 4);
    const before = earlier?.numbers(key);
    if (before !== undefined) {
      row.reserve(before.length);
      row.copy(before, 0, before.length);
    }
    let count = 0;
    let isLeft = true;
    for (
      ;
      isLeft && records.words[records.start] === first && records.words[records.start + 1] === second;
      count += 1
    ) {
      row.reserve(4);
      row.uint32(records.words[records.start + 2] ?? 0);
      isLeft = records.next();
    }
    append(transactionNumbers, key, row.take());
    return { count, isLeft };
  };
}

function spendsMaker(earlier: EarlierRows | undefined): RowMaker {
  const key = Buffer.alloc(4);
  const row = new RowBytes();
  return (records, append) => {
    const funding = records.words[records.start] ?? 0;
    const before = earlier?.spends(funding);
    if (before !== undefined) return addSpends(records, funding, before, append);
    let next = 0;
    let count = 0;
    let isLeft = true;
    for (; isLeft && records.words[records.start] === funding; count += 1) {
      const { words, start } = records;
      const vout = words[start + 1] ?? 0;
      row.reserve(3 * maximumVarintLength);
      row.varint(vout - next);
      row.varint((words[start + 2] ?? 0) - funding);
      row.varint(words[start + 3] ?? 0);
      next = vout + 1;
      isLeft = records.next();
    }
    key.writeUInt32BE(funding, 0);
    append(spends, key, row.take());
    return { count, isLeft };
  };
}

/** Adds spends of a transaction of which some outputs are spent already. */
function addSpends(
  records: SortedRecords,
  funding: number,
  before: readonly SpendRow[],
  append: AppendRow,
): ReturnType<RowMaker> {
  const rows = [...before];
  let isLeft = true;
  while (isLeft && records.words[records.start] === funding) {
    const { words, start } = records;
    rows.push({ vout: words[start + 1] ?? 0, transactionNumber: words[start + 2] ?? 0, vin: words[start + 3] ?? 0 });
    isLeft = records.next();
  }
  const count = rows.length - before.length;
  rows.sort((left, right) => left.vout - right.vout);
  append(spends, spends.key(funding), spends.encode(rows, funding));
  return { count, isLeft };
}

/** Creates the builder for one script: its history, of which the latest row stands first, and its statistics. */
function scriptMaker(earlier: EarlierRows | undefined): RowMaker {
  const key = Buffer.alloc(scriptPrefixLength + 4);
  const scriptKey = key.subarray(0, scriptPrefixLength);
  const row = new RowBytes();
  const funded = new Sum();
  const spent = new Sum();
  let numbers = new Uint32Array(1024);
  return (records, append) => {
    const first = records.start;
    for (let word = 0; word < 4; word += 1) key.writeUInt32BE(records.words[first + word] ?? 0, word * 4);
    const [k0, k1, k2, k3] = [0, 1, 2, 3].map((word) => records.words[first + word] ?? 0);
    let transactions = 0;
    /** Transactions in rows that stay unchanged. */
    let transactionsBefore = 0;
    let count = 0;
    let isLeft = true;
    const before = earlier?.statistics(scriptKey);
    funded.start(before?.fundedOutputs ?? 0, before?.fundedValue ?? 0n);
    spent.start(before?.spentOutputs ?? 0, before?.spentValue ?? 0n);
    if (earlier !== undefined && before !== undefined) {
      const isFull = before.transactions % historyPerRow === 0;
      for (const number of isFull ? [] : earlier.history(scriptKey, before.newestHistoryRow)) {
        numbers[transactions] = number;
        transactions += 1;
      }
      transactionsBefore = before.transactions - transactions;
    }
    while (isLeft) {
      const { words, start } = records;
      if (words[start] !== k0 || words[start + 1] !== k1 || words[start + 2] !== k2 || words[start + 3] !== k3) break;
      const number = words[start + 4] ?? 0;
      if (transactions === 0 || numbers[transactions - 1] !== number) {
        if (transactions === numbers.length) {
          const larger = new Uint32Array(numbers.length * 2);
          larger.set(numbers);
          numbers = larger;
        }
        numbers[transactions] = number;
        transactions += 1;
      }
      const high = words[start + 5] ?? 0;
      const low = words[start + 6] ?? 0;
      if (high >= spendFlag) spent.add((high - spendFlag) * 0x1_0000_0000 + low);
      else funded.add(high * 0x1_0000_0000 + low);
      count += 1;
      isLeft = records.next();
    }
    const lastStart = Math.floor((transactions - 1) / historyPerRow) * historyPerRow;
    for (let rowStart = lastStart; rowStart >= 0; rowStart -= historyPerRow) {
      key.writeUInt32BE(maximumTransactionNumber - (numbers[rowStart] ?? 0), scriptPrefixLength);
      const end = Math.min(rowStart + historyPerRow, transactions);
      row.reserve((end - rowStart) * maximumVarintLength);
      for (let index = rowStart + 1; index < end; index += 1) {
        row.varint((numbers[index] ?? 0) - (numbers[index - 1] ?? 0));
      }
      append(histories, key, row.take());
    }
    row.reserve(6 * 20);
    row.varint(transactionsBefore + transactions);
    row.varint(funded.count);
    funded.write(row);
    row.varint(spent.count);
    spent.write(row);
    row.uint32(numbers[lastStart] ?? 0);
    append(scriptStatistics, scriptKey, row.take());
    return { count, isLeft };
  };
}

function unspentMaker(): RowMaker {
  const key = Buffer.alloc(scriptPrefixLength + 7);
  const row = new RowBytes();
  return (records, append) => {
    const { words, start } = records;
    for (let word = 0; word < 5; word += 1) key.writeUInt32BE(words[start + word] ?? 0, word * 4);
    key.writeUIntBE(words[start + 5] ?? 0, scriptPrefixLength + 4, 3);
    row.copyWords(words, start + 6, 32);
    row.varint((words[start + 15] ?? 0) * 0x1_0000_0000 + (words[start + 14] ?? 0));
    append(unspentOutputs, key, row.take());
    return { count: 1, isLeft: records.next() };
  };
}

/** Creates the builder for addresses. An address may occur more than once among the records. */
function addressMaker(): RowMaker {
  const key = Buffer.alloc(addressWords * 4);
  const noBytes = new Uint8Array(0);
  return (records, append) => {
    for (let word = 0; word < addressWords; word += 1) {
      key.writeUInt32BE(records.words[records.start + word] ?? 0, word * 4);
    }
    const padding = key.indexOf(0);
    append(addresses, padding === -1 ? key : key.subarray(0, padding), noBytes);
    let count = 0;
    let isLeft = true;
    const copy = Uint32Array.from(records.words.subarray(records.start, records.start + addressWords));
    while (isLeft && copy.every((word, index) => word === records.words[records.start + index])) {
      count += 1;
      isLeft = records.next();
    }
    return { count, isLeft };
  };
}

/** Sum of amounts that may exceed what a number holds exactly: the total received by a busy script. */
class Sum {
  count = 0;
  #low = 0;
  #rest = 0n;

  start(count: number, value: bigint): void {
    this.count = count;
    this.#low = 0;
    this.#rest = 0n;
    if (value < 2n ** 52n) this.#low = Number(value);
    else this.#rest = value;
  }

  /** Adds a value, which is at most the total supply, 2.1e15. */
  add(value: number): void {
    this.count += 1;
    this.#low += value;
    if (this.#low < 2 ** 52) return;
    this.#rest += BigInt(this.#low);
    this.#low = 0;
  }

  /** Writes the sum as a varint without upper bound. */
  write(row: RowBytes): void {
    if (this.#rest === 0n) {
      row.varint(this.#low);
      return;
    }
    let rest = this.#rest + BigInt(this.#low);
    while (rest > 0x7fn) {
      row.byte(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    row.byte(Number(rest));
  }
}
