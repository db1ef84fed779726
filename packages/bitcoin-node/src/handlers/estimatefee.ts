import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { estimateFeeRate } from "../forward/fee-estimate.ts";

/** Value for no estimate in satoshi, written as -1 bitcoin. */
const noEstimate = -100_000_000n;

/** Returns a fee rate estimate, in the form of older nodes. */
export const estimatefee: BitcoinHandler<"estimatefee", BitcoinNodeContext> = async ({ numblocks }, context) => {
  const { feeRate } = await estimateFeeRate(numblocks, undefined, context);
  return feeRate ?? noEstimate;
};
