import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { getTemplate } from "../forward/block-template.ts";

/** Returns the data that a miner needs to build a block. */
export const getblocktemplate: BitcoinHandler<"getblocktemplate", BitcoinNodeContext> = (
  { templateRequest = {} },
  context,
) => getTemplate(templateRequest, context);
