import type { Transaction } from "@nodewright/ethereum-node-api/types";
import { type NodeBlock, type NodeReceipt, nameFields } from "./node-values.ts";
import { quantity } from "../basics/quantity.ts";
import { hasForms, isHash } from "./response-forms.ts";
import { blockForms, receiptForms, transactionForms } from "./object-forms.ts";
import { unusableResponse } from "../basics/unusable-response.ts";

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
export function readBlock(response: unknown, { hash, number, full }: BlockReference): NodeBlock | undefined {
  if (response === null || response === undefined) return undefined;
  if (!looksLikeBlock(response)) throw unusableResponse("a value that is not a block");
  if ((hash !== undefined && response.hash !== hash) || (number !== undefined && response.number !== number)) {
    throw unusableResponse("another block than requested");
  }
  assertOwnTransactions(response, full);
  return response;
}

/**
 * Reads the response to a request for the receipts of a block. `block` is the block, where it is known.
 *
 * Throws `upstream_unavailable` for receipts, or logs, of another block or of other transactions than the block's.
 */
export function readReceipts(response: unknown, hash: string, block: NodeBlock | undefined): readonly NodeReceipt[] {
  if (!Array.isArray(response)) throw unusableResponse("a value that is not a list of receipts");
  const receipts = response as readonly NodeReceipt[];
  let logs = 0;
  for (const [position, receipt] of receipts.entries()) {
    const isOwn =
      looksLikeReceipt(receipt) && receipt.blockHash === hash && receipt.transactionIndex === quantity(position);
    if (!isOwn || !hasOwnLogs(receipt, logs)) throw unusableResponse("receipts of another block");
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
export function readTransaction(response: unknown, hash: string): Transaction | undefined {
  if (response === null || response === undefined) return undefined;
  if (!looksLikeTransaction(response)) throw unusableResponse("a value that is not a transaction");
  const transaction = response;
  if (transaction.hash !== hash) throw unusableResponse("another transaction than requested");
  const { blockHash, blockNumber, transactionIndex } = transaction;
  const parts = [blockHash, blockNumber, transactionIndex].filter((part) => typeof part === "string");
  // Some clients return pending transactions with a position.
  const isMined = typeof blockHash === "string" || typeof blockNumber === "string";
  if (isMined && parts.length < 3) throw unusableResponse("an incomplete position of a transaction");
  return transaction;
}

/** Reads the response to a request for the receipt of a transaction; undefined when the node knows none. Throws as `readReceipts`. */
export function readReceipt(response: unknown, hash: string): NodeReceipt | undefined {
  if (response === null || response === undefined) return undefined;
  if (!looksLikeReceipt(response) || response.transactionHash !== hash || !hasOwnLogs(response)) {
    throw unusableResponse("the receipt of another transaction");
  }
  for (const log of response.logs) nameFields(log);
  return response;
}

/** Throws `upstream_unavailable` when there is not one receipt for each transaction of the block, in order. */
export function assertReceiptsOf({ transactions }: NodeBlock, receipts: readonly NodeReceipt[]): void {
  const isWhole =
    receipts.length === transactions.length &&
    transactions.every((transaction, position) => hashOf(transaction) === receipts[position]?.transactionHash);
  if (!isWhole) throw unusableResponse("receipts that do not belong to the transactions of their block");
}

function assertOwnTransactions({ hash, transactions }: NodeBlock, full: boolean): void {
  for (const [position, transaction] of transactions.entries()) {
    if (isHash(transaction)) {
      if (full) throw unusableResponse("a block without its transactions");
      continue;
    }
    if (
      !looksLikeTransaction(transaction) ||
      transaction.blockHash !== hash ||
      transaction.transactionIndex !== quantity(position)
    ) {
      throw unusableResponse("a block with transactions of another block");
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

function looksLikeBlock(response: unknown): response is NodeBlock {
  return hasForms(response, blockForms);
}

/** Returns whether a node's result has the members of a transaction, mined or pending. */
export function looksLikeTransaction(response: unknown): response is Transaction {
  return hasForms(response, transactionForms);
}

/**
 * Returns whether a node's result has the members of a receipt: since the Byzantium upgrade whether the transaction succeeded, and before
 * it the state that it led to.
 */
function looksLikeReceipt(response: unknown): response is NodeReceipt {
  if (!hasForms(response, receiptForms)) return false;
  const { status, root } = response as NodeReceipt;
  return status !== undefined || root !== undefined;
}
