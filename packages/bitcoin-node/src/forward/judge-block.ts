import type { ServiceError } from "@nodewright/runtime";
import type { UpstreamRpcError } from "@nodewright/upstream";
import type { BitcoinNodeContext } from "../context.ts";
import { callNode } from "./call-node.ts";
import { assertMayControl } from "./node-control.ts";
import { nodeError } from "./refusal.ts";

/** Codes of Bitcoin Core (`rpc/protocol.h`). */
const blockNotFound = -5;
const databaseError = -20;
/** What btcd answers to everything that has no code there. */
const invalidRequest = -32600;
const internalError = -32603;

/** Tells the node what to think of a block. Throws -5 when it does not know the block, -20 when it could not change its chain. */
export async function judgeBlock(
  method: "preciousblock" | "invalidateblock" | "reconsiderblock",
  hash: string,
  context: BitcoinNodeContext,
): Promise<void> {
  assertMayControl(context, method);
  const params = [hash.toLowerCase()];
  await callNode(context, { method, params, refuse: refuseJudgement });
}

function refuseJudgement({ code, message }: UpstreamRpcError): ServiceError | undefined {
  if (code === blockNotFound || /not found|doesn't exist|does not exist|not in the block index/i.test(message)) {
    return nodeError(blockNotFound, "Block not found");
  }
  if (code === invalidRequest || (code === internalError && !/not authorized/.test(message))) {
    return nodeError(databaseError, "The node could not change its chain");
  }
  return undefined;
}
