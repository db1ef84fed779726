/**
 * The tables of an optional index, in an LMDB environment of its own: the main index is what it is with and without them.
 *
 * A row follows from a block, what it spends, and the row of the block below, so it stays true whatever becomes of the block. Whoever
 * reads a row of the best chain compares its hash: the main index may be a few blocks ahead, or on another branch.
 */
import { ByteReader, uint32Key } from "../store/byte-codec.ts";
import type { Table } from "../store/layout.ts";
import type { IndexedBlock } from "./indexed-block.ts";
import type { OptionalIndexName } from "./optional-progress.ts";

/** A row of any optional index. */
export interface OptionalRow {
  /** Of its block, 32 bytes. */
  readonly hash: Uint8Array;
}

/** All that makes one optional index different from another. */
export interface OptionalIndexKind<Row extends OptionalRow> {
  /** Also of its directory. */
  readonly name: OptionalIndexName;
  /** For a person: `block filters`. */
  readonly title: string;
  /** Of the rows; another one is refused. */
  readonly layout: number;
  /** `below`: of the block that this one stands on; `undefined` below the genesis block. */
  readonly rowOf: (block: IndexedBlock, below: Row | undefined) => Promise<Row>;
  readonly encode: (row: Row) => Buffer;
  /** Copies what it keeps. */
  readonly decode: (bytes: Uint8Array) => Row;
}

/** The tables of one optional index. */
export interface OptionalTables<Row extends OptionalRow> {
  /** The rows of the best chain, without a gap, as far as the index is. */
  readonly best: Table<[height: number], Row>;
  /** The rows of blocks that were on the best chain once. Kept for good: somebody may still follow such a branch. */
  readonly stale: Table<[hash: Uint8Array], Row>;
  /** One row: the height of the highest one in `best`, -1 while there is none. */
  readonly tips: Table<[], number>;
  readonly all: readonly { readonly name: string }[];
}

export function optionalTables<Row extends OptionalRow>({
  encode,
  decode,
}: OptionalIndexKind<Row>): OptionalTables<Row> {
  const best: Table<[height: number], Row> = { name: "best", key: uint32Key, encode, decode };
  const stale: Table<[hash: Uint8Array], Row> = { name: "stale", key: (hash) => Buffer.from(hash), encode, decode };
  const tips: Table<[], number> = {
    name: "tip",
    key: () => Buffer.from("tip"),
    encode: (height) => uint32Key(height + 1),
    decode: (bytes) => new ByteReader(bytes).uint32() - 1,
  };
  return { best, stale, tips, all: [best, stale, tips] };
}
