import type { BlockRecord, ChainQueries } from "@nodewright/bitcoin-indexer";
import { blockNotFound } from "./refusal.ts";

/** A block of the best chain. Throws `not_found` with Esplora's text for an unknown or stale one. */
export async function getBestChainBlock(index: ChainQueries, hash: string): Promise<BlockRecord> {
  const record = await index.blockByHash(hash.toLowerCase());
  if (record?.onBestChain !== true) throw blockNotFound();
  return record;
}
