import { awaitTransaction } from "@nodewright/bitcoin-indexer";
import { displayHash, readTransactionText, toHex } from "@nodewright/bitcoin-primitives";
import { ServiceError } from "@nodewright/runtime";
import {
  inNoPosition,
  isUpstreamRpcError,
  methodNotFound,
  publicNodeText,
  type Upstream,
  warmingUp,
} from "@nodewright/upstream";
import type { IndexRestContext } from "./context.ts";

/** Codes of Bitcoin Core's error answers (its `rpc/protocol.h`). */
const decodeFailed = -22;
const alreadyInChain = -27;
/** They say nothing about what is handed in; an internal error neither. */
const nodeTroubles: ReadonlySet<number> = new Set([...inNoPosition, -32603]);

/**
 * Hands a transaction in hex to the node and gives its txid, which is then known here too, unless the index is late.
 *
 * What can't be read or is already mined is refused here, in the words that the node would use. Throws `not_implemented` where
 * no node is behind the index.
 */
export async function broadcastTransactionText(text: string, context: IndexRestContext): Promise<string> {
  const transaction = readTransactionText(text.trim());
  if (transaction === undefined) {
    throw refusalOfNode(method, decodeFailed, "TX decode failed. Make sure the tx has at least one input.");
  }
  const txid = displayHash(transaction.txid);
  const place = await context.index.transactionPlace(txid);
  if (place !== undefined) throw refusalOfNode(method, alreadyInChain, "Transaction already in block chain");
  const answer = await callNode(context.upstream, method, [toHex(transaction.bytes)]);
  if (answer !== txid) return unusableAnswer(method);
  await awaitTransaction(txid, context);
  return txid;
}

const method = "sendrawtransaction";

/** Calls the node; its own error becomes what `refuse` makes of its public text, or else the 400 that Esplora's clients read it from. */
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
      throw new ServiceError("not_implemented", `The node behind this index has no ${method}`);
    }
    throw refuse(method, reason.code, publicNodeText(reason.message));
  }
}

/** The node's result is not what its method is described to give. */
export function unusableAnswer(method: string): never {
  throw new ServiceError("upstream_unavailable", `The node's answer to ${method} can't be read`);
}

/** Nothing stands behind the index that could be asked. */
export function noNode(): ServiceError {
  return new ServiceError("not_implemented", "No node is behind this index to hand the request to");
}

/** The 400 that Esplora's clients read a node's error answer from; 503 where that is about the node itself. */
export function refusalOfNode(method: string, code: number, message: string): ServiceError {
  const text = `${method} RPC error ${code}: ${message}`;
  return new ServiceError(nodeTroubles.has(code) ? "upstream_unavailable" : "invalid_input", text);
}
