import { LRUCache } from "lru-cache";
import type { IndexedTransaction } from "./chain-queries.ts";

/** Maximum bytes of serialized transactions; in memory each takes some ten times as much. */
const maximumBytes = 2 * 1024 * 1024;

/** Length above which a transaction is not cached: a few of them would evict all others. */
const maximumTransactionBytes = 16 * 1024;

/**
 * Cache of recently queried transactions, as of one state of the index.
 *
 * The facts about a transaction of the best chain change only with the chain, so the cache is cleared when the state differs. A miss is not
 * cached.
 */
export class TransactionMemory {
  readonly #transactions = new LRUCache<string, IndexedTransaction>({
    maxSize: maximumBytes,
    maxEntrySize: maximumTransactionBytes,
    sizeCalculation: ({ transaction }) => transaction.size,
  });
  #state = Number.NaN;

  /** Returns the transaction with this txid in `state`, from the cache or otherwise from `read`. */
  find(state: number, txid: string, read: () => IndexedTransaction | undefined): IndexedTransaction | undefined {
    if (state !== this.#state) {
      this.#transactions.clear();
      this.#state = state;
    }
    const remembered = this.#transactions.get(txid);
    if (remembered !== undefined) return remembered;
    const found = read();
    if (found !== undefined) this.#transactions.set(txid, found);
    return found;
  }
}
