import { isServiceError, type ServiceError } from "@nodewright/runtime";
import { isUpstreamRpcError, type Upstream, type UpstreamRpcError } from "@nodewright/upstream";
import type { BitcoinNodeContext } from "../context/context.ts";
import { forgetNode, identifyNode, type NodeSoftware } from "./node-software.ts";
import { noNode, refusalOfNode } from "./refusal.ts";

/** A method call to the node, on behalf of one of this interface. */
export interface NodeCall {
  /** Method as the client named it. */
  readonly method: string;
  /** Method as the node names it, where that differs. */
  readonly nodeMethod?: string;
  readonly params?: readonly unknown[];
  /** Timeout in milliseconds in place of the upstream's own. */
  readonly timeoutMilliseconds?: number;
  /** Interprets the node's error for this method; `undefined` where it has its usual meaning. */
  readonly refuse?: (error: UpstreamRpcError) => ServiceError | undefined;
}

/** Response of the node: a result, or its own error. */
export type NodeResponse =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: UpstreamRpcError };

type NodeContext = Pick<BitcoinNodeContext, "upstream">;

/** Returns the upstream node of the index. Throws `not_implemented` with the reason `no-node` if the index has no node. */
export function getNode({ upstream }: NodeContext, method: string): Upstream {
  if (upstream === undefined) throw noNode(method);
  return upstream;
}

/** Returns the software of the upstream node. Throws as `callNode` does. */
export async function getSoftware(context: NodeContext, method: string): Promise<NodeSoftware> {
  try {
    return await identifyNode(getNode(context, method));
  } catch (reason) {
    throw isUpstreamRpcError(reason) ? refusalOfNode(method, reason) : reason;
  }
}

/** Calls the node once. Its own error is converted to Bitcoin Core's dialect; a failure to get a response is thrown unchanged. */
export async function callNode(context: NodeContext, call: NodeCall): Promise<unknown> {
  const response = await requestNode(context, call);
  if (response.ok) return response.result;
  throw call.refuse?.(response.error) ?? refusalOfNode(call.method, response.error);
}

/** Calls the node once and returns its own error unchanged. Throws the upstream's failure when there is no response. */
export async function requestNode(
  context: NodeContext,
  { method, nodeMethod = method, params = [], timeoutMilliseconds }: NodeCall,
): Promise<NodeResponse> {
  const upstream = getNode(context, method);
  try {
    return { ok: true, result: await upstream.call(nodeMethod, params, { timeoutMilliseconds }) };
  } catch (reason) {
    if (isUpstreamRpcError(reason)) return { ok: false, error: reason };
    // Anything else is the abort of a client that has gone.
    if (isServiceError(reason)) forgetNode(upstream);
    throw reason;
  }
}
