/**
 * Rows of blocks: pure functions, the same for every way in which an index is filled.
 *
 * Rows of one block are built here completely. For data that is split by count, the numbers that belong together are passed: the caller
 * gathers them, from a batch and the row that it extends, or from a complete chain.
 */
import { addressOfScript, type Network } from "@nodewright/bitcoin-primitives";
import type { ConnectedBlock } from "../chain/connected-block.ts";
import { checksumOf } from "./checksum.ts";
import {
  addresses,
  blocks,
  blockStarts,
  blockStartsPerRow,
  heights,
  histories,
  historyPerRow,
  type ScriptStatisticsRow,
  scriptStatistics,
  type SpendRow,
  spends,
  type Table,
  transactionIds,
  transactionIdsPerRow,
  transactionNumbers,
  transactions,
  unspentOutputs,
} from "./layout.ts";

/** A row in the engine's form. */
export interface Row {
  readonly key: Buffer;
  readonly value: Buffer;
}

/** Returns one row of a table. */
export function rowOf<Key extends readonly unknown[], Value>(table: Table<Key, Value>, key: Key, value: Value): Row {
  return { key: table.key(...key), value: table.encode(value, ...key) };
}

/** Returns the block's row of `blocks`. */
export function blockRow({ height, block, firstTransactionNumber, medianTime, chainWork }: ConnectedBlock): Row {
  return rowOf(blocks, [height], {
    hash: block.header.hash,
    header: block.header.bytes,
    firstTransactionNumber,
    transactionCount: block.transactions.length,
    size: block.size,
    strippedSize: block.strippedSize,
    medianTime,
    chainWork,
    checksum: checksumOf(block.bytes),
  });
}

/** Returns the block's row of `heights`. */
export function heightRow({ height, block }: Pick<ConnectedBlock, "height" | "block">): Row {
  return rowOf(heights, [block.header.hash], height);
}

/** Returns the row of `transactions` of the block's transaction at the 0-based `position`. */
export function transactionRow({ block, firstTransactionNumber, spentOutputs }: ConnectedBlock, position: number): Row {
  const transaction = block.transactions[position];
  if (transaction === undefined) throw new Error(`The block has no transaction ${position}`);
  return rowOf(transactions, [firstTransactionNumber + position], {
    offset: transaction.bytes.byteOffset - block.bytes.byteOffset,
    size: transaction.size,
    outputCount: transaction.outputs.length,
    checksum: checksumOf(transaction.bytes),
    spentOutputs: spentOutputs[position] ?? [],
  });
}

/** Returns rows of `blockStarts` for consecutive blocks; `fromHeight` must begin a row, as every multiple of `blockStartsPerRow` does. */
export function blockStartRows(fromHeight: number, starts: readonly number[]): readonly Row[] {
  return cut(starts, blockStartsPerRow, (part, index) =>
    rowOf(blockStarts, [fromHeight / blockStartsPerRow + index], part),
  );
}

/** Returns rows of `transactionIds` for consecutive transactions; `fromNumber` must begin a row: a multiple of `transactionIdsPerRow`. */
export function transactionIdRows(fromNumber: number, ids: readonly Uint8Array[]): readonly Row[] {
  return cut(ids, transactionIdsPerRow, (part, index) =>
    rowOf(transactionIds, [fromNumber / transactionIdsPerRow + index], Buffer.concat(part)),
  );
}

/** Returns the row of `transactionNumbers` of all transactions whose txids begin as `txid` does, ascending. */
export function transactionNumbersRow(txid: Uint8Array, numbers: readonly number[]): Row {
  return rowOf(transactionNumbers, [txid], numbers);
}

/** Returns the row of `spends` of a transaction whose outputs are spent, by vout. */
export function spendsRow(fundingTransactionNumber: number, rows: readonly SpendRow[]): Row {
  return rowOf(spends, [fundingTransactionNumber], rows);
}

/**
 * Returns rows of `histories` for a script's transactions, ascending, each once. The first must begin a row: it is the script's first
 * transaction, or any number of complete rows after it.
 */
export function historyRows(scriptHash: Uint8Array, transactionNumbersOfScript: readonly number[]): readonly Row[] {
  return cut(transactionNumbersOfScript, historyPerRow, (part) => rowOf(histories, [scriptHash, part[0] ?? 0], part));
}

/** Returns the row of `unspentOutputs` of one output. */
export function unspentOutputRow(
  scriptHash: Uint8Array,
  outpoint: { readonly transactionNumber: number; readonly vout: number },
  output: { readonly txid: Uint8Array; readonly value: bigint },
): Row {
  return rowOf(unspentOutputs, [scriptHash, outpoint.transactionNumber, outpoint.vout], output);
}

/** Returns the row of `scriptStatistics` of a script with at least one transaction. */
export function statisticsRow(scriptHash: Uint8Array, statistics: ScriptStatisticsRow): Row {
  return rowOf(scriptStatistics, [scriptHash], statistics);
}

/**
 * Returns the row of `addresses` of a script; `undefined` when the script has no address. A script has it exactly as long as it has a row
 * of `scriptStatistics`, in directories with address search.
 */
export function addressRow(scriptPubKey: Uint8Array, network: Network): Row | undefined {
  const address = addressOfScript(scriptPubKey, network);
  return address === undefined ? undefined : rowOf(addresses, [address], undefined);
}

function cut<Item>(
  items: readonly Item[],
  length: number,
  rowOfPart: (part: readonly Item[], index: number) => Row,
): readonly Row[] {
  const rows: Row[] = [];
  for (let start = 0; start < items.length; start += length) {
    rows.push(rowOfPart(items.slice(start, start + length), start / length));
  }
  return rows;
}
