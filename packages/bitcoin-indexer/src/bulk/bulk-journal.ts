import type { BlockPosition } from "../store/layout.ts";
import type { WordFile } from "./run-file.ts";

/** Names of the tables that are built from sorted runs, in build order. */
export const sortedTables = ["heights", "numbers", "spends", "scripts", "unspent", "addresses"] as const;

export type SortedTable = (typeof sortedTables)[number];

/** Progress of a bulk index: everything that a start after a crash resumes from, alongside the rows that were committed with it. */
export interface BulkJournal {
  /** Height of the last block in the tables and files; -1 before the first. */
  readonly height: number;
  /** Hash of that block, in hex of wire order; empty before the first. */
  readonly hash: string;
  readonly nextTransactionNumber: number;
  /** Decimal. */
  readonly chainWork: string;
  /** Times of the highest blocks, as many as the next median needs. */
  readonly times: readonly number[];
  readonly blocksEnd: BlockPosition;
  /** Height below the first bad block: the index ends here. */
  readonly lastHeight?: number | undefined;
  /** Unspent outputs in memory. */
  readonly unspent?: WordFile | undefined;
  /** Number of rows of `spilledOutputs`. */
  readonly spilled: number;
  /** Txids, in hex of wire order, that more than one transaction may have. */
  readonly repeated: readonly string[];
  readonly runs: Readonly<Record<SortedTable, readonly WordFile[]>>;
  /** Number of the next file. Each number is used once in a file name. */
  readonly nextFile: number;
  /** Table that is being built once all blocks are joined, and the number of records of its runs that its rows already contain. */
  readonly making?: { readonly table: number; readonly records: number } | undefined;
}

const noRuns = { heights: [], numbers: [], spends: [], scripts: [], unspent: [], addresses: [] };

/** Journal before the first block. */
export const emptyJournal: BulkJournal = {
  height: -1,
  hash: "",
  nextTransactionNumber: 0,
  chainWork: "0",
  times: [],
  blocksEnd: { file: 0, offset: 0 },
  spilled: 0,
  repeated: [],
  runs: noRuns,
  nextFile: 0,
};

/** Returns every file that a journal lists. */
export function journalFiles({ runs, unspent }: BulkJournal): readonly WordFile[] {
  return [...sortedTables.flatMap((table) => runs[table]), ...(unspent === undefined ? [] : [unspent])];
}

/** Parses a journal, the inverse of `JSON.stringify`. It was written by this version, because its directory has this layout. */
export function parseJournal(text: string): BulkJournal {
  return JSON.parse(text) as BulkJournal;
}
