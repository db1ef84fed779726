import { LRUCache } from "lru-cache";
import type { IndexedTransaction } from "./chain-queries.ts";

/** Of serialized transactions; in memory each takes some ten times as much. */
const maximumBytes = 2 * 1024 * 1024;

/** Longer ones are read again each time: a few of them would drive out all others. */
const maximumTransactionBytes = 16 * 1024;

/**
 * Transactions asked for lately, as one state of the index tells them.
 *
 * What is said of a transaction of the best chain changes only with the chain, so everything is forgotten when the state is
 * another. What is found nowhere is not remembered.
 */
export class TransactionMemory {
  readonly #transactions = new LRUCache<string, IndexedTransaction>({
    maxSize: maximumBytes,
    maxEntrySize: maximumTransactionBytes,
    sizeCalculation: ({ transaction }) => transaction.size,
  });
  #state = Number.NaN;

  /** The transaction with this txid in `state`, from memory or else from `read`. */
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
