import type { IndexerEvent } from "./indexer-event.ts";
import type { MempoolProgress } from "./mempool/mempool-progress.ts";
import type { BlockRepairOutcome } from "./store/repair-blocks.ts";

/** What an indexer process sends to its parent. */
export type IndexerMessage =
  | IndexerEvent
  | { readonly mempool: MempoolProgress }
  | { readonly repair: BlockRepairOutcome }
  | NodeAnswer;

interface NodeAnswer {
  /** When the node behind the index last gave a usable answer, in milliseconds since 1970. */
  readonly answeredAt: number;
}
