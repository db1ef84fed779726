import { blockFilters, type BlockFilterRow } from "./block-filters.ts";
import { coinStatistics, type CoinStatisticsRow } from "./coin-statistics.ts";
import type { OptionalIndexSelection } from "./optional-progress.ts";
import { OptionalIndexReader, type OptionalRows } from "./optional-reader.ts";

/** Optional indexes of a node, for reading; those that it does not keep are absent. */
export interface OptionalIndexes {
  readonly blockFilters?: OptionalRows<BlockFilterRow> | undefined;
  readonly coinStatistics?: OptionalRows<CoinStatisticsRow> | undefined;
}

/** Optional indexes of a data directory, in any process. */
export interface OptionalIndexesReader extends OptionalIndexes {
  /** Closes the reader. No further queries are allowed. */
  close(): Promise<void>;
}

/** Opens the selected optional indexes. Like the main one they need not exist yet. */
export function openOptionalIndexes(dataDirectory: string, selection: OptionalIndexSelection): OptionalIndexesReader {
  const filters = selection.blockFilters === true ? new OptionalIndexReader(dataDirectory, blockFilters) : undefined;
  const statistics =
    selection.coinStatistics === true ? new OptionalIndexReader(dataDirectory, coinStatistics) : undefined;
  return {
    blockFilters: filters,
    coinStatistics: statistics,
    async close() {
      await filters?.close();
      await statistics?.close();
    },
  };
}
