import type { ScriptStatistics } from "@nodewright/bitcoin-indexer";

/** Writes the totals that the best chain, or the mempool, paid to and from a script, in JSON: sums exceed the range of numbers. */
export function writeScriptStatistics(statistics: ScriptStatistics): string {
  const { fundedOutputs, fundedValue, spentOutputs, spentValue, transactions } = statistics;
  return (
    `{"funded_txo_count":${fundedOutputs},"funded_txo_sum":${fundedValue},` +
    `"spent_txo_count":${spentOutputs},"spent_txo_sum":${spentValue},"tx_count":${transactions}}`
  );
}
