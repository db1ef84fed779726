import { blockFilters, type BlockFilterRow } from "./block-filters.ts";
import { coinStatistics, type CoinStatisticsRow } from "./coin-statistics.ts";
import type { OptionalIndexChoice } from "./optional-progress.ts";
import { OptionalIndexReader, type OptionalRows } from "./optional-reader.ts";

/** The optional indexes of a node, for reading; absent are those that it does not keep. */
export interface OptionalIndexes {
  readonly blockFilters?: OptionalRows<BlockFilterRow> | undefined;
  readonly coinStatistics?: OptionalRows<CoinStatisticsRow> | undefined;
}

/** The optional indexes of a data directory, in any process. */
export interface OptionalIndexesReader extends OptionalIndexes {
  /** Nothing may be asked any more. */
  close(): Promise<void>;
}

/** Opens those of the optional indexes that are chosen. Like the main one they need not be there yet. */
export function openOptionalIndexes(dataDirectory: string, choice: OptionalIndexChoice): OptionalIndexesReader {
  const filters = choice.blockFilters === true ? new OptionalIndexReader(dataDirectory, blockFilters) : undefined;
  const statistics =
    choice.coinStatistics === true ? new OptionalIndexReader(dataDirectory, coinStatistics) : undefined;
  return {
    blockFilters: filters,
    coinStatistics: statistics,
    async close() {
      await filters?.close();
      await statistics?.close();
    },
  };
}
