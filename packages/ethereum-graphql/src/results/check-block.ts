import type { Transaction } from "@nodewright/ethereum-node-api/types";
import { type NodeBlock, type NodeReceipt, nameFields } from "./node-values.ts";
import { quantity } from "../basics/quantity.ts";
import { hasForms, isHash } from "./response-forms.ts";
import { blockForms, receiptForms, transactionForms } from "./object-forms.ts";
import { unexpectedResult } from "../basics/unexpected-result.ts";

/** Reference by which a block was requested. */
export interface BlockReference {
  readonly hash?: string | undefined;
  /** Height in hexadecimal. */
  readonly number?: string | undefined;
  readonly full: boolean;
}

/**
 * Reads the response to a request for a block; undefined when the node knows none.
 *
 * Throws `upstream_unavailable` for an invalid block, another block than requested, and one with transactions of another block.
 */
export function readBlock(result: unknown, { hash, number, full }: BlockReference): NodeBlock | undefined {
  if (result === null || result === undefined) return undefined;
  if (!looksLikeBlock(result)) throw unexpectedResult("a value that is not a block");
  if ((hash !== undefined && result.hash !== hash) || (number !== undefined && result.number !== number)) {
    throw unexpectedResult("another block than requested");
  }
  assertOwnTransactions(result, full);
  return result;
}

/**
 * Reads the response to a request for the receipts of a block. `block` is the block, where it is known.
 *
 * Throws `upstream_unavailable` for receipts, or logs, of another block or of other transactions than the block's.
 */
export function readReceipts(result: unknown, hash: string, block: NodeBlock | undefined): readonly NodeReceipt[] {
  if (!Array.isArray(result)) throw unexpectedResult("a value that is not a list of receipts");
  const receipts = result as readonly NodeReceipt[];
  let logs = 0;
  for (const [position, receipt] of receipts.entries()) {
    const isOwn =
      looksLikeReceipt(receipt) && receipt.blockHash === hash && receipt.transactionIndex === quantity(position);
    if (!isOwn || !hasOwnLogs(receipt, logs)) throw unexpectedResult("receipts of another block");
    for (const log of receipt.logs) nameFields(log);
    logs += receipt.logs.length;
  }
  if (block !== undefined) assertReceiptsOf(block, receipts);
  return receipts;
}

/**
 * Reads the response to a request for a transaction; undefined when the node knows none.
 *
 * Throws `upstream_unavailable` for another transaction than requested, and one that is in a block and has no position there.
 */
export function readTransaction(result: unknown, hash: string): Transaction | undefined {
  if (result === null || result === undefined) return undefined;
  if (!looksLikeTransaction(result)) throw unexpectedResult("a value that is not a transaction");
  const transaction = result;
  if (transaction.hash !== hash) throw unexpectedResult("another transaction than requested");
  const { blockHash, blockNumber, transactionIndex } = transaction;
  const parts = [blockHash, blockNumber, transactionIndex].filter((part) => typeof part === "string");
  // Some clients return pending transactions with a position.
  const isMined = typeof blockHash === "string" || typeof blockNumber === "string";
  if (isMined && parts.length < 3) throw unexpectedResult("an incomplete position of a transaction");
  return transaction;
}

/** Reads the response to a request for the receipt of a transaction; undefined when the node knows none. Throws as `readReceipts`. */
export function readReceipt(result: unknown, hash: string): NodeReceipt | undefined {
  if (result === null || result === undefined) return undefined;
  if (!looksLikeReceipt(result) || result.transactionHash !== hash || !hasOwnLogs(result)) {
    throw unexpectedResult("the receipt of another transaction");
  }
  for (const log of result.logs) nameFields(log);
  return result;
}

/** Throws `upstream_unavailable` when there is not one receipt for each transaction of the block, in order. */
export function assertReceiptsOf({ transactions }: NodeBlock, receipts: readonly NodeReceipt[]): void {
  const isWhole =
    receipts.length === transactions.length &&
    transactions.every((transaction, position) => hashOf(transaction) === receipts[position]?.transactionHash);
  if (!isWhole) throw unexpectedResult("receipts that do not belong to the transactions of their block");
}

function assertOwnTransactions({ hash, transactions }: NodeBlock, full: boolean): void {
  for (const [position, transaction] of transactions.entries()) {
    if (isHash(transaction)) {
      if (full) throw unexpectedResult("a block without its transactions");
      continue;
    }
    if (
      !looksLikeTransaction(transaction) ||
      transaction.blockHash !== hash ||
      transaction.transactionIndex !== quantity(position)
    ) {
      throw unexpectedResult("a block with transactions of another block");
    }
  }
}

/** Returns whether the logs of a transaction are consecutive in their block; `first`: their first position, where it is known. */
function hasOwnLogs(receipt: NodeReceipt, first: number = Number(receipt.logs[0]?.logIndex)): boolean {
  const { logs, blockHash, transactionHash, transactionIndex } = receipt;
  return logs.every(
    (log, position) =>
      log.blockHash === blockHash &&
      log.transactionHash === transactionHash &&
      log.transactionIndex === transactionIndex &&
      Number(log.logIndex) === first + position,
  );
}

function hashOf(transaction: NodeBlock["transactions"][number]): string {
  return typeof transaction === "string" ? transaction : transaction.hash;
}

function looksLikeBlock(result: unknown): result is NodeBlock {
  return hasForms(result, blockForms);
}

/** Returns whether a node's result has the members of a transaction, mined or pending. */
export function looksLikeTransaction(result: unknown): result is Transaction {
  return hasForms(result, transactionForms);
}

/**
 * Returns whether a node's result has the members of a receipt: since the Byzantium upgrade whether the transaction succeeded, and before
 * it the state that it led to.
 */
function looksLikeReceipt(result: unknown): result is NodeReceipt {
  if (!hasForms(result, receiptForms)) return false;
  const { status, root } = result as NodeReceipt;
  return status !== undefined || root !== undefined;
}
