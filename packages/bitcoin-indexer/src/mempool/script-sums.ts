import type { ScriptStatistics } from "../query/chain-queries.ts";
import type { Environment } from "../store/environment.ts";
import { historyRange, maximumWalkedHistory, mempoolHistories, mempoolScriptStatistics } from "./mempool-layout.ts";

/** What one transaction does to one script. */
export interface ScriptEffect {
  /** The part of the script hash that keys hold. */
  readonly scriptHash: Uint8Array;
  /** The same as a text of one character per byte. */
  readonly scriptHashText: string;
  readonly funded: readonly { readonly vout: number; readonly value: bigint }[];
  readonly spent: readonly { readonly vin: number; readonly value: bigint }[];
}

type Sums = { -readonly [Name in keyof ScriptStatistics]: ScriptStatistics[Name] };

interface ScriptChange {
  readonly scriptHash: Uint8Array;
  /** May be negative. */
  readonly sums: Sums;
}

/** Four megabytes; a mempool of 300,000 transactions touches about a million scripts. */
const counterCount = 2 ** 20;

/** Gathers what a change does to scripts' statistics, so that each script's row is read and written once. */
export class ScriptSums {
  readonly #changes = new Map<string, ScriptChange>();
  /** Transactions of all scripts that share a counter: no script has more, and most counters say at once that theirs are not busy. */
  readonly #counters = new Uint32Array(counterCount);

  /** `sign` is -1 to take back. */
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

  /** Once the rows of `mempoolHistories` are written. */
  write(environment: Environment): void {
    for (const { scriptHash, sums } of this.#changes.values()) {
      if (this.#count(scriptHash, sums.transactions) <= maximumWalkedHistory) continue;
      const before = environment.get(mempoolScriptStatistics, scriptHash);
      if (before === undefined) {
        // Only what gains a transaction can become busy.
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

  /** Gives the most transactions that the script may have had before or may have now. */
  #count(scriptHash: Uint8Array, transactions: number): number {
    const counter =
      ((scriptHash[0] ?? 0) | ((scriptHash[1] ?? 0) << 8) | ((scriptHash[2] ?? 0) << 16)) & (counterCount - 1);
    const before = this.#counters[counter] ?? 0;
    const after = before + transactions;
    this.#counters[counter] = after;
    return Math.max(before, after);
  }
}

/** What unconfirmed transactions do to a script. */
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

/** Of a script that no transaction touches. */
export const noStatistics: ScriptStatistics = {
  transactions: 0,
  fundedOutputs: 0,
  fundedValue: 0n,
  spentOutputs: 0,
  spentValue: 0n,
};
