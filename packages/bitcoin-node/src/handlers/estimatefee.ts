import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context.ts";
import { estimateFeeRate } from "../forward/fee-estimate.ts";

/** Satoshi, written as -1 bitcoin. */
const noEstimate = -100_000_000n;

/** A fee rate estimate, as older nodes give it. */
export const estimatefee: BitcoinHandler<"estimatefee", BitcoinNodeContext> = async ({ numblocks }, context) => {
  const { feeRate } = await estimateFeeRate(numblocks, undefined, context);
  return feeRate ?? noEstimate;
};
