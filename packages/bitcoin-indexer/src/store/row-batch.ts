import type { Network, Transaction } from "@nodewright/bitcoin-primitives";
import type { ConnectedBlock, SpentOutput } from "../chain/connected-block.ts";
import { isUnspendable } from "../chain/unspendable.ts";
import type { Environment } from "./environment.ts";
import {
  blocks,
  blockStarts,
  blockStartsPerRow,
  heights,
  type SpendRow,
  spends,
  transactionIds,
  transactionIdsPerRow,
  transactionNumbers,
  transactions,
  unspentOutputs,
} from "./layout.ts";
import {
  blockRow,
  blockStartRows,
  heightRow,
  type Row,
  spendsRow,
  transactionIdRows,
  transactionNumbersRow,
  transactionRow,
  unspentOutputRow,
} from "./rows.ts";
import { ScriptChanges } from "./script-changes.ts";
import type { ScriptHasher, StoredScriptHash } from "./script-hasher.ts";
import { sortedRows } from "./sorted-rows.ts";

/**
 * Rows of consecutive blocks on the best chain.
 *
 * Written table by table in the order of keys. Rows of tables that are keyed in chain order are appended, and while the index is empty, so are
 * those of the other tables.
 */
export class RowBatch {
  readonly #hasher: ScriptHasher;
  readonly #scripts = new ScriptChanges();
  readonly #blocks: Row[] = [];
  readonly #heights: Row[] = [];
  readonly #transactions: Row[] = [];
  /** First transaction number of each block. */
  readonly #starts: number[] = [];
  /** Txids in chain order. */
  readonly #transactionIds: Uint8Array[] = [];
  /** Spends by funding transaction number. */
  readonly #spends = new Map<number, SpendRow[]>();
  /** Unspent outputs of each transaction by vout; an output that this batch creates and spends leaves no row. */
  readonly #unspentOutputs: (Row | undefined)[][] = [];
  /** Keys of outputs of earlier batches that this one spends. */
  readonly #spentOutputs: Buffer[] = [];
  #firstHeight = -1;

  constructor(hasher: ScriptHasher) {
    this.#hasher = hasher;
  }

