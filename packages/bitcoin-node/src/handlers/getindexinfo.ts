import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { IndexState, IndexStates } from "@nodewright/bitcoin-api/types";
import type { BlockRecord, OptionalRows } from "@nodewright/bitcoin-indexer";
import { getTip } from "../chain/best-block.ts";
import type { BitcoinNodeContext } from "../context/context.ts";

/** Returns the indexes of the node and their progress. */
export const getindexinfo: BitcoinHandler<"getindexinfo", BitcoinNodeContext> = async (
  { indexName = "" },
  { index, optional },
) => {
  const tip = await getTip(index);
  // One index finds transactions and spenders, and its tip is the best block.
  const whole: IndexState = { synced: true, best_block_height: tip.height };
  const states: [keyof IndexStates, IndexState | undefined][] = [
    ["txindex", whole],
    ["coinstatsindex", await stateOf(optional?.coinStatistics, tip)],
    ["txospenderindex", whole],
    ["basic block filter index", await stateOf(optional?.blockFilters, tip)],
  ];
  return Object.fromEntries(
    states.filter(([name, state]) => state !== undefined && (indexName === "" || indexName === name)),
  );
};

async function stateOf(rows: OptionalRows<unknown> | undefined, tip: BlockRecord): Promise<IndexState | undefined> {
  if (rows === undefined) return undefined;
  const height = await rows.height();
  const synced = height >= tip.height && (await rows.find(tip.hash, tip.height)) !== undefined;
  return { synced, best_block_height: height };
}
