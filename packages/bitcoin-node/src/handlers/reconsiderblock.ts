import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context.ts";
import { judgeBlock } from "../forward/judge-block.ts";

/** Makes the node consider a block again that was invalidated. */
export const reconsiderblock: BitcoinHandler<"reconsiderblock", BitcoinNodeContext> = async (
  { blockhash },
  context,
) => {
  await judgeBlock("reconsiderblock", blockhash, context);
  return null;
};
