import { fromHex } from "./bytes.ts";
import { isMalformedBytesError } from "./malformed-bytes-error.ts";
import { parseTransaction, type Transaction } from "./transaction.ts";

/** Parses a transaction in hexadecimal as nodes accept it; `undefined` for an invalid one, and for one without inputs. */
export function readTransactionText(text: string): Transaction | undefined {
  const bytes = fromHex(text);
  if (bytes === undefined) return undefined;
  try {
    const transaction = parseTransaction(bytes);
    return transaction.inputs.length === 0 ? undefined : transaction;
  } catch (reason) {
    if (isMalformedBytesError(reason)) return undefined;
    throw reason;
  }
}
