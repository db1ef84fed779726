import type { IndexerEvent } from "./sync/indexer-event.ts";
import type { MempoolProgress } from "./mempool/mempool-progress.ts";
import type { BlockRepairOutcome } from "./sync/repair-blocks.ts";

/** Message from an indexer process to its parent. */
export type IndexerMessage =
  | IndexerEvent
  | { readonly mempool: MempoolProgress }
  | { readonly repair: BlockRepairOutcome }
  | NodeResponse;

interface NodeResponse {
  /** Time of the upstream node's last usable response, in milliseconds since 1970. */
  readonly respondedAt: number;
}
