/**
 * Tables of an optional index, in an LMDB environment of their own: the main index is the same with and without them.
 *
 * A row is derived from a block, its spent outputs, and the row of the parent block, so it remains valid after a reorganization. A reader of
 * a best-chain row compares its hash: the main index may be a few blocks ahead, or on another branch.
 */
import { ByteReader, uint32Key } from "../store/byte-codec.ts";
import type { Table } from "../store/layout.ts";
import type { IndexedBlock } from "./indexed-block.ts";
import type { OptionalIndexName } from "./optional-progress.ts";

/** A row of any optional index. */
export interface OptionalRow {
  /** Hash of its block, 32 bytes. */
  readonly hash: Uint8Array;
}

/** Properties that distinguish one optional index from another. */
export interface OptionalIndexKind<Row extends OptionalRow> {
  /** Name, also of its directory. */
  readonly name: OptionalIndexName;
  /** Title in messages: `block filters`. */
  readonly title: string;
  /** Version of the layout of rows; an index with another version is rejected. */
  readonly layout: number;
  /** Derives the row of a block. `below`: row of its parent; `undefined` below the genesis block. */
  readonly rowOf: (block: IndexedBlock, below: Row | undefined) => Promise<Row>;
  readonly encode: (row: Row) => Buffer;
  /** Decodes a row; retained bytes are copied. */
  readonly decode: (bytes: Uint8Array) => Row;
}

/** Tables of one optional index. */
export interface OptionalTables<Row extends OptionalRow> {
  /** Rows of the best chain, without a gap, up to the height of the index. */
  readonly best: Table<[height: number], Row>;
  /** Rows of stale blocks. Kept permanently: a client may still follow their branch. */
  readonly stale: Table<[hash: Uint8Array], Row>;
  /** Table of one row: the height of the highest one in `best`, -1 while `best` is empty. */
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
