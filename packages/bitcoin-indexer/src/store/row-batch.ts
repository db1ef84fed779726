import type { Transaction } from "@nodewright/bitcoin-primitives";
import { bytesKey, keyBytes } from "../chain/bytes-key.ts";
import type { ConnectedBlock, SpentOutput } from "../chain/connected-block.ts";
import { isUnspendable } from "../chain/unspendable.ts";
import type { Environment } from "./environment.ts";
import {
  blocks,
  heights,
  histories,
  spends,
  type Table,
  transactionIds,
  transactionIdsPerRow,
  transactionNumbers,
  transactions,
  unspentOutputs,
} from "./layout.ts";
import type { ScriptHasher, StoredScriptHash } from "./script-hasher.ts";
import { sortedRows } from "./sorted-rows.ts";
import type { StatisticsChanges } from "./statistics-changes.ts";

interface Row {
  readonly key: Buffer;
  readonly value: Buffer;
}

/**
 * The best chain's rows of the blocks that a batch connects: a pure function of the blocks and the outputs that they spend.
 *
 * Written table by table in the order of the keys. Tables that are keyed in chain order are appended to; the others too, while the
 * index is empty.
 */
export class RowBatch {
  readonly #hasher: ScriptHasher;
  readonly #statistics: StatisticsChanges;
  readonly #blocks: Row[] = [];
  readonly #heights: Row[] = [];
  readonly #transactionIds: Row[] = [];
  readonly #transactions: Row[] = [];
  readonly #spends: Row[] = [];
  readonly #histories: Row[] = [];
  /** In chain order. */
  readonly #transactionNumbers: { readonly key: Buffer; readonly number: number }[] = [];
  /** By the bytes of the key as a text; an output that this batch makes and spends leaves no row. */
  readonly #unspentOutputs = new Map<string, Buffer>();
  /** Keys of outputs that earlier batches made and this one spends. */
  readonly #spentOutputs: Buffer[] = [];

  constructor(hasher: ScriptHasher, statistics: StatisticsChanges) {
    this.#hasher = hasher;
    this.#statistics = statistics;
  }

  add(connected: ConnectedBlock): void {
    this.#addBlock(connected);
    this.#addTransactionIds(connected);
    for (const [position, transaction] of connected.block.transactions.entries()) {
      const spentOutputs = connected.spentOutputs[position] ?? [];
      const number = connected.firstTransactionNumber + position;
      this.#addTransaction(connected, transaction, number, spentOutputs);
      this.#addScripts(connected, position, spentOutputs);
    }
  }

  /** `isFresh`: the index has no rows. */
  write(environment: Environment, isFresh: boolean): void {
    putRows(environment, blocks, this.#blocks, true);
    putRows(environment, transactionIds, this.#transactionIds, true);
    putRows(environment, transactions, this.#transactions, true);
    putRows(environment, heights, sortedRows(this.#heights), isFresh);
    putRows(environment, spends, sortedRows(this.#spends), isFresh);
    putRows(environment, histories, sortedRows(this.#histories), isFresh);
    this.#writeTransactionNumbers(environment, isFresh);
    for (const key of this.#spentOutputs) environment.removeBytes(unspentOutputs, key);
    const unspent = Array.from(this.#unspentOutputs, ([key, value]) => ({ key: keyBytes(key), value }));
    putRows(environment, unspentOutputs, sortedRows(unspent), isFresh);
  }

  #addBlock({ height, block, firstTransactionNumber, medianTime, chainWork }: ConnectedBlock): void {
    const { hash } = block.header;
    this.#heights.push({ key: heights.key(hash), value: heights.encode(height) });
    this.#blocks.push({
      key: blocks.key(height),
      value: blocks.encode({
        hash,
        header: block.header.bytes,
        firstTransactionNumber,
        transactionCount: block.transactions.length,
        size: block.size,
        strippedSize: block.strippedSize,
        medianTime,
        chainWork,
      }),
    });
  }

  #addTransactionIds({ height, block }: ConnectedBlock): void {
    const ids = block.transactions.map(({ txid }) => txid);
    for (let start = 0; start < ids.length; start += transactionIdsPerRow) {
      const row = Buffer.concat(ids.slice(start, start + transactionIdsPerRow));
      this.#transactionIds.push({ key: transactionIds.key(height, start / transactionIdsPerRow), value: row });
    }
  }

  #addTransaction(
    { height, block }: ConnectedBlock,
    transaction: Transaction,
    number: number,
    spentOutputs: readonly SpentOutput[],
  ): void {
    this.#transactions.push({
      key: transactions.key(number),
      value: transactions.encode({
        height,
        offset: transaction.bytes.byteOffset - block.bytes.byteOffset,
        size: transaction.size,
        spentOutputs,
      }),
    });
    this.#transactionNumbers.push({ key: transactionNumbers.key(transaction.txid), number });
  }

  #addScripts(
    { height, block, firstTransactionNumber }: ConnectedBlock,
    position: number,
    spent: readonly SpentOutput[],
  ): void {
    const transaction = block.transactions[position];
    if (transaction === undefined) return;
    const number = firstTransactionNumber + position;
    const touched = new Map<string, StoredScriptHash>();
    for (const [vin, output] of spent.entries()) {
      const vout = transaction.inputs[vin]?.previousOutput.vout ?? 0;
      const scriptHash = this.#hasher.hash(output.scriptPubKey);
      touched.set(scriptHash.text, scriptHash);
      this.#statistics.spend(scriptHash, output.value, 1);
      const key = spends.key(output.transactionNumber, vout);
      this.#spends.push({ key, value: spends.encode({ transactionNumber: number, vin }) });
      this.#spendOutput(unspentOutputs.key(scriptHash.bytes, output.transactionNumber, vout));
    }
    for (const [vout, { value, scriptPubKey }] of transaction.outputs.entries()) {
      if (isUnspendable(scriptPubKey)) continue;
      const scriptHash = this.#hasher.hash(scriptPubKey);
      touched.set(scriptHash.text, scriptHash);
      this.#statistics.fund(scriptHash, value, 1);
      const key = unspentOutputs.key(scriptHash.bytes, number, vout);
      this.#unspentOutputs.set(bytesKey(key), unspentOutputs.encode({ height, isCoinbase: position === 0, value }));
    }
    for (const scriptHash of touched.values()) {
      this.#statistics.countTransaction(scriptHash, 1);
      this.#histories.push({ key: histories.key(scriptHash.bytes, number), value: histories.encode(undefined) });
    }
  }

  #spendOutput(key: Buffer): void {
    if (!this.#unspentOutputs.delete(bytesKey(key))) this.#spentOutputs.push(key);
  }

  /** Transactions whose txids begin alike share a row. */
  #writeTransactionNumbers(environment: Environment, isFresh: boolean): void {
    const rows = sortedRows(this.#transactionNumbers);
    for (let start = 0; start < rows.length; ) {
      const key = rows[start]?.key ?? noKey;
      const numbers: number[] = isFresh ? [] : [...(environment.get(transactionNumbers, key) ?? [])];
      for (let row = rows[start]; row?.key.equals(key); row = rows[start]) {
        numbers.push(row.number);
        start += 1;
      }
      environment.putBytes(transactionNumbers, key, transactionNumbers.encode(numbers), isFresh);
    }
  }
}

const noKey = Buffer.alloc(0);

function putRows<Key extends readonly unknown[], Value>(
  environment: Environment,
  table: Table<Key, Value>,
  rows: readonly Row[],
  append: boolean,
): void {
  for (const { key, value } of rows) environment.putBytes(table, key, value, append);
}
