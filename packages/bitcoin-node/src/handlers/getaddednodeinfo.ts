import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { getAddedNodes } from "../forward/added-nodes.ts";

/** Returns the peers that were added by hand. A boolean first is btcd's parameter: whether more than their addresses is wanted. */
export const getaddednodeinfo: BitcoinHandler<"getaddednodeinfo", BitcoinNodeContext> = async (
  { node, peer },
  context,
) => {
  const nodes = await getAddedNodes(typeof node === "string" ? node : peer, context);
  return node === false ? nodes.map(({ addednode }) => addednode) : nodes;
};
