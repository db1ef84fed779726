import type { BlockRecord } from "@nodewright/bitcoin-indexer";
import { bitsOfTarget, type Network, targetOfBits } from "@nodewright/bitcoin-primitives";
import type { Branch } from "./branch.ts";
import { type ConsensusRules, consensusRules } from "./consensus-rules.ts";

/** Blocks between two changes of difficulty. */
export const retargetInterval = 2016;
/** Seconds that a block, and an interval, are meant to take. */
const targetSpacing = 600;
const targetTimespan = retargetInterval * targetSpacing;
/** BIP 94: seconds by which the first block of an interval may be earlier than the one before. */
const maximumTimewarp = 600;

/**
 * The compact target of the block above a branch, if it were made at `now`, in seconds since 1970; the time counts on networks alone
 * where a late block may be easy.
 */
export async function nextBits(branch: Branch, network: Network, now: number): Promise<number> {
  const { tip } = branch;
  const rules = consensusRules[network.name];
  if ((tip.height + 1) % retargetInterval === 0) return retarget(branch, network, rules);
  if (!rules.allowsMinimumDifficulty) return tip.header.bits;
  const easiest = bitsOfTarget(network.powLimit);
  if (nextTime(tip, rules, now) > tip.header.time + 2 * targetSpacing) return easiest;
  return lastOrdinary(branch, easiest);
}

/** When a block above `tip` would be made: not before what its parent allows. */
function nextTime(tip: BlockRecord, { retargetsFromFirstBlock }: ConsensusRules, now: number): number {
  const isFirst = (tip.height + 1) % retargetInterval === 0;
  const earliest = tip.medianTime + 1;
  const least = retargetsFromFirstBlock && isFirst ? Math.max(earliest, tip.header.time - maximumTimewarp) : earliest;
  return Math.max(now, least);
}

/** The compact target of the interval: that of its last block which is not an easy one. */
async function lastOrdinary(branch: Branch, easiest: number): Promise<number> {
  const { tip } = branch;
  const inInterval = (tip.height % retargetInterval) + 1;
  for (const { height, header } of await branch.recordsFrom(tip.height, inInterval)) {
    if (header.bits !== easiest || height % retargetInterval === 0) return header.bits;
  }
  return tip.header.bits;
}

async function retarget(branch: Branch, network: Network, rules: ConsensusRules): Promise<number> {
  const { tip } = branch;
  if (!rules.retargets) return tip.header.bits;
  const first = await branch.recordAt(tip.height - (retargetInterval - 1));
  const taken = tip.header.time - first.header.time;
  const counted = Math.min(Math.max(taken, targetTimespan / 4), targetTimespan * 4);
  const old = targetOfBits(rules.retargetsFromFirstBlock ? first.header.bits : tip.header.bits) ?? 0n;
  const target = (old * BigInt(counted)) / BigInt(targetTimespan);
  return bitsOfTarget(target < network.powLimit ? target : network.powLimit);
}
