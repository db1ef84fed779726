import { keyBytes } from "../chain/bytes-key.ts";
import type { Environment } from "./environment.ts";
import { type ScriptStatisticsRow, scriptStatistics } from "./layout.ts";
import { sortedRows } from "./sorted-rows.ts";

/** Sums that may be negative, of one script. */
interface Change {
  transactions: number;
  fundedOutputs: number;
  fundedValue: bigint;
  spentOutputs: number;
  spentValue: bigint;
}

/** Gathers what a batch changes in scripts' statistics, so that each script's row is read and written once. */
export class StatisticsChanges {
  /** By script hash, a text of one character per byte. */
  readonly #changes = new Map<string, Change>();

  /** `sign` is -1 to take back. */
  fund(scriptHash: string, value: bigint, sign: 1 | -1): void {
    const change = this.#changeOf(scriptHash);
    change.fundedOutputs += sign;
    change.fundedValue += sign === 1 ? value : -value;
  }

  spend(scriptHash: string, value: bigint, sign: 1 | -1): void {
    const change = this.#changeOf(scriptHash);
    change.spentOutputs += sign;
    change.spentValue += sign === 1 ? value : -value;
  }

  countTransaction(scriptHash: string, sign: 1 | -1): void {
    this.#changeOf(scriptHash).transactions += sign;
  }

  /** `append`: the table is empty. */
  write(environment: Environment, append: boolean): void {
    const rows = Array.from(this.#changes, ([scriptHash, change]) => ({ key: keyBytes(scriptHash), value: change }));
    for (const { key, value } of sortedRows(rows)) {
      const sum = append ? value : addTo(environment.get(scriptStatistics, key), value);
      if (sum.transactions > 0) environment.putBytes(scriptStatistics, key, scriptStatistics.encode(sum), append);
      else environment.removeBytes(scriptStatistics, key);
    }
  }

  #changeOf(scriptHash: string): Change {
    let change = this.#changes.get(scriptHash);
    if (change === undefined) {
      change = { transactions: 0, fundedOutputs: 0, fundedValue: 0n, spentOutputs: 0, spentValue: 0n };
      this.#changes.set(scriptHash, change);
    }
    return change;
  }
}

function addTo(row: ScriptStatisticsRow | undefined, change: Change): ScriptStatisticsRow {
  if (row === undefined) return change;
  return {
    transactions: row.transactions + change.transactions,
    fundedOutputs: row.fundedOutputs + change.fundedOutputs,
    fundedValue: row.fundedValue + change.fundedValue,
    spentOutputs: row.spentOutputs + change.spentOutputs,
    spentValue: row.spentValue + change.spentValue,
  };
}
