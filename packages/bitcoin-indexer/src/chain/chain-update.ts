import type { BlockHash } from "@nodewright/bitcoin-primitives";

/** A block as far as choosing between chains needs it. */
export interface HeaderEntry {
  readonly hash: BlockHash;
  /** 64 zeros for the genesis block. */
  readonly previousHash: BlockHash;
  /** Expected number of hashes that its target takes. */
  readonly work: bigint;
}

/** How to get from one chain to another. */
export interface ChainUpdate<Entry extends HeaderEntry> {
  /** From the tip downward. */
  readonly disconnect: readonly HeaderEntry[];
  /** Upward from the fork point. */
  readonly connect: readonly Entry[];
  /** Whether the chain that this leads to has more work than the one that it leaves. */
  readonly hasMoreWork: boolean;
}

/** Parent of the genesis block. */
const noHash = "0".repeat(64);

/**
 * Plans how to move the index from its best chain onto `candidate`.
 *
 * `bestChain` is the top of the best chain, ascending; empty while nothing is indexed. `candidate` runs upward from a block whose
 * parent is among them; an empty one ends at the first of them. Whether to move to a chain without more work is the caller's decision.
 * Returns `undefined` when the candidate is not attached there; the caller must fetch older headers first.
 */
export function planChainUpdate<Entry extends HeaderEntry>(
  bestChain: readonly HeaderEntry[],
  candidate: readonly Entry[],
): ChainUpdate<Entry> | undefined {
  const parentHash = candidate[0]?.previousHash ?? bestChain[0]?.hash ?? noHash;
  const forkPoint = bestChain.findLastIndex((entry) => entry.hash === parentHash);
  if (forkPoint === -1 && !(bestChain.length === 0 && parentHash === noHash)) return undefined;

  const disconnect = bestChain.slice(forkPoint + 1).toReversed();
  return { disconnect, connect: candidate, hasMoreWork: workOf(candidate) > workOf(disconnect) };
}

/** Work of blocks together. */
export function workOf(entries: readonly HeaderEntry[]): bigint {
  return entries.reduce((sum, entry) => sum + entry.work, 0n);
}
