import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context.ts";
import { judgeBlock } from "../forward/judge-block.ts";

/** Makes the node prefer a block over others of the same work. */
export const preciousblock: BitcoinHandler<"preciousblock", BitcoinNodeContext> = async ({ blockhash }, context) => {
  await judgeBlock("preciousblock", blockhash, context);
  return null;
};
