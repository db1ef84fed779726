import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { getTipHeight } from "../chain/best-block.ts";
import type { BitcoinNodeContext } from "../context/context.ts";

/** Returns the height of the best block. */
export const getblockcount: BitcoinHandler<"getblockcount", BitcoinNodeContext> = (_input, { index }) =>
  getTipHeight(index);
