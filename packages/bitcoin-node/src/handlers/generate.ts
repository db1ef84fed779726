import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context.ts";
import { makeBlocks } from "../forward/mine.ts";

/** Has the node make blocks at once. */
export const generate: BitcoinHandler<"generate", BitcoinNodeContext> = ({ numblocks }, context) =>
  makeBlocks(numblocks, context);
