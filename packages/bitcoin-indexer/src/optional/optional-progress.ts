import type { IndexerState } from "../indexer-event.ts";

/** An index beside the main one, which a node keeps only where it is asked to. */
export type OptionalIndexName = "block-filters" | "coin-statistics";

/** Which of them a node keeps. */
export interface OptionalIndexChoice {
  /** Basic filters of BIP 158 and the chain of their headers. */
  readonly blockFilters?: boolean | undefined;
  /** Statistics of all unspent outputs after each block, with their MuHash. */
  readonly coinStatistics?: boolean | undefined;
}

/** How far an optional index is, and whether it goes on. */
export interface OptionalProgress {
  readonly index: OptionalIndexName;
  /** As of the indexer: `ready` when the index has every block of the main one. */
  readonly state: Exclude<IndexerState, "stopped">;
  /** Of the highest block that the index has; -1 while there is none. */
  readonly height: number;
  /** Of the main index; -1 while it has no block. */
  readonly targetHeight: number;
  /** One sentence for a person; always there when stalled or failed. */
  readonly reason?: string;
}
