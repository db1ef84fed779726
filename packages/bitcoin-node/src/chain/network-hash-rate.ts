import type { BlockRecord, ChainQueries } from "@nodewright/bitcoin-indexer";
import type { Network } from "@nodewright/bitcoin-primitives";
import { isTimeSliceUsedUp, nextTimeSlice } from "@nodewright/runtime/node";
import { consensusRules } from "./consensus-rules.ts";

/** Number of records that are read at once. */
const pageSize = 256;

/**
 * Estimates hashes per second from the work of the `count` blocks up to and including `last`, and the time between the earliest and the
 * latest of them and of the block below. 0 when no time lies between.
 */
export async function estimateHashRate(index: ChainQueries, last: BlockRecord, count: number): Promise<number> {
  const span = Math.min(count, last.height);
  let first = last;
  let earliest = last.header.time;
  let latest = last.header.time;
  for (let height = last.height; height >= last.height - span; height -= pageSize) {
    if (isTimeSliceUsedUp()) await nextTimeSlice();
    const records = await index.blocks(height, Math.min(pageSize, height - (last.height - span) + 1));
    for (const record of records) {
      first = record;
      // Times are not in the order of heights.
      earliest = Math.min(earliest, record.header.time);
      latest = Math.max(latest, record.header.time);
    }
  }
  if (latest === earliest) return 0;
  return Number(last.chainWork - first.chainWork) / (latest - earliest);
}

/**
 * Returns the number of blocks up to and including one at `height` since difficulty could change last: on regtest, where it never does,
 * too.
 */
export function blocksSinceRetarget(height: number, network: Network): number {
  return (height % consensusRules[network.name].retargetInterval) + 1;
}
