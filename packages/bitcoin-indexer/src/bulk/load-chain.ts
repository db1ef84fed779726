import { existsSync } from "node:fs";
import { isIndexerError } from "../indexer-error.ts";
import type { BlockSource, SourceChain } from "../source/block-source.ts";
import type { BulkLimits, BulkTarget } from "./bulk-target.ts";
import { defaultBulkLimits } from "./fill-index.ts";
import { LoadedChain } from "./loaded-chain.ts";

export interface LoadChainOptions {
  readonly target: BulkTarget;
  readonly source: BlockSource;
  /** From the genesis block on. */
  readonly chain: SourceChain;
  readonly signal: AbortSignal;
  readonly limits?: Partial<BulkLimits> | undefined;
}

/** Blocks that are looked at to tell how much a chain is. */
const samples = 8;

/**
 * Begins to load the chain of a source that gives blocks one by one, or goes on with it; `undefined` when the chain is too short to be
 * worth it. The caller closes it.
 */
export async function loadChain({
  target,
  source,
  chain,
  signal,
  limits,
}: LoadChainOptions): Promise<LoadedChain | undefined> {
  const { minimumBytes, segmentBytes } = { ...defaultBulkLimits, ...limits };
  const isBegun = existsSync(target.bulkDirectory);
  if (!isBegun && (await estimateBytes(source, chain, signal)) < minimumBytes) return undefined;
  const { network, blocksDirectory: directory } = target;
  return new LoadedChain({ network, directory, source, lead: segmentBytes, signal }, chain.height);
}

/** Of all blocks, from a few of the lowest ones: these are rarely larger than those above. */
async function estimateBytes(
  source: BlockSource,
  { headers, height }: SourceChain,
  signal: AbortSignal,
): Promise<number> {
  const step = Math.max(1, Math.floor(headers.length / samples));
  let bytes = 0;
  let count = 0;
  try {
    for await (const block of source.blocks(
      headers.filter((_, index) => index % step === step - 1),
      signal,
    )) {
      bytes += block.bytes.length;
      count += 1;
    }
  } catch (reason) {
    // What a node says wrongly is told where the block's turn comes.
    if (!isIndexerError(reason) || reason.code !== "bad-block") throw reason;
  }
  return count === 0 ? 0 : (bytes / count) * (height + 1);
}
