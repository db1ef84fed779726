import type { BlockHash } from "@nodewright/bitcoin-primitives";
import { IndexerError } from "../basics/indexer-error.ts";
import type { KnownChain } from "./block-source.ts";

/** Maximum number of blocks that a reorganization may take from the best chain. */
export const maximumReorganisation = 1_000;

/**
 * Returns the height of the highest block that an index and a source share; -1 when the index is empty.
 *
 * `height` is that of the source's best block. Throws `IndexerError` when they diverge further down than a reorganization may reach.
 */
export async function findForkHeight(
  known: KnownChain,
  height: number,
  hashAt: (height: number) => Promise<BlockHash>,
): Promise<number> {
  if (known.height === -1) return -1;
  const highest = Math.min(known.height, height);
  const lowest = Math.max(0, known.height - maximumReorganisation);
  for (let shared = highest; shared >= Math.min(lowest, highest); shared -= 1) {
    if ((await known.hashAt(shared)) === (await hashAt(shared))) return shared;
  }
  throw new IndexerError(
    "source-network",
    `The source's chain leaves the indexed one more than ${maximumReorganisation} blocks below its tip: ` +
      "choose the source of the chain that was indexed, or delete the data directory to index anew.",
    { retry: true },
  );
}
