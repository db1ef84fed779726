import type { BlockPosition } from "../store/layout.ts";

/** The best chain of a source that reads files: where each block is, for readers in threads of their own. */
export interface ChainInFiles {
  /** Of the highest block. */
  readonly height: number;
  /** What the files are masked with; empty for plain ones. */
  readonly mask: Uint8Array;
  /** The bytes and headers are those that the file had when it was looked through. */
  blockAt(height: number): BlockInFile;
  /** Of a chain that is written to the index's own files while it is read; absent where all of it stands there. */
  readonly growth?: ChainGrowth | undefined;
}

/** How a chain grows while it is read. */
export interface ChainGrowth {
  /** The height that it will have, as far as is known now. */
  readonly aim: number;
  /** Of what is written. */
  readonly end: BlockPosition;
  /** Waits until there is a block at `height`, or none will ever be, which false says. Throws what keeps it from growing. */
  reaches(height: number): Promise<boolean>;
  /** Says that nobody will read the blocks up to this height again: others may be written. */
  taken(height: number): void;
  /** Returns when all that is written is on the disk. */
  sync(): void;
  /**
   * For a bad block: asks for it again. True when it came otherwise this time: the chain then ends below it for whoever reads the files,
   * and this object is of no further use.
   */
  discardIfDoubtful(height: number): Promise<boolean>;
}

export interface BlockInFile {
  /** Absolute, unless the source was named otherwise. */
  readonly path: string;
  /** Of the block's first byte in the unpacked file. */
  readonly offset: number;
  readonly length: number;
  /** Whether the file holds the block as it is, masked or not: a packed one does not. */
  readonly isPlain: boolean;
  /** 32 bytes in wire order. */
  readonly hash: Uint8Array;
  /** 80 bytes, proven to have the work that they claim. */
  readonly header: Uint8Array;
  /** Where it stands in the index's own files; absent where it does not. */
  readonly position?: BlockPosition | undefined;
}
