import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { readMaximumFeeRate } from "../forward/fee-limit.ts";
import { submitPackage } from "../forward/submit-package.ts";
import { readAmount } from "../raw-transaction/amount.ts";

/** Submits a package of transactions to the node. */
export const submitpackage: BitcoinHandler<"submitpackage", BitcoinNodeContext> = (
  { package: rawtxs, maxfeerate, maxburnamount = 0n },
  context,
) => {
  const feeRate = maxfeerate === undefined ? undefined : readMaximumFeeRate(maxfeerate);
  return submitPackage(rawtxs, { feeRate, burntAmount: readAmount(maxburnamount, "maxburnamount") }, context);
};
