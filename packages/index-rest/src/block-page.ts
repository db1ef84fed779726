import type { BlockRecord, ChainQueries } from "@nodewright/bitcoin-indexer";
import type { Block } from "@nodewright/index-api/types";
import type { PreparedJson } from "@nodewright/runtime";
import { cacheShort } from "./cache-control.ts";
import { entityTag } from "./entity-tag.ts";
import { blockNotFound } from "./refusal.ts";
import { renderBlocks } from "./render/block.ts";

/** Most blocks of a page, Esplora's number. */
const blockPageSize = 10;

interface BlockPageAnswer {
  readonly headers: { readonly cacheControl: typeof cacheShort; readonly eTag: string };
  readonly body: PreparedJson<readonly Block[]>;
}

/** Blocks of the best chain from `startHeight`, or else from the tip, downward. Throws `not_found` for a height above the tip. */
export async function answerBlocks(index: ChainQueries, startHeight?: number): Promise<BlockPageAnswer> {
  const records = await findBlocks(index, startHeight);
  if (startHeight !== undefined && records.length === 0) throw blockNotFound();
  // The blocks below follow from the first.
  const headers = { cacheControl: cacheShort, eTag: entityTag(records[0]?.hash ?? "none") } as const;
  return { headers, body: renderBlocks(records) };
}

async function findBlocks(index: ChainQueries, startHeight: number | undefined): Promise<readonly BlockRecord[]> {
  if (startHeight !== undefined) return index.blocks(startHeight, blockPageSize);
  const tip = await index.tip();
  return tip === undefined ? [] : index.blocks(tip.height, blockPageSize);
}
