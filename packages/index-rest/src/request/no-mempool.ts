import {
  feeEstimateTargets,
  type MempoolQueries,
  type ScriptStatistics,
  unknownFeeRate,
} from "@nodewright/bitcoin-indexer";
import type { IndexRestContext } from "./context.ts";

const noStatistics: ScriptStatistics = {
  fundedOutputs: 0,
  fundedValue: 0n,
  spentOutputs: 0,
  spentValue: 0n,
  transactions: 0,
};

/** Mempool of an index that has none: nothing waits for a block. */
const noMempool: MempoolQueries = {
  summary: async () => ({ count: 0, virtualSize: 0, totalFee: 0n, feeHistogram: [] }),
  transactionIds: async () => [],
  members: async (txids) => txids.map(() => undefined),
  changes: async () => 0,
  recent: async () => [],
  transaction: async () => undefined,
  has: async () => false,
  spends: async (outpoints) => outpoints.map(() => undefined),
  scriptStatistics: async () => noStatistics,
  scriptHistory: async () => [],
  unspentOutputs: async () => [],
  spentOutputs: async () => [],
  feeEstimates: async () => new Map(feeEstimateTargets.map((target) => [target, unknownFeeRate])),
};

export function mempoolOf({ mempool }: IndexRestContext): MempoolQueries {
  return mempool ?? noMempool;
}
