import { awaitTransaction } from "@nodewright/bitcoin-indexer";
import { displayHash, readTransactionText, toHex } from "@nodewright/bitcoin-primitives";
import { ServiceError } from "@nodewright/runtime";
import {
  unavailableCodes,
  isUpstreamRpcError,
  methodNotFound,
  publicNodeText,
  type Upstream,
  warmingUp,
} from "@nodewright/upstream";
import type { IndexRestContext } from "../request/context.ts";

/** Codes of Bitcoin Core's error responses (its `rpc/protocol.h`). */
const decodeFailed = -22;
const alreadyInChain = -27;
/** Codes that say nothing about the submitted transaction, as an internal error. */
const nodeTroubles: ReadonlySet<number> = new Set([...unavailableCodes, -32603]);

/**
 * Sends a transaction in hex to the node and returns its txid, which is then known here too, unless the index lags.
 *
 * A transaction that can't be parsed or is already mined is rejected here, in the words that the node would use. Throws `not_implemented`
 * where the index has no upstream node.
 */
export async function broadcastTransactionText(text: string, context: IndexRestContext): Promise<string> {
  const transaction = readTransactionText(text.trim());
  if (transaction === undefined) {
    throw refusalOfNode(method, decodeFailed, "TX decode failed. Make sure the tx has at least one input.");
  }
  const txid = displayHash(transaction.txid);
  const place = await context.index.transactionPlace(txid);
  if (place !== undefined) throw refusalOfNode(method, alreadyInChain, "Transaction already in block chain");
  const response = await callNode(context.upstream, method, [toHex(transaction.bytes)]);
  if (response !== txid) return throwUnreadableResponse(method);
  await awaitTransaction(txid, context);
  return txid;
}

const method = "sendrawtransaction";

/**
 * Calls the node. Its own error becomes the result of `refuse` for its public text, or otherwise the 400 from which Esplora's clients read
 * it.
 */
export async function callNode(
  upstream: Upstream | undefined,
  method: string,
  params: readonly unknown[],
  refuse: (method: string, code: number, message: string) => Error = refusalOfNode,
): Promise<unknown> {
  if (upstream === undefined) throw noNode();
  try {
    return await upstream.call(method, params);
  } catch (reason) {
    if (!isUpstreamRpcError(reason)) throw reason;
    if (reason.code === warmingUp) throw new ServiceError("upstream_unavailable", "The node is starting");
    if (reason.code === methodNotFound) {
      throw new ServiceError("not_implemented", `The index's upstream node does not offer ${method}`);
    }
    throw refuse(method, reason.code, publicNodeText(reason.message));
  }
}

/** Throws the failure for a node's result that does not match its method. */
export function throwUnreadableResponse(method: string): never {
  throw new ServiceError("upstream_unavailable", `The node's response to ${method} can't be read`);
}

/** Creates the error for an index without an upstream node. */
export function noNode(): ServiceError {
  return new ServiceError("not_implemented", "This index has no upstream node to forward the request to");
}

/** Creates the 400 from which Esplora's clients read a node's error; 503 where that is about the node itself. */
export function refusalOfNode(method: string, code: number, message: string): ServiceError {
  const text = `${method} RPC error ${code}: ${message}`;
  return new ServiceError(nodeTroubles.has(code) ? "upstream_unavailable" : "invalid_input", text);
}
