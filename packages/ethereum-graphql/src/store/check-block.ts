import type { Transaction } from "@nodewright/ethereum-node-api/types";
import { type NodeBlock, type NodeReceipt, nameFields } from "../node-values.ts";
import { quantity } from "../quantity.ts";
import { hasForms, isHash } from "./answer-forms.ts";
import { blockForms, receiptForms, transactionForms } from "./object-forms.ts";
import { unusableAnswer } from "../node-calls/unusable-answer.ts";

/** Reference by which a block was requested. */
export interface BlockQuestion {
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
export function readBlock(answer: unknown, { hash, number, full }: BlockQuestion): NodeBlock | undefined {
  if (answer === null || answer === undefined) return undefined;
  if (!looksLikeBlock(answer)) throw unusableAnswer("something that is no block");
  if ((hash !== undefined && answer.hash !== hash) || (number !== undefined && answer.number !== number)) {
    throw unusableAnswer("another block than it was asked for");
  }
  assertOwnTransactions(answer, full);
  return answer;
}

/**
 * Reads the response to a request for the receipts of a block. `block` is the block, where it is known.
 *
 * Throws `upstream_unavailable` for receipts, or logs, of another block or of other transactions than the block's.
 */
export function readReceipts(answer: unknown, hash: string, block: NodeBlock | undefined): readonly NodeReceipt[] {
  if (!Array.isArray(answer)) throw unusableAnswer("something that is no list of receipts");
  const receipts = answer as readonly NodeReceipt[];
  let logs = 0;
  for (const [position, receipt] of receipts.entries()) {
    const isOwn =
      looksLikeReceipt(receipt) && receipt.blockHash === hash && receipt.transactionIndex === quantity(position);
    if (!isOwn || !hasOwnLogs(receipt, logs)) throw unusableAnswer("receipts of another block");
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
export function readTransaction(answer: unknown, hash: string): Transaction | undefined {
  if (answer === null || answer === undefined) return undefined;
  if (!looksLikeTransaction(answer)) throw unusableAnswer("something that is no transaction");
  const transaction = answer;
  if (transaction.hash !== hash) throw unusableAnswer("another transaction than it was asked for");
  const { blockHash, blockNumber, transactionIndex } = transaction;
  const parts = [blockHash, blockNumber, transactionIndex].filter((part) => typeof part === "string");
  // Some clients return pending transactions with a position.
  const isMined = typeof blockHash === "string" || typeof blockNumber === "string";
  if (isMined && parts.length < 3) throw unusableAnswer("half of where a transaction is");
  return transaction;
}

/** Reads the response to a request for the receipt of a transaction; undefined when the node knows none. Throws as `readReceipts`. */
export function readReceipt(answer: unknown, hash: string): NodeReceipt | undefined {
  if (answer === null || answer === undefined) return undefined;
  if (!looksLikeReceipt(answer) || answer.transactionHash !== hash || !hasOwnLogs(answer)) {
    throw unusableAnswer("the receipt of another transaction");
  }
  for (const log of answer.logs) nameFields(log);
  return answer;
}

/** Throws `upstream_unavailable` when there is not one receipt for each transaction of the block, in order. */
export function assertReceiptsOf({ transactions }: NodeBlock, receipts: readonly NodeReceipt[]): void {
  const isWhole =
    receipts.length === transactions.length &&
    transactions.every((transaction, position) => hashOf(transaction) === receipts[position]?.transactionHash);
  if (!isWhole) throw unusableAnswer("receipts that do not belong to the transactions of their block");
}

function assertOwnTransactions({ hash, transactions }: NodeBlock, full: boolean): void {
  for (const [position, transaction] of transactions.entries()) {
    if (isHash(transaction)) {
      if (full) throw unusableAnswer("a block without its transactions");
      continue;
    }
    if (
      !looksLikeTransaction(transaction) ||
      transaction.blockHash !== hash ||
      transaction.transactionIndex !== quantity(position)
    ) {
      throw unusableAnswer("a block with transactions of another block");
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

function looksLikeBlock(answer: unknown): answer is NodeBlock {
  return hasForms(answer, blockForms);
}

/** Returns whether a node's result has the members of a transaction, mined or pending. */
export function looksLikeTransaction(answer: unknown): answer is Transaction {
  return hasForms(answer, transactionForms);
}

/**
 * Returns whether a node's result has the members of a receipt: since the Byzantium upgrade whether the transaction succeeded, and before
 * it the state that it led to.
 */
function looksLikeReceipt(answer: unknown): answer is NodeReceipt {
  if (!hasForms(answer, receiptForms)) return false;
  const { status, root } = answer as NodeReceipt;
  return status !== undefined || root !== undefined;
}
