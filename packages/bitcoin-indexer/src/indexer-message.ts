import type { IndexerEvent } from "./indexer-event.ts";
import type { MempoolProgress } from "./mempool/mempool-progress.ts";

/** What an indexer process sends to its parent. */
export type IndexerMessage = IndexerEvent | { readonly mempool: MempoolProgress } | NodeAnswer;

interface NodeAnswer {
  /** When the node behind the index last gave a usable answer, in milliseconds since 1970. */
  readonly answeredAt: number;
}