  add(connected: ConnectedBlock): void {
    if (this.#firstHeight === -1) this.#firstHeight = connected.height;
    this.#blocks.push(blockRow(connected));
    this.#heights.push(heightRow(connected));
    this.#starts.push(connected.firstTransactionNumber);
    for (const [position, transaction] of connected.block.transactions.entries()) {
      this.#transactionIds.push(transaction.txid);
      this.#transactions.push(transactionRow(connected, position));
      const number = connected.firstTransactionNumber + position;
      this.#addScripts(transaction, number, connected.spentOutputs[position] ?? []);
    }
  }

  /** Keys of `transactionNumbers` that several transactions share. */
  readonly repeatedKeys: Buffer[] = [];

  /** Writes the rows. `isFresh`: the index has no rows. `addressesOf`: network whose addresses are indexed; undefined to index none. */
  write(environment: Environment, isFresh: boolean, addressesOf: Network | undefined): void {
    if (this.#firstHeight === -1) return;
    putRows(environment, blocks, this.#blocks, true);
    putRows(environment, transactions, this.#transactions, true);
    putRows(environment, heights, sortedRows(this.#heights), isFresh);
    this.#writeBlockStarts(environment);
    this.#writeTransactionIds(environment);
    this.#writeTransactionNumbers(environment, isFresh);
    this.#writeSpends(environment, isFresh);
    this.#scripts.write(environment, isFresh, addressesOf);
    for (const key of this.#spentOutputs) environment.removeBytes(unspentOutputs, key);
    const unspent = this.#unspentOutputs.flatMap((rows) => rows.filter((row) => row !== undefined));
    putRows(environment, unspentOutputs, sortedRows(unspent), isFresh);
  }

  #addScripts(transaction: Transaction, number: number, spent: readonly SpentOutput[]): void {
    const touched = new Set<StoredScriptHash>();
    for (const [vin, output] of spent.entries()) {
      const vout = transaction.inputs[vin]?.previousOutput.vout ?? 0;
      const scriptHash = this.#hasher.hash(output.scriptPubKey);
      touched.add(scriptHash);
      this.#scripts.spend(scriptHash, output.scriptPubKey, output.value, 1);
      this.#addSpend(output.transactionNumber, { vout, transactionNumber: number, vin });
      this.#spendOutput(scriptHash, output.transactionNumber, vout);
    }
    const rows: (Row | undefined)[] = [];
    this.#unspentOutputs.push(rows);
    for (const [vout, { value, scriptPubKey }] of transaction.outputs.entries()) {
      rows.push(undefined);
      if (isUnspendable(scriptPubKey)) continue;
      const scriptHash = this.#hasher.hash(scriptPubKey);
      touched.add(scriptHash);
      this.#scripts.fund(scriptHash, scriptPubKey, value, 1);
      const outpoint = { transactionNumber: number, vout };
      rows[vout] = unspentOutputRow(scriptHash.bytes, outpoint, { txid: transaction.txid, value });
    }
    for (const scriptHash of touched) this.#scripts.addTransaction(scriptHash, number);
  }

  #addSpend(fundingNumber: number, row: SpendRow): void {
    const rows = this.#spends.get(fundingNumber);
    if (rows === undefined) this.#spends.set(fundingNumber, [row]);
    else rows.push(row);
  }

  #spendOutput(scriptHash: StoredScriptHash, transactionNumber: number, vout: number): void {
    const rows = this.#unspentOutputs[transactionNumber - (this.#starts[0] ?? 0)];
    if (rows === undefined) this.#spentOutputs.push(unspentOutputs.key(scriptHash.bytes, transactionNumber, vout));
    else rows[vout] = undefined;
  }

  #writeBlockStarts(environment: Environment): void {
    const part = this.#firstHeight % blockStartsPerRow;
    const row = part === 0 ? [] : (environment.get(blockStarts, (this.#firstHeight - part) / blockStartsPerRow) ?? []);
    putRowsAfterFirst(environment, blockStarts, blockStartRows(this.#firstHeight - part, [...row, ...this.#starts]));
  }

  #writeTransactionIds(environment: Environment): void {
    const first = this.#starts[0] ?? 0;
    const part = first % transactionIdsPerRow;
    const row = part === 0 ? undefined : environment.get(transactionIds, (first - part) / transactionIdsPerRow);
    const before =
      row === undefined ? [] : Array.from({ length: part }, (_, index) => row.subarray(index * 32, index * 32 + 32));
    putRowsAfterFirst(
      environment,
      transactionIds,
      transactionIdRows(first - part, [...before, ...this.#transactionIds]),
    );
  }

  /** Writes transaction numbers. Transactions whose txids share their first bytes share a row. */
  #writeTransactionNumbers(environment: Environment, isFresh: boolean): void {
    const first = this.#starts[0] ?? 0;
    const entries = this.#transactionIds.map((txid, index) => ({
      key: transactionNumbers.key(txid),
      number: first + index,
    }));
    const sorted = sortedRows(entries);
    for (let start = 0; start < sorted.length; ) {
      const key = sorted[start]?.key ?? noKey;
      const numbers: number[] = isFresh ? [] : [...(environment.get(transactionNumbers, key) ?? [])];
      for (let entry = sorted[start]; entry?.key.equals(key); entry = sorted[start]) {
        numbers.push(entry.number);
        start += 1;
      }
      if (numbers.length > 1) this.repeatedKeys.push(key);
      putRows(environment, transactionNumbers, [transactionNumbersRow(key, numbers)], isFresh);
    }
  }

  #writeSpends(environment: Environment, isFresh: boolean): void {
    const first = this.#starts[0] ?? 0;
    for (const fundingNumber of [...this.#spends.keys()].sort((left, right) => left - right)) {
      const added = this.#spends.get(fundingNumber) ?? [];
      // Outputs created in this batch have no row yet.
      const before = fundingNumber < first ? (environment.get(spends, fundingNumber) ?? []) : [];
      const rows = before.concat(added).sort((left, right) => left.vout - right.vout);
      putRows(environment, spends, [spendsRow(fundingNumber, rows)], isFresh);
    }
  }
}

const noKey = Buffer.alloc(0);

function putRows(
  environment: Environment,
  table: { readonly name: string },
  rows: readonly Row[],
  append: boolean,
): void {
  for (const { key, value } of rows) environment.putBytes(table, key, value, append);
}

/** Writes rows in key order of which only the first one may exist already. */
function putRowsAfterFirst(environment: Environment, table: { readonly name: string }, rows: readonly Row[]): void {
  putRows(environment, table, rows.slice(0, 1), false);
  putRows(environment, table, rows.slice(1), true);
}
