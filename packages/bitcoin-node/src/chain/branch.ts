import type { BlockRecord, ChainQueries } from "@nodewright/bitcoin-indexer";

/** A chain that ends with one block, which may be a stale one. */
export interface Branch {
  readonly tip: BlockRecord;
  /** Returns the block at a height from 0 to that of the tip. */
  recordAt(height: number): Promise<BlockRecord>;
  /** Returns at most `count` blocks from a height downward. */
  recordsFrom(height: number, count: number): Promise<readonly BlockRecord[]>;
}

/** Returns the chain below a block. Only its part outside the best chain is held in memory. */
export async function branchOf(index: ChainQueries, tip: BlockRecord): Promise<Branch> {
  const stale = new Map<number, BlockRecord>();
  for (let record: BlockRecord | undefined = tip; record !== undefined && !record.onBestChain; ) {
    stale.set(record.height, record);
    record = record.previousHash === undefined ? undefined : await index.blockByHash(record.previousHash);
  }
  const recordsFrom = async (height: number, count: number): Promise<readonly BlockRecord[]> => {
    const records: BlockRecord[] = [];
    for (
      let next = stale.get(height);
      next !== undefined && records.length < count;
      next = stale.get(next.height - 1)
    ) {
      records.push(next);
    }
    const rest = count - records.length;
    if (rest > 0) records.push(...(await index.blocks(height - records.length, rest)));
    return records;
  };
  return {
    tip,
    recordsFrom,
    async recordAt(height) {
      const [record] = await recordsFrom(height, 1);
      if (record === undefined) throw new Error(`The chain of block ${tip.hash} has no block at height ${height}`);
      return record;
    },
  };
}
