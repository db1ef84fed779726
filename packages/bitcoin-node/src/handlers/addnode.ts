import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { addNode } from "../forward/connect-peer.ts";
import { assertMayControl } from "../forward/node-control.ts";

/** Adds a peer of the node or removes it. */
export const addnode: BitcoinHandler<"addnode", BitcoinNodeContext> = async (
  { node, command, v2transport },
  context,
) => {
  assertMayControl(context, "addnode");
  await addNode(node, command, v2transport, context);
  return null;
};
