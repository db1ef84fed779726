import type { AccessTuple, Transaction } from "@nodewright/ethereum-node-api/types";
import type { NodeBlock, NodeLog, NodeReceipt } from "../node-values.ts";

/*
 * About how many bytes things take in memory, from the parts of them that vary: the rest is what V8 needs for their members, which
 * is the same for all. Reading every text of a block to size it would cost more than parsing it did.
 */

/** Of a text beside its characters, which are hexadecimal and take a byte each. */
const textBytes = 20;
const hashBytes = textBytes + 66;
/** Header with its bloom filter, and what the block is kept in. */
const headerBytes = 3_200;
const transactionBytes = 1_150;
const receiptBytes = 1_350;
const logBytes = 560;
const withdrawalBytes = 350;
const authorizationBytes = 500;

/** A block with hashes or with whole transactions. */
export function bytesOfBlock({ transactions, uncles, withdrawals = [] }: NodeBlock): number {
  let bytes = headerBytes + uncles.length * hashBytes + withdrawals.length * withdrawalBytes;
  for (const transaction of transactions) {
    bytes += typeof transaction === "string" ? hashBytes : bytesOfTransaction(transaction);
  }
  return bytes;
}

export function bytesOfReceipts(receipts: readonly NodeReceipt[]): number {
  let bytes = 0;
  for (const { logs } of receipts) bytes += receiptBytes + bytesOfLogs(logs);
  return bytes;
}

export function bytesOfLogs(logs: readonly NodeLog[]): number {
  let bytes = 0;
  for (const { data, topics } of logs) bytes += logBytes + data.length + topics.length * hashBytes;
  return bytes;
}

function bytesOfTransaction({
  input,
  accessList,
  authorizationList = [],
  blobVersionedHashes = [],
}: Transaction): number {
  const hashes = blobVersionedHashes.length + countSlots(accessList ?? []);
  return transactionBytes + input.length + hashes * hashBytes + authorizationList.length * authorizationBytes;
}

/** Each address counts as two slots. */
function countSlots(accessList: readonly AccessTuple[]): number {
  let slots = 0;
  for (const { storageKeys } of accessList) slots += 2 + storageKeys.length;
  return slots;
}
