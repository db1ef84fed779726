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
}

/** Parent of the genesis block. */
const noHash = "0".repeat(64);

/**
 * Decides how to move the index from its best chain onto `candidate`.
 *
 * `bestChain` is the top of the best chain, ascending; empty while nothing is indexed. `candidate` runs upward from a block whose
 * parent is among them. Without more work than what it replaces it changes nothing: of equal chains the first seen stays.
 * Returns `undefined` when it is not attached there; the caller must fetch older headers first.
 */
export function planChainUpdate<Entry extends HeaderEntry>(
  bestChain: readonly HeaderEntry[],
  candidate: readonly Entry[],
): ChainUpdate<Entry> | undefined {
  const first = candidate[0];
  if (first === undefined) return { disconnect: [], connect: [] };

  const forkPoint = bestChain.findLastIndex((entry) => entry.hash === first.previousHash);
  if (forkPoint === -1 && !(bestChain.length === 0 && first.previousHash === noHash)) return undefined;

  const disconnect = bestChain.slice(forkPoint + 1).toReversed();
  if (workOf(candidate) <= workOf(disconnect)) return { disconnect: [], connect: [] };
  return { disconnect, connect: candidate };
}

function workOf(entries: readonly HeaderEntry[]): bigint {
  return entries.reduce((sum, entry) => sum + entry.work, 0n);
}
