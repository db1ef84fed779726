import type { ScriptStatistics as IndexedStatistics } from "@nodewright/bitcoin-indexer";
import type { ScriptStatistics } from "@nodewright/index-api/types";

/** What the best chain paid to and from a script. */
export function renderScriptStatistics(statistics: IndexedStatistics): ScriptStatistics {
  return {
    funded_txo_count: statistics.fundedOutputs,
    funded_txo_sum: statistics.fundedValue,
    spent_txo_count: statistics.spentOutputs,
    spent_txo_sum: statistics.spentValue,
    tx_count: statistics.transactions,
  };
}

/** What no transaction paid to or from. The mempool of an index without one is empty. */
export const noScriptStatistics: ScriptStatistics = {
  funded_txo_count: 0,
  funded_txo_sum: 0n,
  spent_txo_count: 0,
  spent_txo_sum: 0n,
  tx_count: 0,
};
