import type { BlockHashBytes } from "@nodewright/bitcoin-primitives";
import type { ChainSummary } from "./chain-summary.ts";

/** A block of a chain. */
export interface ChainBlock {
  readonly height: number;
  readonly hash: BlockHashBytes;
  readonly bytes: Uint8Array;
  /** With the coinbase. */
  readonly transactionCount: number;
  /** Which stale branch it is of, 0-based; undefined on the best chain. */
  readonly branch: number | undefined;
}

/** A branch that lost. */
export interface StaleBranch {
  /** Of the block that it shares with the best chain. */
  readonly forkHeight: number;
  /** Ascending by height. */
  readonly hashes: readonly BlockHashBytes[];
}

/** A chain that is made while it is read, once. */
export interface TestChain {
  /**
   * Every block, each behind its parent, from the genesis block on. A stale branch stands before the blocks of the best chain that
   * it lost to: a node that takes the blocks in this order goes over to it and comes back.
   */
  readonly blocks: AsyncIterable<ChainBlock>;
  /** Those of the blocks read so far. */
  readonly staleBranches: readonly StaleBranch[];
  /** Of the blocks read so far. */
  summary(): ChainSummary;
}
