export type { ChainIndexOptions, ChainIndexReader } from "./chain-index-reader.ts";
export { openChainIndex } from "./chain-index-reader.ts";
export { endWithParent } from "./process/end-with-parent.ts";
export type { IndexerErrorCode, IndexerErrorOptions } from "./basics/indexer-error.ts";
export { IndexerError, isIndexerError } from "./basics/indexer-error.ts";
export type { IndexerEvent, IndexerState } from "./sync/indexer-event.ts";
export type { MempoolProgress } from "./mempool/mempool-progress.ts";
export { type BlockFilterRow, filterOfBlock } from "./optional/block-filters.ts";
export type { BlockAmounts, CoinStatisticsRow } from "./optional/coin-statistics.ts";
export { type IndexedBlock, indexedBlock } from "./optional/indexed-block.ts";
export type { OptionalIndexes } from "./optional/optional-indexes.ts";
export type { OptionalIndexSelection, OptionalIndexName, OptionalProgress } from "./optional/optional-progress.ts";
export type { OptionalRows } from "./optional/optional-reader.ts";
export { awaitTransaction } from "./query/await-transaction.ts";
export type { ShownTransactions } from "./query/await-transaction.ts";
export { findTransaction, type TransactionSources } from "./query/find-transaction.ts";
export type {
  BlockCheckLevel,
  BlockPlace,
  BlockRecord,
  ChainQueries,
  HistoryPage,
  HistorySlice,
  IndexedTransaction,
  MerkleProof,
  OutputName,
  RawTransaction,
  Spend,
  StaleBranch,
  UnspentOutput,
  UnspentOutputPage,
  WriteTransaction,
  WrittenTransaction,
} from "./query/chain-queries.ts";
export type { PreviousOutput } from "./chain/connected-block.ts";
export type { ScriptStatistics } from "./store/script-sums-codec.ts";
export type {
  MempoolEntry,
  MempoolHistoryPage,
  MempoolMember,
  MempoolQueries,
  MempoolSpend,
  MempoolUnspentOutput,
} from "./query/mempool-queries.ts";
export type { MempoolSummary } from "./store/mempool-layout.ts";
export { feeEstimateTargets, unknownFeeRate } from "./query/mempool-queries.ts";
export { maximumBatch } from "./query/chain-queries.ts";
export type { BatchLimits, RunIndexerOptions } from "./sync/run-indexer.ts";
export { runIndexer } from "./sync/run-indexer.ts";
export type { ArraySource } from "./source/array-source.ts";
export { createArraySource } from "./source/array-source.ts";
export type { BlockFileSourceOptions } from "./source/block-file-source.ts";
export { createBlockFileSource } from "./source/block-file-source.ts";
export type {
  BlockSource,
  ChainConfirmation,
  KnownChain,
  SourceBlock,
  SourceChain,
  SourceHeader,
} from "./source/block-source.ts";
export type { BlockOrigin } from "./chain/bad-block.ts";
export { createFilesThenNodeSource } from "./source/files-then-node-source.ts";
export type { BlockAnnouncements } from "./source/block-announcements.ts";
export { listenForBlocks } from "./source/block-announcements.ts";
export type { NodeSourceOptions } from "./source/node-source.ts";
export { createNodeSource } from "./source/node-source.ts";
export type { DamagedBlock } from "./store/damage-reports.ts";
export { damageStamp, damagedBlocks } from "./store/damage-reports.ts";
export type { EmbeddedStoreOptions } from "./engine/embedded-store.ts";
export { openEmbeddedStore } from "./engine/embedded-store.ts";
export type { IndexStore, PlacedBlock, StoreChange, StoredHeader, StoreTip } from "./engine/index-store.ts";
export type { BlockLocation } from "./store/block-file.ts";
export type { IndexerConfiguration, SourceConfiguration } from "./source-configuration.ts";
export { repairHintOf } from "./source-configuration.ts";
export type { IndexerProcess, StartIndexerOptions } from "./start-indexer.ts";
export { startIndexer } from "./start-indexer.ts";
export type { BlockRepairOutcome } from "./sync/repair-blocks.ts";
export type { IndexDamage } from "./verify/index-damage.ts";
export type { VerifyOptions, VerifyResult } from "./verify/verify-index.ts";
export { verifyIndex } from "./verify/verify-index.ts";
export type { VerifiedOptionalIndex } from "./verify/verify-optional.ts";
export type { VerifyProgress } from "./verify/verify-run.ts";
export type { ChildDeath, ChildEnd, SupervisedProcess, SupervisionOptions } from "./process/supervised-process.ts";
export { superviseProcess } from "./process/supervised-process.ts";
