import type { TransactionId } from "@nodewright/bitcoin-primitives";
import type { ChainQueries, IndexedTransaction } from "./chain-queries.ts";
import type { MempoolQueries } from "./mempool-queries.ts";

/** Sources of transactions. */
export interface TransactionSources {
  readonly index: Pick<ChainQueries, "transaction">;
  /** Mempool; absent where nothing is unconfirmed. */
  readonly mempool?: Pick<MempoolQueries, "transaction"> | undefined;
}

/**
 * Returns a transaction of the best chain, of the mempool, or of a stale block alone, in this order; `undefined` for an unknown one.
 */
export async function findTransaction(
  { index, mempool }: TransactionSources,
  txid: TransactionId,
): Promise<IndexedTransaction | undefined> {
  const indexed = await index.transaction(txid);
  if (indexed?.block !== undefined || mempool === undefined) return indexed;
  // A block may have taken it out of the mempool since the chain was queried.
  return (await mempool.transaction(txid)) ?? index.transaction(txid);
}
