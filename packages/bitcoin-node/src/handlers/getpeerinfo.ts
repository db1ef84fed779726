import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { callNode } from "../forward/call-node.ts";
import { getList, getRecord } from "../forward/node-response.ts";
import { renderPeer } from "../forward/peer.ts";

const method = "getpeerinfo";

/** Returns the connected peers. */
export const getpeerinfo: BitcoinHandler<"getpeerinfo", BitcoinNodeContext> = async (_input, context) => {
  const peers = getList(await callNode(context, { method }), method);
  return peers.map((peer) => renderPeer(getRecord(peer, method), !context.isShared));
};
