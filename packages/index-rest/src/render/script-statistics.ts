import type { ScriptStatistics } from "@nodewright/bitcoin-indexer";

/** What the best chain, or the mempool, paid to and from a script, in JSON: sums pass what numbers hold. */
export function writeScriptStatistics(statistics: ScriptStatistics): string {
  const { fundedOutputs, fundedValue, spentOutputs, spentValue, transactions } = statistics;
  return (
    `{"funded_txo_count":${fundedOutputs},"funded_txo_sum":${fundedValue},` +
    `"spent_txo_count":${spentOutputs},"spent_txo_sum":${spentValue},"tx_count":${transactions}}`
  );
}
