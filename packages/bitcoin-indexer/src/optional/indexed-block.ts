import { setImmediate as nextTimeSlice } from "node:timers/promises";
import { type BlockHash, type BlockHashBytes, type Network, wireHash } from "@nodewright/bitcoin-primitives";
import { IndexerError } from "../basics/indexer-error.ts";
import type { ChainQueries, IndexedTransaction } from "../query/chain-queries.ts";

/** A block of the main index with its spent outputs, best chain or stale. */
export interface IndexedBlock {
  readonly network: Network;
  readonly hash: BlockHashBytes;
  readonly height: number;
  /**
   * Yields transactions in block order, some at a time, so that a large block blocks no thread for long. Throws `IndexerError` when the
   * block is gone.
   */
  transactions(): AsyncIterable<readonly IndexedTransaction[]>;
}

/** Number of transactions that are read in one turn of the event loop. */
const transactionsPerTurn = 64;

/** Returns a block that the main index contains. */
export function indexedBlock(
  index: Pick<ChainQueries, "network" | "blockTransactions">,
  block: { readonly hash: BlockHash; readonly height: number; readonly transactionCount: number },
): IndexedBlock {
  const hash = wireHash(block.hash);
  if (hash === undefined) throw new Error(`${block.hash} is not a hash`);
  return {
    network: index.network,
    hash,
    height: block.height,
    async *transactions() {
      for (let start = 0; start < block.transactionCount; start += transactionsPerTurn) {
        if (start > 0) await nextTimeSlice();
        const some = await index.blockTransactions(block.hash, start, transactionsPerTurn);
        if (some === undefined) throw blockGone(block.hash);
        yield some;
      }
    },
  };
}

/** Creates the error for a missing block. A stale block may be dropped, and a main index may be rebuilt. */
function blockGone(hash: BlockHash): IndexerError {
  return new IndexerError("reorganised", `Block ${hash} was taken from the index while it was read.`, { retry: true });
}
