import type { OptionalIndexName } from "../optional/optional-progress.ts";

/** A place of an index that differs from what was written. */
export interface IndexDamage {
  /** Kind of damage: a block of a block file, a page or row that can't be read, or a row that differs from the blocks. */
  readonly kind: "block" | "table" | "row";
  /** Optional index that it belongs to; absent for the main index. */
  readonly index?: OptionalIndexName;
  readonly file: string;
  /** 0-based byte offset in the file; absent where only the file is known, as of a row. */
  readonly offset?: number;
  /** Height of the block. */
  readonly height?: number;
  readonly table?: string;
  /** Key of the row, in hex. */
  readonly key?: string;
  /** One sentence for a person. */
  readonly reason: string;
}
