import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { getTip } from "../best-block.ts";
import { branchOf } from "../chain/branch.ts";
import { consensusRules } from "../chain/consensus-rules.ts";
import { nextBits } from "../chain/next-bits.ts";
import type { BitcoinNodeContext } from "../context.ts";
import { estimateHashRate } from "../network-hash-rate.ts";
import { renderDifficulty } from "../render/difficulty.ts";
import { roundDouble } from "../render/double.ts";

/** As getnetworkhashps takes when it is not told another number. */
const blocksOfEstimate = 120;
/** Satoshi for each 1000 virtual bytes: what Bitcoin Core takes into blocks unless it is told otherwise. */
const minimumMinedFee = 1n;

/** The state of mining, of which there is none here. */
export const getmininginfo: BitcoinHandler<"getmininginfo", BitcoinNodeContext> = async (
  _input,
  { index, mempool, now },
) => {
  const tip = await getTip(index);
  const { bits, difficulty, target } = renderDifficulty(tip.header.bits);
  const seconds = Math.floor(now() / 1_000);
  const next = renderDifficulty(await nextBits(await branchOf(index, tip), index.network, seconds));
  const { signetChallenge } = consensusRules[index.network.name];
  return {
    blocks: tip.height,
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
