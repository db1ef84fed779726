import type { ChainQueries, IndexedTransaction, MempoolQueries } from "@nodewright/bitcoin-indexer";
import { isTimeSliceUsedUp, nextTimeSlice } from "@nodewright/runtime/node";
import { rpcError } from "../parameters/rpc-error.ts";

/** Requested part of the transactions of a script. */
export interface TransactionSearch {
  /** SHA-256 of the scriptPubKey, in hexadecimal, not reversed. */
  readonly scriptHash: string;
  readonly skip: number;
  readonly count: number;
  /** Whether the latest come first, and those of the mempool before them. */
  readonly reverse: boolean;
}

/** Number of transactions that are read at once. */
const pageLength = 50;

/** Maximum bytes of all transactions of a response: their rendering is several times longer. */
const maximumResponseBytes = 8_000_000;

/**
 * Returns the transactions that pay a script or spend its outputs: those of the chain from the oldest, then those of the mempool in the
 * order of their arrival; or all of them in reverse. Throws -8 when they are too large together.
 */
export async function findTransactions(
  { index, mempool }: { readonly index: ChainQueries; readonly mempool?: MempoolQueries | undefined },
  { scriptHash, skip, count, reverse }: TransactionSearch,
): Promise<readonly IndexedTransaction[]> {
  const { transactions: confirmed } = await index.scriptStatistics(scriptHash);
  // A position from the oldest on stays the same when blocks arrive meanwhile.
  const unconfirmed = await arrivals({ index, mempool }, scriptHash);
  const total = confirmed + unconfirmed.length;
  const start = reverse ? Math.max(total - skip - count, 0) : skip;
  const end = Math.min(reverse ? total - skip : skip + count, total);
  const found: IndexedTransaction[] = [];
  let bytes = 0;
  for (let at = start; at < end; ) {
    if (isTimeSliceUsedUp()) await nextTimeSlice();
    const limit = Math.min(pageLength, end - at);
    const page =
      at < confirmed
        ? await index.scriptHistorySlice(scriptHash, { skip: at, limit: Math.min(limit, confirmed - at) })
        : unconfirmed.slice(at - confirmed, at - confirmed + limit);
    // Blocks were disconnected meanwhile.
    if (page.length === 0) break;
    for (const transaction of page) {
      bytes += transaction.transaction.bytes.length;
      found.push(transaction);
    }
    if (bytes > maximumResponseBytes) throw tooLarge();
    at += page.length;
  }
  return reverse ? found.reverse() : found;
}

/** Returns transactions in the order of their arrival, without those in a block that the mempool does not know yet. */
async function arrivals(
  { index, mempool }: { readonly index: ChainQueries; readonly mempool?: MempoolQueries | undefined },
  scriptHash: string,
): Promise<readonly IndexedTransaction[]> {
  const newestFirst: IndexedTransaction[] = [];
  for (let page: readonly IndexedTransaction[] | undefined; mempool !== undefined; ) {
    page = await mempool.scriptHistory(scriptHash, { after: page?.at(-1)?.txid, limit: pageLength });
    for (const transaction of page) {
      if ((await index.transactionPlace(transaction.txid)) === undefined) newestFirst.push(transaction);
    }
    if (page.length < pageLength) break;
    if (isTimeSliceUsedUp()) await nextTimeSlice();
  }
  return newestFirst.reverse();
}

function tooLarge(): Error {
  return rpcError(
    "invalidParameter",
    `The transactions are larger than ${maximumResponseBytes} bytes together: request a smaller count`,
  );
}
