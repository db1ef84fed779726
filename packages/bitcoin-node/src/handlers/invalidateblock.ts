import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { setBlockStatus } from "../forward/set-block-status.ts";

/** Makes the node treat a block as invalid. */
export const invalidateblock: BitcoinHandler<"invalidateblock", BitcoinNodeContext> = async (
  { blockhash },
  context,
) => {
  await setBlockStatus("invalidateblock", blockhash, context);
  return null;
};
