import { isServiceError, type ServiceError } from "@nodewright/runtime";
import { isUpstreamRpcError, type Upstream, type UpstreamRpcError } from "@nodewright/upstream";
import type { BitcoinNodeContext } from "../context.ts";
import { forgetNode, identifyNode, type NodeSoftware } from "./node-software.ts";
import { noNode, refusalOfNode } from "./refusal.ts";

/** A method of the node, called on behalf of one of this interface. */
export interface NodeCall {
  /** As the caller named it. */
  readonly method: string;
  /** As the node names it, where that differs. */
  readonly nodeMethod?: string;
  readonly params?: readonly unknown[];
  /** In place of the upstream's own. */
  readonly timeoutMilliseconds?: number;
  /** What the node's error means for this method; `undefined` where it means what it always means. */
  readonly refuse?: (error: UpstreamRpcError) => ServiceError | undefined;
}

/** What the node said: a result, or its own error. */
export type NodeAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: UpstreamRpcError };

type NodeContext = Pick<BitcoinNodeContext, "upstream">;

/** The node behind the index. Throws `not_implemented` with the reason `no-node` where there is none. */
export function getNode({ upstream }: NodeContext, method: string): Upstream {
  if (upstream === undefined) throw noNode(method);
  return upstream;
}

/** What the node behind the index runs. Throws as `callNode` does. */
export async function getSoftware(context: NodeContext, method: string): Promise<NodeSoftware> {
  try {
    return await identifyNode(getNode(context, method));
  } catch (reason) {
    throw isUpstreamRpcError(reason) ? refusalOfNode(method, reason) : reason;
  }
}

/** Calls the node once. Its own refusal comes back in Bitcoin Core's dialect; a failure to get an answer as the upstream throws it. */
export async function callNode(context: NodeContext, call: NodeCall): Promise<unknown> {
  const answer = await askNode(context, call);
  if (answer.ok) return answer.result;
  throw call.refuse?.(answer.error) ?? refusalOfNode(call.method, answer.error);
}

/** Calls the node once and gives its own refusal as it is. Throws what the upstream throws when there is no answer. */
export async function askNode(
  context: NodeContext,
  { method, nodeMethod = method, params = [], timeoutMilliseconds }: NodeCall,
): Promise<NodeAnswer> {
  const upstream = getNode(context, method);
  try {
    return { ok: true, result: await upstream.call(nodeMethod, params, { timeoutMilliseconds }) };
  } catch (reason) {
    if (isUpstreamRpcError(reason)) return { ok: false, error: reason };
    // Anything else is a caller who has gone.
    if (isServiceError(reason)) forgetNode(upstream);
    throw reason;
  }
}
