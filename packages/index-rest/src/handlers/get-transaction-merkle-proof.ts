import { displayHash, merkleBranch } from "@nodewright/bitcoin-primitives";
import type { IndexHandler } from "@nodewright/index-api/server";
import { getConfirmedTransaction } from "../confirmed-transaction.ts";
import type { IndexRestContext } from "../context.ts";

export const getTransactionMerkleProof: IndexHandler<"getTransactionMerkleProof", IndexRestContext> = async (
  { txid },
  { index },
) => {
  const { block, transactionIds, headers } = await getConfirmedTransaction(index, txid);
  const merkle = merkleBranch(transactionIds, block.position).map(displayHash);
  return { headers, body: { block_height: block.height, merkle, pos: block.position } };
};
