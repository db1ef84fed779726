import type { ScriptStatistics } from "./script-sums-codec.ts";
import type { Environment } from "./environment.ts";
import { historyRange, maximumWalkedHistory, mempoolHistories, mempoolScriptStatistics } from "./mempool-layout.ts";

/** Effect of one transaction on one script. */
export interface ScriptEffect {
  /** Part of the script hash that keys contain. */
  readonly scriptHash: Uint8Array;
  /** The same as a string of one character per byte. */
  readonly scriptHashText: string;
  readonly funded: readonly { readonly vout: number; readonly value: bigint }[];
  readonly spent: readonly { readonly vin: number; readonly value: bigint }[];
}

type Sums = { -readonly [Name in keyof ScriptStatistics]: ScriptStatistics[Name] };

interface ScriptChange {
  readonly scriptHash: Uint8Array;
  /** Sums, which may be negative. */
  readonly sums: Sums;
}

/** Number of counters, in four megabytes; a mempool of 300,000 transactions touches about a million scripts. */
const counterCount = 2 ** 20;

/** Accumulator of a change's effects on scripts' statistics, so that each script's row is read and written once. */
export class ScriptSums {
  readonly #changes = new Map<string, ScriptChange>();
  /**
   * Transactions of all scripts that share a counter: no script has more, and most counters show at once that their scripts are not busy.
   */
  readonly #counters = new Uint32Array(counterCount);

  /** Adds an effect; `sign` is -1 to subtract. */
  add({ scriptHash, scriptHashText, funded, spent }: ScriptEffect, sign: 1 | -1): void {
    let change = this.#changes.get(scriptHashText);
    if (change === undefined) {
      change = { scriptHash, sums: { ...noStatistics } };
      this.#changes.set(scriptHashText, change);
    }
    const { sums } = change;
    sums.transactions += sign;
    sums.fundedOutputs += sign * funded.length;
    sums.spentOutputs += sign * spent.length;
    for (const { value } of funded) sums.fundedValue += sign === 1 ? value : -value;
    for (const { value } of spent) sums.spentValue += sign === 1 ? value : -value;
  }

  /** Writes the statistics, after the rows of `mempoolHistories` are written. */
  write(environment: Environment): void {
    for (const { scriptHash, sums } of this.#changes.values()) {
      if (this.#count(scriptHash, sums.transactions) <= maximumWalkedHistory) continue;
      const before = environment.get(mempoolScriptStatistics, scriptHash);
      if (before === undefined) {
        // Only a script that gains transactions can become busy.
        if (sums.transactions > 0) writeIfBusy(environment, scriptHash);
        continue;
      }
      const after = {
        transactions: before.transactions + sums.transactions,
        fundedOutputs: before.fundedOutputs + sums.fundedOutputs,
        fundedValue: before.fundedValue + sums.fundedValue,
        spentOutputs: before.spentOutputs + sums.spentOutputs,
        spentValue: before.spentValue + sums.spentValue,
      };
      if (after.transactions > maximumWalkedHistory) environment.put(mempoolScriptStatistics, [scriptHash], after);
      else environment.remove(mempoolScriptStatistics, scriptHash);
    }
    this.#changes.clear();
  }

  /** Returns an upper bound of the transactions that the script had before or has now. */
  #count(scriptHash: Uint8Array, transactions: number): number {
    const counter =
      ((scriptHash[0] ?? 0) | ((scriptHash[1] ?? 0) << 8) | ((scriptHash[2] ?? 0) << 16)) & (counterCount - 1);
    const before = this.#counters[counter] ?? 0;
    const after = before + transactions;
    this.#counters[counter] = after;
    return Math.max(before, after);
  }
}

/** Returns the effects of unconfirmed transactions on a script. */
export function readScriptStatistics(environment: Environment, scriptHash: Uint8Array): ScriptStatistics {
  return environment.get(mempoolScriptStatistics, scriptHash) ?? sumHistory(environment, scriptHash);
}

function writeIfBusy(environment: Environment, scriptHash: Uint8Array): void {
  const keys = environment.keys(mempoolHistories, { ...historyRange(scriptHash), limit: maximumWalkedHistory + 1 });
  if (keys.length <= maximumWalkedHistory) return;
  environment.put(mempoolScriptStatistics, [scriptHash], sumHistory(environment, scriptHash));
}

function sumHistory(environment: Environment, scriptHash: Uint8Array): ScriptStatistics {
  const sums: Sums = { ...noStatistics };
  for (const { value: bytes } of environment.rows(mempoolHistories, historyRange(scriptHash))) {
    const { funded, spent } = mempoolHistories.decode(bytes);
    sums.transactions += 1;
    sums.fundedOutputs += funded.length;
    sums.spentOutputs += spent.length;
    for (const { value } of funded) sums.fundedValue += value;
    for (const { value } of spent) sums.spentValue += value;
  }
  return sums;
}

/** Statistics of a script without transactions. */
export const noStatistics: ScriptStatistics = {
  transactions: 0,
  fundedOutputs: 0,
  fundedValue: 0n,
  spentOutputs: 0,
  spentValue: 0n,
};
