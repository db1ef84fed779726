import type { BlockRecord, ChainQueries } from "@nodewright/bitcoin-indexer";
import { cacheByDepth, type CacheByDepth } from "../response/cache-control.ts";
import { entityTag } from "../response/entity-tag.ts";
import { blockNotFound } from "../response/refusal.ts";

/** A block with the headers of a response about it. */
export interface FoundBlock {
  readonly record: BlockRecord;
  readonly headers: BlockHeaders;
}

/** Headers of a response that is determined by a block's hash and the URL. */
export interface BlockHeaders {
  readonly cacheControl: CacheByDepth;
  readonly eTag: string;
}

/** Returns a block of the best chain. Throws `not_found` with Esplora's text for an unknown or stale one. */
export async function getBestChainBlock(index: ChainQueries, hash: string): Promise<FoundBlock> {
  const found = await getAnyBlock(index, hash);
  if (!found.record.onBestChain) throw blockNotFound();
  return found;
}

/** Returns the same for a block that may be stale. */
export async function getAnyBlock(index: ChainQueries, hash: string): Promise<FoundBlock> {
  const [record, tipHeight] = await Promise.all([index.blockByHash(hash.toLowerCase()), index.tipHeight()]);
  if (record === undefined) throw blockNotFound();
  const height = record.onBestChain ? record.height : undefined;
  return { record, headers: { cacheControl: cacheByDepth(tipHeight, height), eTag: entityTag(record.hash) } };
}
