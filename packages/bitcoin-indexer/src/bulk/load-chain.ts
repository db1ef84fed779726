import { isIndexerError } from "../basics/indexer-error.ts";
import type { BlockSource, SourceChain, SourceHeader } from "../source/block-source.ts";
import { type BulkLimits, defaultBulkLimits } from "./bulk-target.ts";
import { LoadedChain, type LoadedChainOptions } from "./loaded-chain.ts";

export interface LoadChainOptions extends Omit<LoadedChainOptions, "lead"> {
  /** Chain above the base. */
  readonly chain: SourceChain;
  /** Bytes of blocks below which loading is not worth it; 0 where it has begun already. */
  readonly minimumBytes: number;
  readonly limits?: Partial<BulkLimits> | undefined;
}

/** Sampling rate of the blocks that estimate the length of a chain: one of so many, and at most so many. */
const blocksPerSample = 50;
const maximumSamples = 8;

/**
 * Begins or resumes to load the chain of a source that returns blocks one by one; `undefined` when it is too short to be worth it. The
 * caller closes it.
 */
export async function loadChain({
  chain,
  minimumBytes,
  limits,
  ...options
}: LoadChainOptions): Promise<LoadedChain | undefined> {
  const count = chain.height - (options.base?.height ?? -1);
  if (minimumBytes > 0) {
    const bytes = count * (await estimateLength(options.source, chain.headers, options.signal));
    if (bytes < minimumBytes) return undefined;
  }
  const { segmentBytes } = { ...defaultBulkLimits, ...limits };
  return new LoadedChain({ ...options, lead: segmentBytes }, chain.height);
}

/**
 * Returns the estimated length of a block in bytes, from a few of the lowest ones, which are rarely longer than those above. 0 for few
 * blocks, which are not worth a request.
 */
async function estimateLength(
  source: BlockSource,
  headers: readonly SourceHeader[],
  signal: AbortSignal,
): Promise<number> {
  const samples = Math.min(maximumSamples, Math.floor(headers.length / blocksPerSample));
  if (samples === 0) return 0;
  const step = Math.floor(headers.length / samples);
  const wanted = headers.filter((_, index) => index % step === step - 1);
  let bytes = 0;
  let count = 0;
  try {
    for await (const block of source.blocks(wanted, signal)) {
      bytes += block.bytes.length;
      count += 1;
    }
  } catch (reason) {
    // An invalid result of a node is reported when the block is reached.
    if (!isIndexerError(reason) || reason.code !== "bad-block") throw reason;
  }
  return count === 0 ? 0 : bytes / count;
}
