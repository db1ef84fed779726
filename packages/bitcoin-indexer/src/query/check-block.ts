import {
  type Block,
  blockHeaderLength,
  blockSubsidy,
  compactSizeAt,
  compactSizeLength,
  displayHash,
  equalBytes,
  hashScript,
  medianTimePast,
  type Network,
  parseBlockHeader,
  parseTransaction,
  type Transaction,
} from "@nodewright/bitcoin-primitives";
import { medianTimeReach } from "../chain/connect-block.ts";
import { HeaderWork } from "../chain/header-work.ts";
import { isUnspendable } from "../chain/unspendable.ts";
import { verifyBlockInSteps } from "../chain/verify-block.ts";
import { type BlockFileReader, completeBlock } from "../store/block-files.ts";
import type { BlockPlaces } from "../store/block-places.ts";
import type { TableReads } from "../store/environment.ts";
import { findHistoryRow } from "../store/find-history-row.ts";
import {
  blockPositions,
  type BlockRow,
  blocks,
  heights,
  replacedOutputs,
  type SpentOutputRow,
  spends,
  type TransactionRow,
  transactionNumbers,
  transactions,
  unspentOutputs,
} from "../store/layout.ts";
import type { StoredTransactions } from "../store/stored-transactions.ts";

/** Index that a block is read from, at the state of one tip. */
export interface CheckedIndex {
  readonly network: Network;
  readonly reads: TableReads;
  readonly files: BlockFileReader;
  readonly places: BlockPlaces;
  readonly stored: StoredTransactions;
}

/** A block of the best chain as its file and its rows store it. */
interface CheckedBlock {
  readonly height: number;
  readonly row: BlockRow;
  readonly block: Block;
  /** Rows, one for each transaction, in order. */
  readonly rows: readonly TransactionRow[];
}

/** Consensus: number of blocks above a coinbase before its outputs may be spent. */
const coinbaseMaturity = 100;

/** Error for two items that must agree and do not. */
class Damage extends Error {}

/**
 * Checks the block at a height of the best chain, each level with all below it. Returns false where something is damaged.
 *
 * 0: its file has its bytes. 1: proof of work, merkle root, witness commitment, amounts, as for a new block. 2: its spent outputs are those
 * of the spent transactions. 3: every row that is removed or restored when the block is disconnected exists. 4: it could be connected
 * again, except for scripts, which are not run.
 */
export function* checkBlock(index: CheckedIndex, height: number, level: number): Generator<void, boolean> {
  try {
    const checked = yield* readBlock(index, height);
    if (level >= 1) yield* checkContent(index, checked);
    if (level >= 2) yield* checkUndo(index, checked);
    if (level >= 3) yield* checkRows(index, checked);
    if (level >= 4) yield* checkConnection(index, checked);
    return true;
  } catch {
    // Changed bytes are found by any reader: as an early end, a missing row, an invalid hash.
    return false;
  }
}

function* readBlock({ reads, files }: CheckedIndex, height: number): Generator<void, CheckedBlock> {
  const row = found(reads.get(blocks, height));
  const bytes = files.read(found(reads.get(blockPositions, height)), completeBlock(row));
  const header = parseBlockHeader(bytes.subarray(0, blockHeaderLength));
  demand(equalBytes(header.hash, row.hash) && reads.get(heights, row.hash) === height);
  demand(compactSizeAt(bytes, blockHeaderLength) === row.transactionCount);
  const rows: TransactionRow[] = [];
  const parsed: Transaction[] = [];
  let offset = blockHeaderLength + compactSizeLength(row.transactionCount);
  let strippedSize = offset;
  for (let position = 0; position < row.transactionCount; position += 1) {
    const transactionRow = found(reads.get(transactions, row.firstTransactionNumber + position));
    demand(transactionRow.offset === offset);
    const transaction = parseTransaction(bytes.subarray(offset, offset + transactionRow.size));
    demand(transaction.outputs.length === transactionRow.outputCount);
    rows.push(transactionRow);
    parsed.push(transaction);
    offset += transaction.size;
    strippedSize += transaction.strippedSize;
    yield;
  }
  demand(offset === bytes.length && strippedSize === row.strippedSize);
  const weight = strippedSize * 3 + bytes.length;
  return {
    height,
    row,
    rows,
    block: { header, transactions: parsed, bytes, size: bytes.length, strippedSize, weight },
  };
}

function* checkContent({ network, stored }: CheckedIndex, { row, block }: CheckedBlock): Generator<void, void> {
  for (const [position, transaction] of block.transactions.entries()) {
    demand(equalBytes(stored.txidOf(row.firstTransactionNumber + position), transaction.txid));
    // The merkle trees below take both hashes, which are computed here, a transaction at a time.
    demand(transaction.wtxid.length > 0);
    yield;
  }
  const { previousHash } = block.header;
  yield* verifyBlockInSteps(block, { hash: displayHash(row.hash), previousHash }, new HeaderWork(network));
}

