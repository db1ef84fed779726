import type { ServiceError } from "@nodewright/runtime";
import type { UpstreamRpcError } from "@nodewright/upstream";
import type { BitcoinNodeContext } from "../context/context.ts";
import { rpcError } from "../parameters/rpc-error.ts";
import { callNode, getSoftware } from "./call-node.ts";
import { nodeError } from "./refusal.ts";

/** Commands of addnode. */
export type AddedNodeCommand = "add" | "remove" | "onetry";

/** Commands of btcd's `node`. */
export type NodeCommand =
  | { readonly command: "connect"; readonly target: string; readonly isPermanent: boolean }
  | { readonly command: "remove" | "disconnect"; readonly target: string };

/** Error codes of Bitcoin Core (`rpc/protocol.h`). */
const alreadyAdded = -23;
const notAdded = -24;
const notConnected = -29;
const noCapacity = -34;

/** Adds a peer to the node's list, removes it, or tries to connect once. Throws in Bitcoin Core's dialect. */
export async function addNode(
  address: string,
  command: AddedNodeCommand,
  isEncrypted: boolean | undefined,
  context: BitcoinNodeContext,
): Promise<void> {
  const method = "addnode";
  const { kind } = await getSoftware(context, method);
  if (kind === "core") {
    const wish = isEncrypted === undefined ? [] : [isEncrypted];
    await callNode(context, { method, params: [address, command, ...wish] });
    return;
  }
  if (isEncrypted === true) {
    throw rpcError("invalidParameter", "Error: v2transport requested but not enabled (see -v2transport)");
  }
  await callNode(context, { method, params: [address, command], refuse: (error) => refusePeer(command, error) });
}

/** Runs btcd's `node` command, by Bitcoin Core's own methods where that is the upstream. Throws in Bitcoin Core's dialect. */
export async function commandNode(wish: NodeCommand, context: BitcoinNodeContext): Promise<void> {
  const method = "node";
  const { kind } = await getSoftware(context, method);
  const { command, target } = wish;
  const refuse = (error: UpstreamRpcError): ServiceError | undefined => refusePeer(command, error);
  if (kind === "core") {
    await callNode(context, { method, ...callOfCore(wish) });
    return;
  }
  const connection = wish.command === "connect" ? [wish.isPermanent ? "perm" : "temp"] : [];
  await callNode(context, { method, params: [command, target, ...connection], refuse });
}

function callOfCore(wish: NodeCommand): { readonly nodeMethod: string; readonly params: readonly unknown[] } {
  const { target } = wish;
  switch (wish.command) {
    case "connect":
      return { nodeMethod: "addnode", params: [target, wish.isPermanent ? "add" : "onetry"] };
    case "remove":
      return { nodeMethod: "addnode", params: [target, "remove"] };
    case "disconnect":
      return { nodeMethod: "disconnectnode", params: /^\d{1,15}$/.test(target) ? ["", Number(target)] : [target] };
  }
}

/** Converts btcd's messages, which share one code. */
function refusePeer(
  command: AddedNodeCommand | NodeCommand["command"],
  { message }: UpstreamRpcError,
): ServiceError | undefined {
  if (/already connected|exists as a permanent peer/.test(message)) {
    return nodeError(alreadyAdded, "Error: Node already added");
  }
  if (/max peers reached/.test(message)) {
    return nodeError(noCapacity, "Error: Already at capacity for specified connection type.");
  }
  if (/peer not found|can't remove a temporary peer/.test(message)) {
    return command === "disconnect"
      ? nodeError(notConnected, "Node not found in connected nodes")
      : nodeError(notAdded, "Error: Node could not be removed. It has not been added previously.");
  }
  return undefined;
}
