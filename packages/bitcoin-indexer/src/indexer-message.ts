import type { IndexerEvent } from "./indexer-event.ts";
import type { MempoolProgress } from "./mempool/mempool-progress.ts";
import type { BlockRepairOutcome } from "./store/repair-blocks.ts";

/** Message from an indexer process to its parent. */
export type IndexerMessage =
  | IndexerEvent
  | { readonly mempool: MempoolProgress }
  | { readonly repair: BlockRepairOutcome }
  | NodeAnswer;

interface NodeAnswer {
  /** Time of the upstream node's last usable response, in milliseconds since 1970. */
  readonly answeredAt: number;
}
