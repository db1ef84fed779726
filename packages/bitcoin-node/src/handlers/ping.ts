import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { callNode } from "../forward/call-node.ts";

/** Makes the node ping its peers. */
export const ping: BitcoinHandler<"ping", BitcoinNodeContext> = async (_input, context) => {
  await callNode(context, { method: "ping" });
  return null;
};
