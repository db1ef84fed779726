import { setTimeout as sleep } from "node:timers/promises";
import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BlockAmounts as RenderedAmounts, OutputSetStatistics } from "@nodewright/bitcoin-api/types";
import type { BlockAmounts, BlockRecord, CoinStatisticsRow, OptionalRows } from "@nodewright/bitcoin-indexer";
import { displayHash, muHashDigest } from "@nodewright/bitcoin-primitives";
import { getTip, getTipHeight } from "../chain/best-block.ts";
import { type CoinHashType, countCoins } from "../chain/coin-set.ts";
import type { BitcoinNodeContext } from "../context/context.ts";
import { getBlockByHashOrHeight } from "../chain/hash-or-height.ts";
import { percentOfIndex } from "../chain/index-progress.ts";
import { truncate } from "../parameters/parameter-problems.ts";
import { rpcError } from "../parameters/rpc-error.ts";

/** Maximum milliseconds to wait for an index that lags at most `maximumLag` blocks. */
const waitMilliseconds = 2_000;
const pollMilliseconds = 20;
const maximumLag = 10;

/** Returns statistics of all unspent outputs. */
export const gettxoutsetinfo: BitcoinHandler<"gettxoutsetinfo", BitcoinNodeContext> = async (
  { hashType = "hash_serialized_3", hashOrHeight, useIndex = true },
  { index, optional },
) => {
  const hash = readHashType(hashType);
  const rows = optional?.coinStatistics;
  if (hashOrHeight !== undefined) assertIndexed(hash, rows !== undefined, useIndex);
  if (rows === undefined || !useIndex || hash === "hash_serialized_3")
    return renderCounted(await countCoins(index, hash), hash);
  const block = hashOrHeight === undefined ? await getTip(index) : await getBlockByHashOrHeight(index, hashOrHeight);
  const row = await findRow(rows, block);
  if (row === undefined) throw stillSyncing(await rows.height(), await getTipHeight(index));
  return renderIndexed(block, row, hash);
};

function readHashType(text: string): CoinHashType {
  if (text === "hash_serialized_3" || text === "muhash" || text === "none") return text;
  throw rpcError("invalidParameter", `'${truncate(text)}' is not a valid hash_type`);
}

/** Throws if the statistics of a block other than the best one are requested without the index, which alone has them. */
function assertIndexed(hash: CoinHashType, isKept: boolean, useIndex: boolean): void {
  if (!isKept) throw rpcError("invalidParameter", "Querying specific block heights requires coinstatsindex");
  if (hash === "hash_serialized_3") {
    throw rpcError("invalidParameter", "hash_serialized_3 hash type cannot be queried for a specific block");
  }
  if (!useIndex) {
    throw rpcError("invalidParameter", "Cannot set use_index to false when querying for a specific block");
  }
}

/** Finds the row of a block, waiting for it: the index receives a block shortly after it was connected. */
async function findRow(
  rows: OptionalRows<CoinStatisticsRow>,
  { hash, height }: BlockRecord,
): Promise<CoinStatisticsRow | undefined> {
  const deadline = performance.now() + waitMilliseconds;
  for (;;) {
    const row = await rows.find(hash, height);
    if (row !== undefined || height - (await rows.height()) > maximumLag || performance.now() > deadline) return row;
    await sleep(pollMilliseconds);
  }
}

function stillSyncing(height: number, tipHeight: number) {
  const percent = percentOfIndex(height, tipHeight);
  return rpcError(
    "miscellaneous",
    `Unable to get data because coinstatsindex is still syncing. Current height: ${height} (${percent} %)`,
  );
}

function renderCounted(set: Awaited<ReturnType<typeof countCoins>>, hashType: CoinHashType): OutputSetStatistics {
  return {
    height: set.tip.height,
    bestblock: set.tip.hash,
    txouts: set.coins,
    bogosize: set.bogoSize,
    ...(hashType === "none" || set.hash === undefined ? {} : { [hashType]: set.hash }),
    total_amount: set.amount,
    transactions: set.transactions,
    disk_size: set.serializedSize,
  };
}

function renderIndexed(block: BlockRecord, row: CoinStatisticsRow, hashType: CoinHashType): OutputSetStatistics {
  return {
    height: block.height,
    bestblock: block.hash,
    txouts: row.coins,
    bogosize: row.bogoSize,
    ...(hashType === "muhash" ? { muhash: displayHash(muHashDigest(row.muHash)) } : {}),
    total_amount: row.amount,
    total_unspendable_amount: row.unspendable,
    block_info: renderAmounts(row.block),
  };
}

function renderAmounts(amounts: BlockAmounts): RenderedAmounts {
  const { genesisBlock, repeatedCoinbase, scripts, unclaimed } = amounts;
  return {
    prevout_spent: amounts.spent,
    coinbase: amounts.coinbase,
    new_outputs_ex_coinbase: amounts.created,
    unspendable: genesisBlock + repeatedCoinbase + scripts + unclaimed,
    unspendables: {
      genesis_block: genesisBlock,
      bip30: repeatedCoinbase,
      scripts,
      unclaimed_rewards: unclaimed,
    },
  };
}
