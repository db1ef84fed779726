import type { BlockRecord, ChainQueries } from "@nodewright/bitcoin-indexer";
import { wireHash } from "@nodewright/bitcoin-primitives";
import { getBlockRecord, getTipHeight } from "./best-block.ts";
import { hashProblem } from "../parameters/parameter-problems.ts";
import { rpcError } from "../parameters/rpc-error.ts";

/**
 * Returns the block of the parameter `hash_or_height`: by its hash also one that is not on the best chain. Throws -5 for an unknown hash,
 * and -8 for an invalid string or a height that the best chain does not have.
 */
export async function getBlockByHashOrHeight(index: ChainQueries, hashOrHeight: string | number): Promise<BlockRecord> {
  if (typeof hashOrHeight === "string") {
    if (wireHash(hashOrHeight) === undefined) throw hashProblem("hash_or_height", hashOrHeight);
    return await getBlockRecord(index, hashOrHeight);
  }
  if (hashOrHeight < 0) throw rpcError("invalidParameter", `Target block height ${hashOrHeight} is negative`);
  const block = await index.blockByHeight(hashOrHeight);
  if (block !== undefined) return block;
  const tip = await getTipHeight(index);
  throw rpcError("invalidParameter", `Target block height ${hashOrHeight} after current tip ${tip}`);
}
