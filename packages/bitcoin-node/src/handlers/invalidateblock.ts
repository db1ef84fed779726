import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context.ts";
import { judgeBlock } from "../forward/judge-block.ts";

/** Makes the node treat a block as invalid. */
export const invalidateblock: BitcoinHandler<"invalidateblock", BitcoinNodeContext> = async (
  { blockhash },
  context,
) => {
  await judgeBlock("invalidateblock", blockhash, context);
  return null;
};
