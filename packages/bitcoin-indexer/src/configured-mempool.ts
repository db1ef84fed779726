import { setFlagsFromString } from "node:v8";
import { networks } from "@nodewright/bitcoin-primitives";
import type { RunIndexerOptions } from "./sync/run-indexer.ts";
import { connectToSource, type IndexerConfiguration } from "./source-configuration.ts";
import type { IndexStore } from "./engine/index-store.ts";
import { mempoolChainOf } from "./mempool/mempool-chain.ts";
import { forgetMempool } from "./mempool/mempool-directory.ts";
import type { MempoolProgress } from "./mempool/mempool-progress.ts";
import { MempoolSync } from "./mempool/mempool-sync.ts";

/** Mempool of an index. */
export interface ConfiguredMempool {
  /** Signals that the chain may have changed. */
  wake(): void;
  /** The same as `RunIndexerOptions.reorganise`. */
  readonly reorganise: NonNullable<RunIndexerOptions["reorganise"]>;
  /** Follows the node until `signal` is aborted. Never throws. */
  run(signal: AbortSignal): Promise<void>;
}

const noMempool: ConfiguredMempool = {
  wake: () => undefined,
  reorganise: (_forkHeight, commit) => commit(),
  run: async () => undefined,
};

/** Creates the configured mempool: that of the node, or none. The caller must hold the data directory's lock. */
export async function createConfiguredMempool(
  { directory, network, source }: IndexerConfiguration,
  store: IndexStore,
  onProgress: (progress: MempoolProgress) => void,
): Promise<ConfiguredMempool> {
  if (!("upstream" in source)) {
    forgetMempool(directory);
    return noMempool;
  }
  // Lists and transactions pass through memory all the time and little of them stays: by default, the heap grows to four times of it. The
  // option is set from the start, though the first fill costs a fifth more: memory that garbage once took is not fully returned.
  setFlagsFromString("--heap-growing-percent=30");
  // It has connections of its own: long lists must not hold up blocks.
  const upstream = await connectToSource(source, networks[network]);
  const sync = new MempoolSync({
    dataDirectory: directory,
    chain: mempoolChainOf(store.queries()),
    upstream,
    onProgress,
  });
  return {
    wake: () => sync.wake(),
    reorganise: (...reorganisation) => sync.reorganise(...reorganisation),
    async run(signal) {
      await sync.run(signal);
      await upstream.close();
    },
  };
}
