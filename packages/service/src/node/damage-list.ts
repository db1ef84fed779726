import type { DamagedBlock } from "@nodewright/bitcoin-indexer";

const keptMilliseconds = 1_000;

export interface DamageListOptions {
  /** Reads the list anew. */
  read(): readonly DamagedBlock[];
  /** Returns a number that changes with the list. */
  stamp(): number | undefined;
  now?(): number;
}

/**
 * Creates a reader of the blocks that were found damaged. It caches the list for a second while nothing is reported or repaired: each block
 * is a file, and any client may query the health.
 */
export function createDamageList({
  read,
  stamp,
  now = () => performance.now(),
}: DamageListOptions): () => readonly DamagedBlock[] {
  let list: readonly DamagedBlock[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  let readStamp: number | undefined;
  return () => {
    const current = stamp();
    if (current === readStamp && now() - readAt < keptMilliseconds) return list;
    [readStamp, readAt] = [current, now()];
    list = read();
    return list;
  };
}
