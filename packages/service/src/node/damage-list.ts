import type { DamagedBlock } from "@nodewright/bitcoin-indexer";

const keptMilliseconds = 1_000;

/** Creates a reader of the blocks that were found damaged. It keeps the list for a second: each is a file, and anybody may ask for the health. */
export function createDamageList(
  read: () => readonly DamagedBlock[],
  now: () => number = () => performance.now(),
): () => readonly DamagedBlock[] {
  let list: readonly DamagedBlock[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (now() - readAt < keptMilliseconds) return list;
    readAt = now();
    list = read();
    return list;
  };
}
