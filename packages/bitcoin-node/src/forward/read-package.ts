import { readTransactionText, type Transaction } from "@nodewright/bitcoin-primitives";
import { rpcError } from "../rpc-error.ts";

/** Bitcoin Core takes no more at once. */
const mostTransactions = 25;
/** Longer texts are not sent back whole. */
const echoedLength = 100;

/** Reads the serialized transactions of a package. Throws -8 for too many or none, and -22 for what is no transaction. */
export function readPackage(texts: readonly string[]): readonly Transaction[] {
  if (texts.length < 1 || texts.length > mostTransactions) {
    throw rpcError("invalidParameter", `Array must contain between 1 and ${mostTransactions} transactions.`);
  }
  return texts.map(readTransaction);
}

function readTransaction(text: string): Transaction {
  const transaction = readTransactionText(text);
  if (transaction !== undefined) return transaction;
  const shown = text.length > echoedLength ? `${text.slice(0, echoedLength)}…` : text;
  throw rpcError("cannotDecode", `TX decode failed: ${shown} Make sure the tx has at least one input.`);
}
