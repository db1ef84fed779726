import type { IndexerEvent } from "./indexer-event.ts";
import type { MempoolProgress } from "./mempool/mempool-progress.ts";

/** What an indexer process sends to its parent. */
export type IndexerMessage = IndexerEvent | { readonly mempool: MempoolProgress };
