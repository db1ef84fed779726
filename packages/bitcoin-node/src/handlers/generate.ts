import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { makeBlocks } from "../forward/mine.ts";

/** Makes the node mine blocks at once. */
export const generate: BitcoinHandler<"generate", BitcoinNodeContext> = ({ numblocks }, context) =>
  makeBlocks(numblocks, context);
