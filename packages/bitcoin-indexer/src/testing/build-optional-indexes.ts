import type { Network } from "@nodewright/bitcoin-primitives";
import { openChainIndex } from "../chain-index-reader.ts";
import { blockFilters } from "../optional/block-filters.ts";
import { coinStatistics } from "../optional/coin-statistics.ts";
import { followMainIndex } from "../optional/follow-main-index.ts";
import type { OptionalIndexSelection, OptionalProgress } from "../optional/optional-progress.ts";
import type { OptionalBatchLimits } from "../optional/optional-writer.ts";

export interface BuildOptions {
  readonly signal?: AbortSignal;
  readonly limits?: OptionalBatchLimits;
  readonly onProgress?: (progress: OptionalProgress) => void;
}

/** Builds optional indexes of a data directory in this process until they are level with the main one. Throws their reported failures. */
export async function buildOptionalIndexes(
  dataDirectory: string,
  network: Network,
  selection: OptionalIndexSelection,
  { signal = new AbortController().signal, limits, onProgress }: BuildOptions = {},
): Promise<void> {
  const chain = openChainIndex(dataDirectory, { network });
  let failure: string | undefined;
  const shared = {
    dataDirectory,
    chain,
    signal,
    limits,
    changed: async () => {},
    isComplete: () => true,
    onProgress(progress: OptionalProgress) {
      if (progress.state === "failed") failure = progress.reason;
      onProgress?.(progress);
    },
  };
  try {
    if (selection.blockFilters === true) await followMainIndex({ ...shared, kind: blockFilters });
    if (selection.coinStatistics === true) await followMainIndex({ ...shared, kind: coinStatistics });
  } finally {
    await chain.close();
  }
  if (failure !== undefined) throw new Error(failure);
}
