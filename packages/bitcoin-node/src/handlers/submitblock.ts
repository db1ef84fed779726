import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { assertMayControl } from "../forward/node-control.ts";
import { submitBlock } from "../forward/submit-block.ts";

/** Submits a block to the node. */
export const submitblock: BitcoinHandler<"submitblock", BitcoinNodeContext> = ({ hexdata }, context) => {
  assertMayControl(context, "submitblock");
  return submitBlock(hexdata, context);
};
