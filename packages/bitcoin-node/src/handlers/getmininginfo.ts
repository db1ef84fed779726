import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { MiningInformation } from "@nodewright/bitcoin-api/types";
import type { Upstream } from "@nodewright/upstream";
import { getTip } from "../chain/best-block.ts";
import { branchOf } from "../chain/branch.ts";
import { consensusRules } from "../chain/consensus-rules.ts";
import { nextBits } from "../chain/next-bits.ts";
import type { BitcoinNodeContext } from "../context/context.ts";
import { estimateHashRate } from "../chain/network-hash-rate.ts";
import { findInteger, isRecord } from "../forward/node-response.ts";
import { renderDifficulty } from "../render/difficulty.ts";
import { roundDouble } from "../render/double.ts";

/** Number of blocks, the default of getnetworkhashps. */
const blocksOfEstimate = 120;
/** Satoshi for each 1000 virtual bytes: Bitcoin Core's default minimum for blocks. */
const minimumMinedFee = 1n;

/** Timeout in milliseconds; the rest is known without the node. */
const timeoutMilliseconds = 1_000;
const greatestUint32 = 0xffffffff;

/** Returns the state of mining, which only the upstream node may do. */
export const getmininginfo: BitcoinHandler<"getmininginfo", BitcoinNodeContext> = async (
  _input,
  { index, mempool, now, upstream },
) => {
  const tip = await getTip(index);
  const { bits, difficulty, target } = renderDifficulty(tip.header.bits);
  const seconds = Math.floor(now() / 1_000);
  const next = renderDifficulty(await nextBits(await branchOf(index, tip), index.network, seconds));
  const { signetChallenge } = consensusRules[index.network.name];
  return {
    blocks: tip.height,
    ...(await findAssembledBlock(upstream)),
    bits,
    difficulty,
    target,
    networkhashps: roundDouble(await estimateHashRate(index, tip, blocksOfEstimate)),
    pooledtx: (await mempool?.summary())?.count ?? 0,
    blockmintxfee: minimumMinedFee,
    chain: index.network.chain,
    ...(signetChallenge === undefined ? {} : { signet_challenge: signetChallenge }),
    next: { height: tip.height + 1, bits: next.bits, difficulty: next.difficulty, target: next.target },
    warnings: [],
  };
};

/** Returns the size of the last block that the node assembled; nothing where it has assembled none, or is unavailable. */
async function findAssembledBlock(
  upstream: Upstream | undefined,
): Promise<Pick<MiningInformation, "currentblockweight" | "currentblocktx">> {
  try {
    const result = await upstream?.call("getmininginfo", [], { timeoutMilliseconds });
    if (!isRecord(result)) return {};
    // btcd always has both, and 0 before its first block.
    const currentblockweight = findInteger(result["currentblockweight"], 1, greatestUint32);
    const currentblocktx = findInteger(result["currentblocktx"], 0, greatestUint32);
    return currentblockweight === undefined || currentblocktx === undefined
      ? {}
      : { currentblockweight, currentblocktx };
  } catch {
    return {};
  }
}
