import type { BlockPosition } from "../store/layout.ts";

/** Best chain of a source that reads files, with the location of each block, for readers in threads of their own. */
export interface ChainInFiles {
  /** Height of the highest block. */
  readonly height: number;
  /** XOR mask of the files; empty for plain ones. */
  readonly mask: Uint8Array;
  /** Returns the location and header of a block as of the latest scan of the file. */
  blockAt(height: number): BlockInFile;
  /** Growth of a chain that is written to the index's own files while it is read; absent where it is complete there. */
  readonly growth?: ChainGrowth | undefined;
}

/** Growth of a chain while it is read. */
export interface ChainGrowth {
  /** Expected final height, as far as is known now. */
  readonly aim: number;
  /** End of the written blocks. */
  readonly end: BlockPosition;
  /** Waits until there is a block at `height`, or returns false when there never will be. Throws the failure that keeps it from growing. */
  reaches(height: number): Promise<boolean>;
  /** Records that the blocks up to this height are not read again: others may be written. */
  taken(height: number): void;
  /** Returns when everything written is on the disk. */
  sync(): void;
  /**
   * Fetches a bad block again. Returns true when it differed this time: the chain then ends below it for readers of the files, and this
   * object is of no further use.
   */
  discardIfDoubtful(height: number): Promise<boolean>;
}

export interface BlockInFile {
  /** Absolute path, unless the source was configured with another. */
  readonly path: string;
  /** Offset of the block's first byte in the uncompressed file. */
  readonly offset: number;
  readonly length: number;
  /** Whether the file contains the block as it is, masked or not: a compressed one does not. */
  readonly isPlain: boolean;
  /** 32 bytes in wire order. */
  readonly hash: Uint8Array;
  /** 80 bytes, proven to have the work that they claim. */
  readonly header: Uint8Array;
  /** Position in the index's own files; absent where it is not there. */
  readonly position?: BlockPosition | undefined;
}
