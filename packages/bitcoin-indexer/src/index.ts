export type { IndexerErrorCode, IndexerErrorOptions } from "./indexer-error.ts";
export { IndexerError, isIndexerError } from "./indexer-error.ts";
export type { IndexerEvent, IndexerState } from "./indexer-event.ts";
export type {
  BlockPlace,
  BlockRecord,
  ChainQueries,
  HistoryPage,
  IndexedTransaction,
  PreviousOutput,
  ScriptStatistics,
  Spend,
  UnspentOutput,
  UnspentOutputPage,
} from "./query/chain-queries.ts";
export type {
  BlockOrigin,
  BlockSource,
  KnownChain,
  SourceBlock,
  SourceChain,
  SourceHeader,
} from "./source/block-source.ts";
