import type { ServiceError } from "@nodewright/runtime";
import { publicNodeText, type UpstreamRpcError } from "@nodewright/upstream";
import type { BitcoinNodeContext } from "../context/context.ts";
import { callNode } from "./call-node.ts";
import { getList, getText } from "./node-response.ts";
import { assertMayControl } from "./node-control.ts";
import { nodeError } from "./refusal.ts";

/** Makes the node of a test network mine blocks, and returns their hashes. The node is called once. */
export async function makeBlocks(count: number, context: BitcoinNodeContext): Promise<readonly string[]> {
  const method = "generate";
  assertMayControl(context, method);
  const result = await callNode(context, { method, params: [count], refuse: refuseMining });
  return getList(result, method).map((hash) => getText(hash, method));
}

/** Switches the node's mining; `processors` is -1 for all. */
export async function switchMining(isOn: boolean, processors: number, context: BitcoinNodeContext): Promise<void> {
  const method = "setgenerate";
  assertMayControl(context, method);
  await callNode(context, { method, params: [isOn, processors], refuse: refuseMining });
}

const miscellaneous = -1;
const internalError = -32603;
/** Error code for a difficulty out of the node's reach: btcd's RPC_DIFFICULTY; -5 means here that something is not found. */
const difficultyError = -5;

/** Converts btcd's reasons that are not failures of the node: it has no address for the reward, or its network is too difficult. */
function refuseMining({ code, message }: UpstreamRpcError): ServiceError | undefined {
  const isReason = code === difficultyError || (code === internalError && !/not authorized/.test(message));
  return isReason ? nodeError(miscellaneous, publicNodeText(message)) : undefined;
}
