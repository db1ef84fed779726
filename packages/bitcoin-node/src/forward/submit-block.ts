import { displayHash } from "@nodewright/bitcoin-primitives";
import { publicNodeText } from "@nodewright/upstream";
import type { BitcoinNodeContext } from "../context/context.ts";
import { readBlockText } from "./block-text.ts";
import { rejectionOfBlock } from "./btcd-rejection.ts";
import { requestNode, callNode, getSoftware } from "./call-node.ts";
import { unreadableResult } from "./node-response.ts";
import { refusalOfNode } from "./refusal.ts";

const method = "submitblock";

/** Prefix of btcd's reasons. */
const btcdPrefix = "rejected: ";
const blockNotFound = -5;

/**
 * Submits a block to the node, once. Returns `null` when it is then on the best chain, otherwise the reason in the words of BIP 22 and
 * Bitcoin Core.
 */
export async function submitBlock(hex: string, context: BitcoinNodeContext): Promise<string | null> {
  const { header } = readBlockText(hex);
  const { kind } = await getSoftware(context, method);
  const result = await callNode(context, { method, params: [hex] });
  if (typeof result === "string") {
    return kind === "btcd" && result.startsWith(btcdPrefix)
      ? rejectionOfBlock(result.slice(btcdPrefix.length))
      : publicNodeText(result);
  }
  if (result !== null) throw unreadableResult(method);
  return kind === "btcd" ? await placeOf(displayHash(header.hash), context) : null;
}

/** Returns the place of an accepted block. btcd does not report whether it is on the best chain, on a branch, or waits for its parent. */
async function placeOf(hash: string, context: BitcoinNodeContext): Promise<string | null> {
  const response = await requestNode(context, { method, nodeMethod: "getblockheader", params: [hash] });
  if (response.ok) return null;
  if (response.error.code === blockNotFound) return "prev-blk-not-found";
  if (/is not in the main chain/.test(response.error.message)) return "inconclusive";
  throw refusalOfNode(method, response.error);
}
