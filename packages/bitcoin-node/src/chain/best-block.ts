import type { BlockRecord, ChainQueries } from "@nodewright/bitcoin-indexer";
import { ServiceError } from "@nodewright/runtime";
import { rpcError } from "../parameters/rpc-error.ts";

/** Returns the tip of the best chain. Throws `installing` while nothing is indexed. */
export async function getTip(index: ChainQueries): Promise<BlockRecord> {
  const tip = await index.tip();
  if (tip === undefined) throw nothingIndexed();
  return tip;
}

/** Returns the height of the tip, at less cost. Throws like `getTip`. */
export async function getTipHeight(index: ChainQueries): Promise<number> {
  const height = await index.tipHeight();
  if (height === undefined) throw nothingIndexed();
  return height;
}

function nothingIndexed(): ServiceError {
  return new ServiceError("installing", "The index holds no block yet", { retryAfterSeconds: 5 });
}

/** Returns a block of the best chain or a retained stale one; `hash` may be of either case. Throws -5 if the block is unknown. */
export async function getBlockRecord(index: ChainQueries, hash: string): Promise<BlockRecord> {
  const record = await index.blockByHash(hash.toLowerCase());
  if (record === undefined) throw rpcError("notFound", "Block not found");
  return record;
}
