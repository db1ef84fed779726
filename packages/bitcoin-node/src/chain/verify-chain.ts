import { type BlockCheckLevel, type ChainQueries, isIndexerError } from "@nodewright/bitcoin-indexer";
import { isTimeSliceUsedUp, nextTimeSlice } from "@nodewright/runtime/node";
import { getTip } from "./best-block.ts";
import { rpcError } from "../parameters/rpc-error.ts";

/** Parameters of a verification. */
export interface ChainVerification {
  readonly level: BlockCheckLevel;
  /** Number of blocks from the best one down; all where there are fewer. */
  readonly depth: number;
}

/** Maximum duration of one verification in milliseconds. */
const maximumMilliseconds = 60_000;

/** Verifications in progress, by their parameters: clients with the same call wait for the same one. One at a time for each index. */
const running = new WeakMap<ChainQueries, Map<string, Promise<boolean>>>();

/**
 * Returns whether the blocks are intact. Blocks that a reorganization removes meanwhile are skipped. Throws -1 when another verification is
 * in progress, or when it takes too long.
 */
export async function verifyChain(index: ChainQueries, verification: ChainVerification): Promise<boolean> {
  const { hash } = await getTip(index);
  const key = `${hash} ${verification.level} ${verification.depth}`;
  const underWay = running.get(index) ?? new Map<string, Promise<boolean>>();
  running.set(index, underWay);
  const same = underWay.get(key);
  if (same !== undefined) return same;
  if (underWay.size > 0)
    throw rpcError("miscellaneous", "Another verification of the chain is under way: try again later");
  const result = verify(index, verification).finally(() => underWay.delete(key));
  underWay.set(key, result);
  return result;
}

async function verify(index: ChainQueries, { level, depth }: ChainVerification): Promise<boolean> {
  const { height: highest } = await getTip(index);
  const lowest = Math.max(highest - depth + 1, 0);
  const startedAt = performance.now();
  for (let height = highest; height >= lowest; height -= 1) {
    if (performance.now() - startedAt > maximumMilliseconds) throw tooLong(highest - height);
    if (!(await isSound(index, height, level))) return false;
    if (isTimeSliceUsedUp()) await nextTimeSlice();
  }
  return true;
}

/** Returns whether a block is intact; true for a height that no longer has a block. */
async function isSound(index: ChainQueries, height: number, level: BlockCheckLevel): Promise<boolean> {
  for (;;) {
    try {
      return (await index.checkBlock(height, level)) ?? true;
    } catch (reason) {
      if (!isIndexerError(reason) || reason.code !== "reorganised") throw reason;
    }
  }
}

function tooLong(blocks: number): Error {
  return rpcError(
    "miscellaneous",
    `Verified ${blocks} blocks and found nothing wrong in ${maximumMilliseconds / 1_000} s: request fewer of them`,
  );
}
