import type { BlockPosition } from "../store/layout.ts";
import type { WordFile } from "./run-file.ts";

/** Names of the tables that are made of sorted runs, in the order in which they are. */
export const sortedTables = ["heights", "numbers", "spends", "scripts", "unspent", "addresses"] as const;

export type SortedTable = (typeof sortedTables)[number];

/** How far a bulk index is: all that a start after a crash goes on from, beside the rows that were committed with it. */
export interface BulkJournal {
  /** Of the last block that the tables and files hold; -1 before the first. */
  readonly height: number;
  /** Of that block, in hex of wire order; empty before the first. */
  readonly hash: string;
  readonly nextTransactionNumber: number;
  /** In decimal. */
  readonly chainWork: string;
  /** Of the highest blocks, as many as the next median needs. */
  readonly times: readonly number[];
  readonly blocksEnd: BlockPosition;
  /** A bad block stands above this height: the index ends here. */
  readonly lastHeight?: number | undefined;
  /** The unspent outputs in memory. */
  readonly unspent?: WordFile | undefined;
  /** Rows of `spilledOutputs`. */
  readonly spilled: number;
  /** Txids, in hex of wire order, that more than one transaction may have. */
  readonly repeated: readonly string[];
  readonly runs: Readonly<Record<SortedTable, readonly WordFile[]>>;
  /** Files have numbers in their names, each used once. */
  readonly nextFile: number;
  /** Once all blocks are joined: the table that is being made, and the records of its runs that its rows already hold. */
  readonly making?: { readonly table: number; readonly records: number } | undefined;
}

const noRuns = { heights: [], numbers: [], spends: [], scripts: [], unspent: [], addresses: [] };

/** Before the first block. */
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

/** Every file that a journal names. */
export function journalFiles({ runs, unspent }: BulkJournal): readonly WordFile[] {
  return [...sortedTables.flatMap((table) => runs[table]), ...(unspent === undefined ? [] : [unspent])];
}

/** The inverse of `JSON.stringify`: a journal was written by this version, because its directory is of this layout. */
export function parseJournal(text: string): BulkJournal {
  return JSON.parse(text) as BulkJournal;
}
