import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { switchMining } from "../forward/mine.ts";

/** Switches the node's own mining on or off. */
export const setgenerate: BitcoinHandler<"setgenerate", BitcoinNodeContext> = async (
  { generate, genproclimit = -1 },
  context,
) => {
  await switchMining(generate, genproclimit, context);
  return null;
};
