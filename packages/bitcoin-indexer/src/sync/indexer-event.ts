import type { DamagedPlace } from "../basics/indexer-error.ts";

/** State of an indexer. */
export type IndexerState =
  /** It reads blocks that its source already has. */
  | "indexing"
  /** It has every block of its source, and waits for more. */
  | "ready"
  /** It can't continue now and retries by itself; `reason` describes why. */
  | "stalled"
  /** It does not continue before its source's files are corrected, or at all. The indexed blocks stay available; `reason` describes why. */
  | "failed"
  /** It ended as requested. */
  | "stopped";

/** Event that an indexer sends to its parent, in order of occurrence. */
export interface IndexerEvent {
  readonly state: IndexerState;
  /** Height of the highest indexed block; -1 while the index is empty. While an index is filled in bulk, the progress in blocks. */
  readonly height: number;
  /** Height of the highest known block of the source; -1 while unknown. */
  readonly targetHeight: number;
  /** Blocks indexed since this indexer started. */
  readonly blocks: number;
  readonly transactions: number;
  /** Bytes of block data read since this indexer started. */
  readonly bytes: number;
  /** Block data per second of wall time, in units of 1,000,000 bytes, since this indexer started. */
  readonly megabytesPerSecond: number;
  /** Estimated seconds until the target is reached, at the pace so far; absent when unknown. */
  readonly secondsLeft?: number;
  /** One sentence for a person; always present when stalled or failed. */
  readonly reason?: string;
  /** Position of the invalid byte in the block file. */
  readonly place?: DamagedPlace;
}
