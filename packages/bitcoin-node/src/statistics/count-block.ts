import type { BlockRecord, ChainQueries } from "@nodewright/bitcoin-indexer";
import { BoundedCache } from "@nodewright/runtime";
import { isTimeSliceUsedUp, nextTimeSlice } from "@nodewright/runtime/node";
import { rpcError } from "../parameters/rpc-error.ts";
import { BlockCounter, type BlockCounts } from "./block-counter.ts";

/** Number of transactions that are read at once. */
const pageLength = 50;

/** Caches of block counts by index. An entry, by block hash, takes about 300 bytes. */
const caches = new WeakMap<ChainQueries, BoundedCache<string, BlockCounts>>();
const maximumBlocks = 5_000;

/** Counts the transactions of a block in the index, best chain or stale; yields to other work meanwhile. */
export async function countBlock(index: ChainQueries, record: BlockRecord): Promise<BlockCounts> {
  let cache = caches.get(index);
  if (cache === undefined) {
    cache = new BoundedCache(maximumBlocks);
    caches.set(index, cache);
  }
  let counts = cache.find(record.hash);
  if (counts === undefined) {
    counts = await count(index, record);
    cache.set(record.hash, counts);
  }
  return counts;
}

async function count(index: ChainQueries, record: BlockRecord): Promise<BlockCounts> {
  const counter = new BlockCounter(record);
  for (let start = 0; start < record.transactionCount; start += pageLength) {
    if (isTimeSliceUsedUp()) await nextTimeSlice();
    const transactions = await index.blockTransactions(record.hash, start, pageLength);
    // A stale block may have been dropped since its record was read.
    if (transactions === undefined) throw rpcError("notFound", "Block not found");
    for (const transaction of transactions) counter.add(transaction);
  }
  return counter.counts();
}
