/** The best chain of a source that reads files: where each block is, for readers in threads of their own. */
export interface ChainInFiles {
  /** Of the highest block. */
  readonly height: number;
  /** What the files are masked with; empty for plain ones. */
  readonly mask: Uint8Array;
  /** The bytes and headers are those that the file had when it was looked through. */
  blockAt(height: number): BlockInFile;
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
}
