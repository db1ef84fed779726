import { readTransactionText, type Transaction } from "@nodewright/bitcoin-primitives";
import { truncate } from "../parameters/parameter-problems.ts";
import { rpcError } from "../parameters/rpc-error.ts";

/** Maximum number of transactions that Bitcoin Core accepts at once. */
const maximumTransactions = 25;

/** Parses the serialized transactions of a package. Throws -8 for too many or none, and -22 for an invalid transaction. */
export function readPackage(texts: readonly string[]): readonly Transaction[] {
  if (texts.length < 1 || texts.length > maximumTransactions) {
    throw rpcError("invalidParameter", `Array must contain between 1 and ${maximumTransactions} transactions.`);
  }
  return texts.map(readTransaction);
}

function readTransaction(text: string): Transaction {
  const transaction = readTransactionText(text);
  if (transaction !== undefined) return transaction;
  throw rpcError("cannotDecode", `TX decode failed: ${truncate(text)} Make sure the tx has at least one input.`);
}