function* checkUndo({ stored }: CheckedIndex, { block, rows }: CheckedBlock): Generator<void, void> {
  for (const [position, transaction] of block.transactions.entries()) {
    const spentOutputs = found(rows[position]).spentOutputs;
    demand(spentOutputs.length === (position === 0 ? 0 : transaction.inputs.length));
    for (const [vin, spent] of spentOutputs.entries()) {
      const { txid, vout } = found(transaction.inputs[vin]).previousOutput;
      const funding = stored.parse(spent.transactionNumber, stored.placeOf(spent.transactionNumber));
      demand(equalBytes(funding.txid, txid));
      const made = found(funding.outputs[vout]);
      demand(made.value === spent.value && equalBytes(made.scriptPubKey, spent.scriptPubKey));
      yield;
    }
  }
}

function* checkRows(index: CheckedIndex, checked: CheckedBlock): Generator<void, void> {
  const { reads, places } = index;
  const { height, row, block, rows } = checked;
  demand(places.firstNumberOf(height) === row.firstTransactionNumber);
  for (const [position, transaction] of block.transactions.entries()) {
    const number = row.firstTransactionNumber + position;
    demand(reads.get(transactionNumbers, transaction.txid)?.includes(number) === true);
    for (const [vin, spent] of found(rows[position]).spentOutputs.entries()) {
      checkSpend(index, spent, { vout: found(transaction.inputs[vin]).previousOutput.vout, number, vin });
      yield;
    }
    const spendRows = new Map((reads.get(spends, number) ?? []).map((spend) => [spend.vout, spend]));
    for (const [vout, output] of transaction.outputs.entries()) {
      const spend = spendRows.get(vout);
      if (isUnspendable(output.scriptPubKey)) {
        demand(spend === undefined);
        continue;
      }
      const scriptHash = hashScript(output.scriptPubKey);
      demand(isInHistory(reads, scriptHash, number));
      const isKept = (table: typeof unspentOutputs) => reads.get(table, scriptHash, number, vout);
      const unspent = isKept(unspentOutputs) ?? isKept(replacedOutputs);
      if (spend === undefined) demand(unspent?.value === output.value && equalBytes(unspent.txid, transaction.txid));
      else demand(unspent === undefined && isSpender(reads, spend, number));
      yield;
    }
  }
}

/** Checks the rows that record that an output is spent by an input of this block. */
function checkSpend(
  { reads }: CheckedIndex,
  { transactionNumber, scriptPubKey }: SpentOutputRow,
  { vout, number, vin }: { readonly vout: number; readonly number: number; readonly vin: number },
): void {
  const scriptHash = hashScript(scriptPubKey);
  const spend = reads.get(spends, transactionNumber)?.find((each) => each.vout === vout);
  demand(spend?.transactionNumber === number && spend.vin === vin);
  demand(!reads.has(unspentOutputs, scriptHash, transactionNumber, vout));
  demand(isInHistory(reads, scriptHash, number));
}

function isInHistory(reads: TableReads, scriptHash: Uint8Array, number: number): boolean {
  return findHistoryRow(reads, scriptHash, number)?.includes(number) === true;
}

/** Returns whether the recorded input spends an output of a transaction. */
function isSpender(
  reads: TableReads,
  spend: { readonly transactionNumber: number; readonly vin: number },
  fundingNumber: number,
): boolean {
  const spender = reads.get(transactions, spend.transactionNumber);
  return spender?.spentOutputs[spend.vin]?.transactionNumber === fundingNumber;
}

function* checkConnection(index: CheckedIndex, checked: CheckedBlock): Generator<void, void> {
  const { places, network } = index;
  const { height, row, block, rows } = checked;
  checkHeaderChain(index, checked);
  let fees = 0n;
  for (const [position, transaction] of block.transactions.entries()) {
    if (position === 0) continue;
    let available = 0n;
    for (const { transactionNumber, value } of found(rows[position]).spentOutputs) {
      demand(transactionNumber < row.firstTransactionNumber + position);
      const madeAt = places.heightOf(transactionNumber);
      demand(!places.isCoinbase(transactionNumber) || height - madeAt >= coinbaseMaturity);
      available += value;
    }
    const paid = sumOfOutputs(transaction);
    demand(paid <= available);
    fees += available - paid;
    yield;
  }
  demand(sumOfOutputs(found(block.transactions[0])) <= blockSubsidy(height, network) + fees);
}

/** Checks that the block is on top of the one below it, with the resulting work and median time. */
function checkHeaderChain({ reads, network }: CheckedIndex, { height, row, block }: CheckedBlock): void {
  const before = height === 0 ? undefined : found(reads.get(blocks, height - 1));
  demand(equalBytes(block.header.previousHash, before?.hash ?? new Uint8Array(32)));
  demand(row.firstTransactionNumber === (before ? before.firstTransactionNumber + before.transactionCount : 0));
  demand(row.chainWork === (before?.chainWork ?? 0n) + new HeaderWork(network).workOf(block.header.bits));
  demand(before === undefined || block.header.time > before.medianTime);
  const times: number[] = [];
  for (let each = Math.max(height - medianTimeReach, 0); each <= height; each += 1) {
    times.push(parseBlockHeader(found(reads.get(blocks, each)).header).time);
  }
  demand(row.medianTime === medianTimePast(times));
}

function sumOfOutputs({ outputs }: Transaction): bigint {
  return outputs.reduce((sum, { value }) => sum + value, 0n);
}

function demand(isSound: boolean): asserts isSound {
  if (!isSound) throw new Damage();
}

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Damage();
  return value;
}
