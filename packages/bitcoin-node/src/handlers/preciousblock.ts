import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { setBlockStatus } from "../forward/set-block-status.ts";

/** Makes the node prefer a block over others of the same work. */
export const preciousblock: BitcoinHandler<"preciousblock", BitcoinNodeContext> = async ({ blockhash }, context) => {
  await setBlockStatus("preciousblock", blockhash, context);
  return null;
};
