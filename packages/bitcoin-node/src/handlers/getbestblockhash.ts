import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { getTip } from "../chain/best-block.ts";
import type { BitcoinNodeContext } from "../context/context.ts";

/** Returns the hash of the best block. */
export const getbestblockhash: BitcoinHandler<"getbestblockhash", BitcoinNodeContext> = async (_input, { index }) => {
  const { hash } = await getTip(index);
  return hash;
};
