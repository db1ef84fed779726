import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { setBlockStatus } from "../forward/set-block-status.ts";

/** Makes the node consider a block again that was invalidated. */
export const reconsiderblock: BitcoinHandler<"reconsiderblock", BitcoinNodeContext> = async (
  { blockhash },
  context,
) => {
  await setBlockStatus("reconsiderblock", blockhash, context);
  return null;
};
