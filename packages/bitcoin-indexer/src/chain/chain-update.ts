import type { BlockHash } from "@nodewright/bitcoin-primitives";

/** Part of a block that the choice between chains needs. */
export interface HeaderEntry {
  readonly hash: BlockHash;
  /** Hash of the parent; 64 zeros for the genesis block. */
  readonly previousHash: BlockHash;
  /** Expected number of hashes to meet its target. */
  readonly work: bigint;
}

/** Steps from one chain to another. */
export interface ChainUpdate<Entry extends HeaderEntry> {
  /** Blocks to disconnect, from the tip downward. */
  readonly disconnect: readonly HeaderEntry[];
  /** Blocks to connect, upward from the fork point. */
  readonly connect: readonly Entry[];
  /** Whether the new chain has more work than the old one. */
  readonly hasMoreWork: boolean;
}

/** Hash of the parent of the genesis block. */
const noHash = "0".repeat(64);

/**
 * Plans how to move the index from its best chain onto `candidate`.
 *
 * `bestChain` is the top of the best chain, ascending; empty while nothing is indexed. `candidate` runs upward from a block whose parent is
 * among them; an empty one ends at the first of them. The caller decides whether to move to a chain without more work. Returns `undefined`
 * when the candidate is not attached there; the caller must fetch older headers first.
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

/** Returns the total work of blocks. */
export function workOf(entries: readonly HeaderEntry[]): bigint {
  return entries.reduce((sum, entry) => sum + entry.work, 0n);
}
