import { isServiceError } from "@nodewright/runtime";
import { isUpstreamRpcError, type UpstreamRpcError } from "@nodewright/upstream";
import type { OptionalMethod } from "../capabilities/probes.ts";
import type { EthereumNode } from "./ethereum-node.ts";
import type { Eventually } from "../basics/eventually.ts";
import { isMethodMissing } from "../node-calls/upstream-calls.ts";

/**
 * Calls a method that clients may lack; undefined when this one does, which is remembered.
 *
 * The first call that misses a method starts the probes for other missing ones.
 */
export async function callIfOffered(
  method: OptionalMethod,
  callNode: () => Eventually<unknown>,
  { node: { capabilities } }: { readonly node: Pick<EthereumNode, "capabilities"> },
): Promise<unknown> {
  if (capabilities.describe().capabilities?.[method] === false) return undefined;
  try {
    return await callNode();
  } catch (reason) {
    if (!isMethodMissing(refusalCausing(reason))) throw reason;
    capabilities.lacks(method);
    void capabilities.all();
    return undefined;
  }
}

/** Returns the node's own error response, where that is the cause of a failure. */
export function refusalCausing(reason: unknown): UpstreamRpcError | undefined {
  const refusal = isServiceError(reason) ? reason.cause : reason;
  return isUpstreamRpcError(refusal) ? refusal : undefined;
}
