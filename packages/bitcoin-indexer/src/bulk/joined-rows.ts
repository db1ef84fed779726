import type { Network } from "@nodewright/bitcoin-primitives";
import type { SortedTable } from "./bulk-journal.ts";
import type { RecordShape } from "./merged-runs.ts";
import { RowSorter } from "./row-sorter.ts";

/** Words of an address, padded with zeros: none is longer than 92 characters. */
export const addressWords = 23;

/** Record shapes from which tables with scattered keys are built. Hashes and numbers are words that sort as their bytes do. */
export const recordShapes: Readonly<Record<SortedTable, RecordShape>> = {
  /** Block hash | height. */
  heights: { width: 9, keyWords: 8 },
  /** First two words of a txid | transaction number. */
  numbers: { width: 3, keyWords: 2 },
  /** Funding transaction number, vout | spending transaction number, vin. */
  spends: { width: 4, keyWords: 2 },
  /** Four words of a script hash | transaction number, value, whose high word has `spendFlag` where it is spent. */
  scripts: { width: 7, keyWords: 4 },
  /** Four words of a script hash, transaction number, vout | txid in the byte order of memory, value. */
  unspent: { width: 16, keyWords: 6 },
  /** An address. */
  addresses: { width: addressWords, keyWords: addressWords },
};

/** Flag in the high word of a value, which no amount of money reaches. */
export const spendFlag = 0x80000000;

export type Sorters = Readonly<Record<SortedTable, RowSorter>>;

/** Creates the sorters. `words`: capacity of each sorter before it reports that it is full. */
export function createSorters(words: number): Sorters {
  const sorterOf = (table: SortedTable): RowSorter => {
    const { width, keyWords } = recordShapes[table];
    return new RowSorter(width, keyWords, Math.max(1, Math.floor(words / width)));
  };
  return {
    heights: sorterOf("heights"),
    numbers: sorterOf("numbers"),
    spends: sorterOf("spends"),
    scripts: sorterOf("scripts"),
    unspent: sorterOf("unspent"),
    addresses: sorterOf("addresses"),
  };
}

/** Returns a word with its four bytes in the other order. */
export function swapBytes(word: number): number {
  return ((word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)) >>> 0;
}

/** Network of the addresses, where they are kept. */
export type AddressesOf = Network | undefined;
