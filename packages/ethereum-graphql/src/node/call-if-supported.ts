import { isServiceError } from "@nodewright/runtime";
import { isUpstreamRpcError, type UpstreamRpcError } from "@nodewright/upstream";
import type { OptionalMethod } from "../capabilities/probes.ts";
import type { EthereumNode } from "./ethereum-node.ts";
import type { PromiseOrValue } from "../basics/promise-or-value.ts";
import { isMethodMissing } from "../node-calls/upstream-calls.ts";

/**
 * Calls a method that some clients do not support; undefined if this one does not, which is cached.
 *
 * The first unsupported method starts the probes for the other optional methods.
 */
export async function callIfSupported(
  method: OptionalMethod,
  callNode: () => PromiseOrValue<unknown>,
  { node: { capabilities } }: { readonly node: Pick<EthereumNode, "capabilities"> },
): Promise<unknown> {
  if (capabilities.describe().capabilities?.[method] === false) return undefined;
  try {
    return await callNode();
  } catch (reason) {
    if (!isMethodMissing(upstreamErrorOf(reason))) throw reason;
    capabilities.lacks(method);
    void capabilities.all();
    return undefined;
  }
}

/** Returns the error object of the node's response, if that is the cause of a failure. */
export function upstreamErrorOf(reason: unknown): UpstreamRpcError | undefined {
  const refusal = isServiceError(reason) ? reason.cause : reason;
  return isUpstreamRpcError(refusal) ? refusal : undefined;
}
