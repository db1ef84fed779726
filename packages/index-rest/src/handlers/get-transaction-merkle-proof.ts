import { displayHash } from "@nodewright/bitcoin-primitives";
import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheByDepth } from "../response/cache-control.ts";
import type { IndexRestContext } from "../request/context.ts";
import { entityTag } from "../response/entity-tag.ts";
import { transactionNotConfirmed } from "../response/refusal.ts";

export const getTransactionMerkleProof: IndexHandler<"getTransactionMerkleProof", IndexRestContext> = async (
  { txid },
  { index },
) => {
  const [proof, tipHeight] = await Promise.all([index.merkleProof(txid.toLowerCase()), index.tipHeight()]);
  if (proof === undefined) throw transactionNotConfirmed();
  const { block, branch } = proof;
  const headers = { cacheControl: cacheByDepth(tipHeight, block.height), eTag: entityTag(block.hash) };
  return { headers, body: { block_height: block.height, merkle: branch.map(displayHash), pos: block.position } };
};
