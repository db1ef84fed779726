import type { BlockPlace, ChainQueries } from "@nodewright/bitcoin-indexer";
import {
  createMerkleBlock,
  hashLength,
  serializeMerkleBlock,
  toHex,
  type TransactionIdBytes,
} from "@nodewright/bitcoin-primitives";
import type { IndexHandler } from "@nodewright/index-api/server";
import type { BlockHeaders } from "../blocks/best-chain-block.ts";
import type { IndexRestContext } from "../request/context.ts";
import { cacheByDepth } from "../response/cache-control.ts";
import { entityTag } from "../response/entity-tag.ts";
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

/** A transaction's place on the best chain with the ids of its complete block, from which its merkle proof is derived. */
interface ConfirmedTransaction {
  readonly block: BlockPlace;
  /** Ids of all transactions in the block, in wire order. */
  readonly transactionIds: readonly TransactionIdBytes[];
  readonly headers: BlockHeaders;
}

/** Returns the transaction. Throws `not_found` with Esplora's text when no block of the best chain contains it. */
async function getConfirmedTransaction(index: ChainQueries, txid: string): Promise<ConfirmedTransaction> {
  const [block, tipHeight] = await Promise.all([index.transactionPlace(txid.toLowerCase()), index.tipHeight()]);
  if (block === undefined) throw transactionNotConfirmed();
  // If the block leaves the best chain in between, it is still known as a stale one.
  const ids = await index.transactionIdBytes(block.hash);
  if (ids === undefined) throw transactionNotConfirmed();
  const transactionIds = Array.from({ length: ids.length / hashLength }, (_, position) =>
    ids.subarray(position * hashLength, (position + 1) * hashLength),
  );
  const headers = { cacheControl: cacheByDepth(tipHeight, block.height), eTag: entityTag(block.hash) };
  return { block, transactionIds, headers };
}
