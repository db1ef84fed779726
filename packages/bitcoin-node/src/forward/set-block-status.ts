import type { ServiceError } from "@nodewright/runtime";
import type { UpstreamRpcError } from "@nodewright/upstream";
import type { BitcoinNodeContext } from "../context/context.ts";
import { requestNode } from "./call-node.ts";
import { assertMayControl } from "./node-control.ts";
import { nodeError, refusalOfNode } from "./refusal.ts";

/** Error codes of Bitcoin Core (`rpc/protocol.h`). */
const blockNotFound = -5;
const databaseError = -20;
/** btcd's error code for any failure of this call. */
const invalidRequest = -32600;

/** Marks a block on the node. Throws -5 when it does not know the block, -20 when it could not change its chain. */
export async function setBlockStatus(
  method: "preciousblock" | "invalidateblock" | "reconsiderblock",
  hash: string,
  context: BitcoinNodeContext,
): Promise<void> {
  assertMayControl(context, method);
  const params = [hash.toLowerCase()];
  const response = await requestNode(context, { method, params });
  if (response.ok) return;
  const { error } = response;
  throw error.code === invalidRequest ? await findReason(method, params, context) : refusal(method, error);
}

async function findReason(
  method: string,
  params: readonly string[],
  context: BitcoinNodeContext,
): Promise<ServiceError> {
  const response = await requestNode(context, { method, nodeMethod: "getblockheader", params: [...params, false] });
  if (response.ok) return nodeError(databaseError, "The node could not change its chain");
  return refusal(method, response.error);
}

function refusal(method: string, error: UpstreamRpcError): ServiceError {
  return error.code === blockNotFound ? nodeError(blockNotFound, "Block not found") : refusalOfNode(method, error);
}
