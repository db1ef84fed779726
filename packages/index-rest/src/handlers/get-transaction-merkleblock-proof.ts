import { createMerkleBlock, serializeMerkleBlock, toHex } from "@nodewright/bitcoin-primitives";
import type { IndexHandler } from "@nodewright/index-api/server";
import { getConfirmedTransaction } from "../transactions/confirmed-transaction.ts";
import type { IndexRestContext } from "../request/context.ts";
import { transactionNotConfirmed } from "../response/refusal.ts";

export const getTransactionMerkleblockProof: IndexHandler<"getTransactionMerkleblockProof", IndexRestContext> = async (
  { txid },
  { index },
) => {
  const { block, transactionIds, headers } = await getConfirmedTransaction(index, txid);
  const record = await index.blockByHash(block.hash);
  if (record === undefined) throw transactionNotConfirmed();
  const merkleBlock = createMerkleBlock(record.header, transactionIds, new Set([block.position]));
  return { headers, body: toHex(serializeMerkleBlock(merkleBlock)) };
};
