import type { Environment } from "./environment.ts";
import { type ScriptStatisticsRow, scriptStatistics } from "./layout.ts";
import type { StoredScriptHash } from "./script-hasher.ts";
import { sortedRows } from "./sorted-rows.ts";

/** Sums that may be negative, of one script. */
interface Change {
  readonly key: Buffer;
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
  fund(scriptHash: StoredScriptHash, value: bigint, sign: 1 | -1): void {
    const change = this.#changeOf(scriptHash);
    change.fundedOutputs += sign;
    change.fundedValue += sign === 1 ? value : -value;
  }

  spend(scriptHash: StoredScriptHash, value: bigint, sign: 1 | -1): void {
    const change = this.#changeOf(scriptHash);
    change.spentOutputs += sign;
    change.spentValue += sign === 1 ? value : -value;
  }

  countTransaction(scriptHash: StoredScriptHash, sign: 1 | -1): void {
    this.#changeOf(scriptHash).transactions += sign;
  }

  /** `append`: the table is empty. */
  write(environment: Environment, append: boolean): void {
    for (const change of sortedRows([...this.#changes.values()])) {
      const sum = append ? change : addTo(environment.get(scriptStatistics, change.key), change);
      if (sum.transactions > 0)
        environment.putBytes(scriptStatistics, change.key, scriptStatistics.encode(sum), append);
      else environment.removeBytes(scriptStatistics, change.key);
    }
  }

  #changeOf({ bytes, text }: StoredScriptHash): Change {
    let change = this.#changes.get(text);
    if (change === undefined) {
      change = { key: bytes, transactions: 0, fundedOutputs: 0, fundedValue: 0n, spentOutputs: 0, spentValue: 0n };
      this.#changes.set(text, change);
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
