import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { type EstimateMode, estimateFeeRate } from "../forward/fee-estimate.ts";
import { rpcError } from "../parameters/rpc-error.ts";

const modes: readonly EstimateMode[] = ["unset", "economical", "conservative"];

/** Returns a fee rate estimate, with the number of blocks that it applies to. */
export const estimatesmartfee: BitcoinHandler<"estimatesmartfee", BitcoinNodeContext> = async (
  { confTarget, estimateMode },
  context,
) => {
  const mode = estimateMode === undefined ? undefined : readMode(estimateMode);
  const { feeRate, blocks } = await estimateFeeRate(confTarget, mode, context);
  return feeRate === undefined
    ? { errors: ["Insufficient data or no feerate found"], blocks }
    : { feerate: feeRate, blocks };
};

function readMode(text: string): EstimateMode {
  const mode = modes.find((known) => known === text.toLowerCase());
  if (mode !== undefined) return mode;
  const choice = modes.map((known) => `"${known}"`).join(", ");
  throw rpcError("invalidParameter", `Invalid estimate_mode parameter, must be one of: ${choice}`);
}
