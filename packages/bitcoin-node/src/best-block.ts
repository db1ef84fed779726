import type { BlockRecord, ChainQueries } from "@nodewright/bitcoin-indexer";
import { ServiceError } from "@nodewright/runtime";
import { rpcError } from "./rpc-error.ts";

/** The tip of the best chain. Throws `installing` while nothing is indexed. */
export async function getTip(index: ChainQueries): Promise<BlockRecord> {
  const tip = await index.tip();
  if (tip === undefined) {
    throw new ServiceError("installing", "The index holds no block yet", { retryAfterSeconds: 5 });
  }
  return tip;
}

/** A block of the best chain or a stale one that is kept; `hash` may be of either case. Throws -5 when there is none. */
export async function getBlockRecord(index: ChainQueries, hash: string): Promise<BlockRecord> {
  const record = await index.blockByHash(hash.toLowerCase());
  if (record === undefined) throw rpcError("notFound", "Block not found");
  return record;
}
