import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BlockRecord, ChainQueries } from "@nodewright/bitcoin-indexer";
import { getTip } from "../chain/best-block.ts";
import type { BitcoinNodeContext } from "../context/context.ts";
import { blocksSinceRetarget, estimateHashRate } from "../chain/network-hash-rate.ts";
import { roundDouble } from "../render/double.ts";
import { rpcError } from "../parameters/rpc-error.ts";

const defaultBlocks = 120;
/** Value for the blocks since the last change of difficulty, and for the best block. */
const asItIs = -1;

/** Returns an estimate of the network's hashes per second. */
export const getnetworkhashps: BitcoinHandler<"getnetworkhashps", BitcoinNodeContext> = async (
  { blocks = defaultBlocks, height = asItIs },
  { index },
) => {
  if (blocks === 0) throw rpcError("invalidParameter", "Invalid nblocks. Must be a positive number or -1.");
  const last = height === asItIs ? await getTip(index) : await recordAt(index, height);
  const count = blocks === asItIs ? blocksSinceRetarget(last.height, index.network) : blocks;
  return roundDouble(await estimateHashRate(index, last, count));
};

async function recordAt(index: ChainQueries, height: number): Promise<BlockRecord> {
  const record = await index.blockByHeight(height);
  if (record === undefined) throw rpcError("invalidParameter", "Block does not exist at specified height");
  return record;
}
