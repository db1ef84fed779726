import type { AddedNode } from "@nodewright/bitcoin-api/types";
import type { ServiceError } from "@nodewright/runtime";
import type { UpstreamRpcError } from "@nodewright/upstream";
import type { BitcoinNodeContext } from "../context/context.ts";
import { callNode, getSoftware } from "./call-node.ts";
import { findText, getList, getRecord, getText, isRecord, type NodeRecord } from "./node-response.ts";
import { nodeError } from "./refusal.ts";

const method = "getaddednodeinfo";
const notAdded = -24;

/** Returns the peers that were added by hand, or the one at an address. Throws -24 when it was not added. */
export async function getAddedNodes(
  address: string | undefined,
  context: BitcoinNodeContext,
): Promise<readonly AddedNode[]> {
  const { kind } = await getSoftware(context, method);
  const one = address === undefined ? [] : [address];
  // btcd's first parameter requests objects.
  const params = kind === "btcd" ? [true, ...one] : one;
  const refuse = ({ code }: UpstreamRpcError): ServiceError | undefined =>
    code === notAdded ? nodeError(code, "Error: Node has not been added.") : undefined;
  const nodes = getList(await callNode(context, { method, params, refuse }), method);
  return nodes.map((node) => renderAddedNode(getRecord(node, method)));
}

function renderAddedNode(node: NodeRecord): AddedNode {
  const addednode = getText(node["addednode"], method);
  const connected = node["connected"] === true;
  return { addednode, connected, addresses: connected ? connectionsOf(node, addednode) : [] };
}

/** Returns the connections of a peer. btcd lists hosts without their ports, and also those that it is not connected to. */
function connectionsOf(node: NodeRecord, addednode: string): AddedNode["addresses"] {
  return getList(node["addresses"] ?? null, method).flatMap((value) => {
    if (!isRecord(value)) return [];
    const { address, connected } = value;
    if (connected !== "inbound" && connected !== "outbound") return [];
    const text = findText(address) ?? "";
    return [{ address: addednode.startsWith(text) ? addednode : text, connected }];
  });
}
