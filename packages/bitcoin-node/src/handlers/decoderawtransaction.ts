import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import {
  fromHex,
  isMalformedBytesError,
  parseTransaction,
  type Transaction,
  type TransactionFormat,
} from "@nodewright/bitcoin-primitives";
import type { BitcoinNodeContext } from "../context/context.ts";
import { isLargeTransaction, renderLargeTransaction } from "../render/long-scripts.ts";
import { renderTransaction } from "../render/transaction.ts";
import { rpcError } from "../parameters/rpc-error.ts";

/** Decodes a serialized transaction. */
export const decoderawtransaction: BitcoinHandler<"decoderawtransaction", BitcoinNodeContext> = (
  { hexstring, iswitness },
  { index },
) => {
  const bytes = fromHex(hexstring);
  const transaction = bytes === undefined ? undefined : decode(bytes, iswitness);
  if (transaction === undefined) throw rpcError("cannotDecode", "TX decode failed");
  return isLargeTransaction(transaction)
    ? renderLargeTransaction(transaction, index.network)
    : renderTransaction(transaction, index.network);
};

/**
 * Decodes a transaction. One without inputs in the older form looks like one with witnesses: both are tried, unless the client specifies.
 */
function decode(bytes: Uint8Array, iswitness: boolean | undefined): Transaction | undefined {
  const formats: readonly TransactionFormat[] =
    iswitness === undefined ? [{ witness: true }, { witness: false }] : [{ witness: iswitness }];
  for (const format of formats) {
    const transaction = parsed(bytes, format);
    if (transaction !== undefined) return transaction;
  }
  return undefined;
}

function parsed(bytes: Uint8Array, format: TransactionFormat): Transaction | undefined {
  try {
    return parseTransaction(bytes, format);
  } catch (error) {
    if (isMalformedBytesError(error)) return undefined;
    throw error;
  }
}
