import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { commandNode } from "../forward/connect-peer.ts";
import { assertMayControl } from "../forward/node-control.ts";

/** Connects the node to a peer, or disconnects it. */
export const node: BitcoinHandler<"node", BitcoinNodeContext> = async ({ subcmd, target, connectsubcmd }, context) => {
  assertMayControl(context, "node");
  const wish =
    subcmd === "connect"
      ? { command: subcmd, target, isPermanent: connectsubcmd === "perm" }
      : { command: subcmd, target };
  await commandNode(wish, context);
  return null;
};
