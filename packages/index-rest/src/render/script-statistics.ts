import type { ScriptStatistics as IndexedStatistics } from "@nodewright/bitcoin-indexer";
import type { ScriptStatistics } from "@nodewright/index-api/types";

/** What the best chain, or the mempool, paid to and from a script. */
export function renderScriptStatistics(statistics: IndexedStatistics): ScriptStatistics {
  return {
    funded_txo_count: statistics.fundedOutputs,
    funded_txo_sum: statistics.fundedValue,
    spent_txo_count: statistics.spentOutputs,
    spent_txo_sum: statistics.spentValue,
    tx_count: statistics.transactions,
  };
}
