import type { ChainQueries } from "@nodewright/bitcoin-indexer";
import type { Transaction } from "@nodewright/index-api/types";
import { type PreparedJson, ServiceError } from "@nodewright/runtime";
import { type BlockHeaders, getBestChainBlock } from "./best-chain-block.ts";
import { blockNotFound } from "../response/refusal.ts";
import { renderTransactions } from "../render/transaction.ts";

/** Maximum transactions of a page, Esplora's number; pages begin at its multiples. */
const pageSize = 25;

interface BlockTransactionsResponse {
  readonly headers: BlockHeaders;
  readonly body: PreparedJson<readonly Transaction[]>;
}

/** Returns a page of a block's transactions from the 0-based `start`. Throws with Esplora's texts when there is no such page. */
export async function createBlockTransactionsResponse(
  index: ChainQueries,
  hash: string,
  start: number,
): Promise<BlockTransactionsResponse> {
  const { record, headers } = await getBestChainBlock(index, hash);
  // In electrs' order: a position that is invalid in both ways is beyond the end.
  if (start >= record.transactionCount) throw new ServiceError("not_found", "start index out of range");
  if (start % pageSize !== 0) {
    throw new ServiceError("invalid_input", `start index must be a multiple of ${pageSize}`);
  }
  const transactions = await index.blockTransactions(record.hash, start, pageSize);
  if (transactions === undefined) throw blockNotFound();
  return { headers, body: renderTransactions(transactions, index.network) };
}
