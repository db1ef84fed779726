import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { getTip } from "../best-block.ts";
import type { BitcoinNodeContext } from "../context.ts";

/** The height of the best block. */
export const getblockcount: BitcoinHandler<"getblockcount", BitcoinNodeContext> = async (_input, { index }) => {
  const { height } = await getTip(index);
  return height;
};
