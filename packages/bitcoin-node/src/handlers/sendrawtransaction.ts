import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { readMaximumFeeRate } from "../forward/fee-limit.ts";
import { sendTransaction } from "../forward/send-transaction.ts";
import { readAmount } from "../raw-transaction/amount.ts";

/** Sends a transaction to the node. */
export const sendrawtransaction: BitcoinHandler<"sendrawtransaction", BitcoinNodeContext> = (
  { hexstring, maxfeerate, maxburnamount = 0n },
  context,
) => {
  const burntAmount = readAmount(maxburnamount, "maxburnamount");
  const feeRate = maxfeerate === undefined ? undefined : readMaximumFeeRate(maxfeerate);
  return sendTransaction(hexstring, { feeRate, burntAmount }, context);
};
