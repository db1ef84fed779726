import type { BlockRecord, ChainQueries } from "@nodewright/bitcoin-indexer";
import type { Block } from "@nodewright/index-api/types";
import type { PreparedJson } from "@nodewright/runtime";
import { cacheShort } from "../response/cache-control.ts";
import { entityTag } from "../response/entity-tag.ts";
import { blockNotFound } from "../response/refusal.ts";
import { renderBlocks } from "../render/block.ts";

/** Maximum blocks of a page, Esplora's number. */
const blockPageSize = 10;

interface BlockPageHeaders {
  readonly cacheControl: typeof cacheShort;
  readonly eTag: string;
}

interface BlockPageResponse {
  readonly headers: BlockPageHeaders;
  readonly body: PreparedJson<readonly Block[]>;
}

interface BlockPage {
  readonly headers: BlockPageHeaders;
  readonly records: readonly BlockRecord[];
}

/**
 * Returns blocks of the best chain from `startHeight`, or otherwise from the tip, downward. Throws `not_found` for a height above the tip.
 */
export async function createBlocksResponse(index: ChainQueries, startHeight?: number): Promise<BlockPageResponse> {
  const { headers, records } = await findBlockPage(index, blockPageSize, startHeight);
  return { headers, body: renderBlocks(records) };
}

/** Returns at most `size` blocks as in `createBlocksResponse`, with the headers of their list. */
export async function findBlockPage(index: ChainQueries, size: number, startHeight?: number): Promise<BlockPage> {
  const records = await findBlocks(index, size, startHeight);
  if (startHeight !== undefined && records.length === 0) throw blockNotFound();
  // The blocks below follow from the first.
  return { headers: { cacheControl: cacheShort, eTag: entityTag(records[0]?.hash ?? "none") }, records };
}

async function findBlocks(index: ChainQueries, size: number, startHeight?: number): Promise<readonly BlockRecord[]> {
  if (startHeight !== undefined) return index.blocks(startHeight, size);
  const tip = await index.tip();
  return tip === undefined ? [] : index.blocks(tip.height, size);
}
