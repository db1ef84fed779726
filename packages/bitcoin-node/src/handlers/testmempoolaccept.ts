import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { readMaximumFeeRate } from "../forward/fee-limit.ts";
import { testAcceptance } from "../forward/test-acceptance.ts";

/** Returns whether the node would accept transactions into its mempool. */
export const testmempoolaccept: BitcoinHandler<"testmempoolaccept", BitcoinNodeContext> = (
  { rawtxs, maxfeerate },
  context,
) => testAcceptance(rawtxs, maxfeerate === undefined ? undefined : readMaximumFeeRate(maxfeerate), context);
