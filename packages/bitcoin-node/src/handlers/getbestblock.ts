import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { getTip } from "../chain/best-block.ts";
import type { BitcoinNodeContext } from "../context/context.ts";

/** Returns hash and height of the best block. */
export const getbestblock: BitcoinHandler<"getbestblock", BitcoinNodeContext> = async (_input, { index }) => {
  const { hash, height } = await getTip(index);
  return { hash, height };
};
