import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BlockRecord, ChainQueries } from "@nodewright/bitcoin-indexer";
import { getBlockRecord, getTip } from "../chain/best-block.ts";
import type { BitcoinNodeContext } from "../context/context.ts";
import { roundDouble } from "../render/double.ts";
import { rpcError } from "../parameters/rpc-error.ts";

/** Number of blocks of a month, if each takes ten minutes. */
const monthOfBlocks = 4320;

/** Returns number and rate of the transactions of a run of blocks. */
export const getchaintxstats: BitcoinHandler<"getchaintxstats", BitcoinNodeContext> = async (
  { nblocks, blockhash },
  { index },
) => {
  const last = await lastBlock(index, blockhash);
  const count = blockCount(last, nblocks);
  return {
    time: last.header.time,
    txcount: last.chainTransactionCount,
    window_final_block_hash: last.hash,
    window_final_block_height: last.height,
    window_block_count: count,
    ...(count === 0 ? {} : await describeRun(index, last, count)),
  };
};

async function lastBlock(index: ChainQueries, blockhash: string | undefined): Promise<BlockRecord> {
  if (blockhash === undefined) return getTip(index);
  const record = await getBlockRecord(index, blockhash);
  if (!record.onBestChain) throw rpcError("invalidParameter", "Block is not in main chain");
  return record;
}

function blockCount({ height }: BlockRecord, requested: number | undefined): number {
  if (requested === undefined) return Math.max(0, Math.min(monthOfBlocks, height - 1));
  if (requested > 0 && requested >= height) {
    throw rpcError("invalidParameter", "Invalid block count: should be between 0 and the block's height - 1");
  }
  return requested;
}

interface Run {
  readonly window_interval: number;
  readonly window_tx_count: number;
  readonly txrate?: number;
}

async function describeRun(index: ChainQueries, last: BlockRecord, count: number): Promise<Run> {
  const before = await index.blockByHeight(last.height - count);
  if (before === undefined) throw rpcError("notFound", "Block not found");
  const interval = last.medianTime - before.medianTime;
  const transactions = last.chainTransactionCount - before.chainTransactionCount;
  return {
    window_interval: interval,
    window_tx_count: transactions,
    ...(interval > 0 ? { txrate: roundDouble(transactions / interval) } : {}),
  };
}
