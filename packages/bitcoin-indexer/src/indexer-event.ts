import type { DamagedPlace } from "./indexer-error.ts";

/** How far an indexer is, and whether it goes on. */
export type IndexerState =
  /** Reads blocks that its source already has. */
  | "indexing"
  /** Has every block of its source, and waits for more. */
  | "ready"
  /** Can't go on now and tries again by itself; `reason` says why. */
  | "stalled"
  /** Won't go on before its source's files are put right, or at all; what was indexed stays served; `reason` says why. */
  | "failed"
  /** Ended as it was asked to. */
  | "stopped";

/** What an indexer tells its parent, in the order in which it happens. */
export interface IndexerEvent {
  readonly state: IndexerState;
  /** Of the highest indexed block; -1 while there is none. While an index is filled in bulk, how far that is, in blocks. */
  readonly height: number;
  /** Of the highest block that the source is known to have; -1 while unknown. */
  readonly targetHeight: number;
  /** Indexed since this indexer started. */
  readonly blocks: number;
  readonly transactions: number;
  /** Block data read since this indexer started. */
  readonly bytes: number;
  /** Block data per second of wall time, in units of 1,000,000 bytes, since this indexer started. */
  readonly megabytesPerSecond: number;
  /** Until the target is reached, at the pace so far; absent when it can't be told. */
  readonly secondsLeft?: number;
  /** One sentence for a person; always there when stalled or failed. */
  readonly reason?: string;
  /** The byte of the block file that is wrong. */
  readonly place?: DamagedPlace;
}
