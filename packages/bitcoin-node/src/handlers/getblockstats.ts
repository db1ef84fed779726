import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BlockStatistics } from "@nodewright/bitcoin-api/types";
import { blockSubsidy } from "@nodewright/bitcoin-primitives";
import { getBlockByHashOrHeight } from "../chain/hash-or-height.ts";
import type { BitcoinNodeContext } from "../context/context.ts";
import { truncate } from "../parameters/parameter-problems.ts";
import { rpcError } from "../parameters/rpc-error.ts";
import { countBlock } from "../statistics/count-block.ts";

/** Returns statistics of the transactions of a block. */
export const getblockstats: BitcoinHandler<"getblockstats", BitcoinNodeContext> = async (
  { hashOrHeight, stats = [] },
  { index },
) => {
  const record = await getBlockByHashOrHeight(index, hashOrHeight);
  const { feerate_percentiles, ...counts } = await countBlock(index, record);
  const all: Required<BlockStatistics> = {
    avgfee: counts.avgfee,
    avgfeerate: counts.avgfeerate,
    avgtxsize: counts.avgtxsize,
    blockhash: record.hash,
    feerate_percentiles: [...feerate_percentiles],
    height: record.height,
    ins: counts.ins,
    maxfee: counts.maxfee,
    maxfeerate: counts.maxfeerate,
    maxtxsize: counts.maxtxsize,
    medianfee: counts.medianfee,
    mediantime: record.medianTime,
    mediantxsize: counts.mediantxsize,
    minfee: counts.minfee,
    minfeerate: counts.minfeerate,
    mintxsize: counts.mintxsize,
    outs: counts.outs,
    subsidy: Number(blockSubsidy(record.height, index.network)),
    swtotal_size: counts.swtotal_size,
    swtotal_weight: counts.swtotal_weight,
    swtxs: counts.swtxs,
    time: record.header.time,
    total_out: counts.total_out,
    total_size: counts.total_size,
    total_weight: counts.total_weight,
    totalfee: counts.totalfee,
    txs: counts.txs,
    utxo_increase: counts.utxo_increase,
    utxo_size_inc: counts.utxo_size_inc,
    utxo_increase_actual: counts.utxo_increase_actual,
    utxo_size_inc_actual: counts.utxo_size_inc_actual,
  };
  return stats.length === 0 ? all : selected(all, stats);
};

/** Returns the selected members, each once, in the order of the names, whatever the requested order: as Bitcoin Core. */
function selected(all: BlockStatistics, names: readonly string[]): BlockStatistics {
  const entries = [...new Set(names)].sort().map((name) => {
    const value = Object.entries(all).find(([key]) => key === name)?.[1];
    if (value === undefined) throw rpcError("invalidParameter", `Invalid selected statistic '${truncate(name)}'`);
    return [name, value] as const;
  });
  return Object.fromEntries(entries);
}
