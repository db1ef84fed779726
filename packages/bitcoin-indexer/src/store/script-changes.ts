import type { Network } from "@nodewright/bitcoin-primitives";
import type { Environment } from "./environment.ts";
import { findHistoryRow } from "./find-history-row.ts";
import { addresses, histories, historyPerRow, type ScriptStatisticsRow, scriptStatistics } from "./layout.ts";
import { addressRow, historyRows, type Row, rowOf, statisticsRow } from "./rows.ts";
import type { StoredScriptHash } from "./script-hasher.ts";
import { sortedRows } from "./sorted-rows.ts";

/** Changes of one script; sums may be negative. */
interface Change {
  readonly key: Buffer;
  readonly scriptPubKey: Uint8Array;
  /** Added transactions, ascending. */
  readonly transactionNumbers: number[];
  /** Number of transactions removed from the end of the history. */
  removedTransactions: number;
  fundedOutputs: number;
  fundedValue: bigint;
  spentOutputs: number;
  spentValue: bigint;
}

const noStatistics: ScriptStatisticsRow = {
  transactions: 0,
  fundedOutputs: 0,
  fundedValue: 0n,
  spentOutputs: 0,
  spentValue: 0n,
  newestHistoryRow: 0,
};

/**
 * Accumulator of blocks' changes to scripts' statistics and histories, so that each script's rows are read and written once.
 *
 * Used for blocks that are connected, or for blocks that are removed, not for both.
 */
export class ScriptChanges {
  /** Changes by script hash, a string of one character per byte. */
  readonly #changes = new Map<string, Change>();

  /** Adds a funding output; `sign` is -1 to subtract. */
  fund(scriptHash: StoredScriptHash, scriptPubKey: Uint8Array, value: bigint, sign: 1 | -1): void {
    const change = this.#changeOf(scriptHash, scriptPubKey);
    change.fundedOutputs += sign;
    change.fundedValue += sign === 1 ? value : -value;
  }

  spend(scriptHash: StoredScriptHash, scriptPubKey: Uint8Array, value: bigint, sign: 1 | -1): void {
    const change = this.#changeOf(scriptHash, scriptPubKey);
    change.spentOutputs += sign;
    change.spentValue += sign === 1 ? value : -value;
  }

  /** Adds a transaction. Called after `fund` and `spend` of the transaction; numbers ascend from call to call. */
  addTransaction({ text }: StoredScriptHash, transactionNumber: number): void {
    const numbers = this.#changes.get(text)?.transactionNumbers;
    if (numbers !== undefined && numbers.at(-1) !== transactionNumber) numbers.push(transactionNumber);
  }

  /** Removes a transaction. Called after `fund` and `spend` of the transaction, once for each that was the script's last. */
  removeTransaction({ text }: StoredScriptHash): void {
    const change = this.#changes.get(text);
    if (change !== undefined) change.removedTransactions += 1;
  }

  /** Writes the changes. `isFresh`: the tables are empty. `addressesOf` is the network whose addresses are kept, where they are. */
  write(environment: Environment, isFresh: boolean, addressesOf: Network | undefined): void {
    const addressRows: Row[] = [];
    for (const change of sortedRows([...this.#changes.values()])) {
      const before = isFresh ? undefined : environment.get(scriptStatistics, change.key);
      const after = changeHistory(environment, change, before ?? noStatistics, isFresh);
      if (after.transactions > 0) {
        const { key, value } = statisticsRow(change.key, after);
        environment.putBytes(scriptStatistics, key, value, isFresh);
      } else environment.remove(scriptStatistics, change.key);
      if (addressesOf === undefined || (before === undefined) === (after.transactions === 0)) continue;
      const row = addressRow(change.scriptPubKey, addressesOf);
      if (row === undefined) continue;
      if (before === undefined) addressRows.push(row);
      else environment.removeBytes(addresses, row.key);
    }
    for (const { key, value } of addressRows) environment.putBytes(addresses, key, value, false);
  }

  #changeOf({ bytes, text }: StoredScriptHash, scriptPubKey: Uint8Array): Change {
    let change = this.#changes.get(text);
    if (change === undefined) {
      change = {
        key: bytes,
        scriptPubKey,
        transactionNumbers: [],
        removedTransactions: 0,
        fundedOutputs: 0,
        fundedValue: 0n,
        spentOutputs: 0,
        spentValue: 0n,
      };
      this.#changes.set(text, change);
    }
    return change;
  }
}

/** Writes the script's history and returns its new statistics. */
function changeHistory(
  environment: Environment,
  change: Change,
  before: ScriptStatisticsRow,
  isFresh: boolean,
): ScriptStatisticsRow {
  const newestHistoryRow =
    change.removedTransactions > 0
      ? shortenHistory(environment, change, before)
      : lengthenHistory(environment, change, before, isFresh);
  return {
    transactions: before.transactions + change.transactionNumbers.length - change.removedTransactions,
    fundedOutputs: before.fundedOutputs + change.fundedOutputs,
    fundedValue: before.fundedValue + change.fundedValue,
    spentOutputs: before.spentOutputs + change.spentOutputs,
    spentValue: before.spentValue + change.spentValue,
    newestHistoryRow,
  };
}

function lengthenHistory(
  environment: Environment,
  { key, transactionNumbers }: Change,
  before: ScriptStatisticsRow,
  isFresh: boolean,
): number {
  const isRowFull = before.transactions % historyPerRow === 0;
  const row = isRowFull ? [] : getRow(environment, key, before.newestHistoryRow);
  const numbers = [...row, ...transactionNumbers];
  // From the latest on: so keys ascend, as appending requires.
  for (const { key: rowKey, value } of historyRows(key, numbers).toReversed()) {
    environment.putBytes(histories, rowKey, value, isFresh);
  }
  return numbers[Math.floor((numbers.length - 1) / historyPerRow) * historyPerRow] ?? before.newestHistoryRow;
}

/** Shortens the history. Complete rows are removed; the one that then is the latest has lost its end. */
function shortenHistory(
  environment: Environment,
  { key, removedTransactions }: Change,
  before: ScriptStatisticsRow,
): number {
  const left = before.transactions - removedTransactions;
  let rowCount = Math.ceil(before.transactions / historyPerRow);
  let firstNumber = before.newestHistoryRow;
  for (; (rowCount - 1) * historyPerRow >= left; rowCount -= 1) {
    environment.remove(histories, key, firstNumber);
    if (rowCount === 1) return 0;
    firstNumber = newestRowBelow(environment, key, firstNumber);
  }
  const numbers = getRow(environment, key, firstNumber).slice(0, left - (rowCount - 1) * historyPerRow);
  const row = rowOf(histories, [key, firstNumber], numbers);
  environment.putBytes(histories, row.key, row.value, false);
  return firstNumber;
}

function getRow(environment: Environment, key: Buffer, firstNumber: number): readonly number[] {
  const row = environment.get(histories, key, firstNumber);
  if (row === undefined) throw environment.damaged(`there is no row of history from transaction ${firstNumber} on`);
  return row;
}

function newestRowBelow(environment: Environment, key: Buffer, firstNumber: number): number {
  const older = findHistoryRow(environment, key, firstNumber - 1)?.[0];
  if (older === undefined) throw environment.damaged(`there is no row of history below transaction ${firstNumber}`);
  return older;
}
