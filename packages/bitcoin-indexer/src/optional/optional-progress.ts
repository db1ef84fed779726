import type { IndexerState } from "../sync/indexer-event.ts";

/** Name of an index in addition to the main one, which a node keeps only on request. */
export type OptionalIndexName = "block-filters" | "coin-statistics";

/** Selection of the optional indexes that a node keeps. */
export interface OptionalIndexSelection {
  /** Whether to keep basic filters of BIP 158 and the chain of their headers. */
  readonly blockFilters?: boolean | undefined;
  /** Whether to keep statistics of all unspent outputs after each block, with their MuHash. */
  readonly coinStatistics?: boolean | undefined;
}

/** Progress and state of an optional index. */
export interface OptionalProgress {
  readonly index: OptionalIndexName;
  /** State as of the indexer: `ready` when the index has every block of the main one. */
  readonly state: Exclude<IndexerState, "stopped">;
  /** Height of the highest block that the index has; -1 while the index is empty. */
  readonly height: number;
  /** Height of the main index; -1 while it has no block. */
  readonly targetHeight: number;
  /** One sentence for a person; always present when stalled or failed. */
  readonly reason?: string;
}
