import { displayHash } from "@nodewright/bitcoin-primitives";
import { publicNodeText } from "@nodewright/upstream";
import type { BitcoinNodeContext } from "../context.ts";
import { readBlockText } from "./block-text.ts";
import { rejectionOfBlock } from "./btcd-rejection.ts";
import { askNode, callNode, getSoftware } from "./call-node.ts";
import { unusableAnswer } from "./node-answer.ts";
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
  const answer = await callNode(context, { method, params: [hex] });
  if (typeof answer === "string") {
    return kind === "btcd" && answer.startsWith(btcdPrefix)
      ? rejectionOfBlock(answer.slice(btcdPrefix.length))
      : publicNodeText(answer);
  }
  if (answer !== null) throw unusableAnswer(method);
  return kind === "btcd" ? await placeOf(displayHash(header.hash), context) : null;
}

/** Returns the place of an accepted block. btcd does not report whether it is on the best chain, on a branch, or waits for its parent. */
async function placeOf(hash: string, context: BitcoinNodeContext): Promise<string | null> {
  const answer = await askNode(context, { method, nodeMethod: "getblockheader", params: [hash] });
  if (answer.ok) return null;
  if (answer.error.code === blockNotFound) return "prev-blk-not-found";
  if (/is not in the main chain/.test(answer.error.message)) return "inconclusive";
  throw refusalOfNode(method, answer.error);
}
