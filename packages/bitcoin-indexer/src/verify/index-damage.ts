import type { OptionalIndexName } from "../optional/optional-progress.ts";

/** A place of an index that is not as it was written. */
export interface IndexDamage {
  /** A block of a block file, a page or row that can't be read, or a row that is another than the blocks say. */
  readonly kind: "block" | "table" | "row";
  /** The optional index that it belongs to; absent for the main index. */
  readonly index?: OptionalIndexName;
  readonly file: string;
  /** 0-based byte in the file; absent where only the file is known, as of a row. */
  readonly offset?: number;
  /** Of the block. */
  readonly height?: number;
  readonly table?: string;
  /** Of the row, in hex. */
  readonly key?: string;
  /** One sentence for a person. */
  readonly reason: string;
}
