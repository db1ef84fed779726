import { bitsOfTarget, type Network, targetOfBits } from "@nodewright/bitcoin-primitives";
import type { Branch } from "./branch.ts";
import { type ConsensusRules, consensusRules } from "./consensus-rules.ts";

/** Target block interval in seconds. */
const targetSpacing = 600;

/**
 * Returns the compact target of the block above a branch, if it were mined at `now`, in seconds since 1970; the time counts only on
 * networks where a late block may be easy.
 */
export async function nextBits(branch: Branch, network: Network, now: number): Promise<number> {
  const { tip } = branch;
  const rules = consensusRules[network.name];
  if ((tip.height + 1) % rules.retargetInterval === 0) return retarget(branch, network, rules);
  if (!rules.allowsMinimumDifficulty) return tip.header.bits;
  const easiest = bitsOfTarget(network.powLimit);
  // No block may be earlier than the median of the eleven before.
  if (Math.max(now, tip.medianTime + 1) > tip.header.time + 2 * targetSpacing) return easiest;
  return lastOrdinary(branch, rules, easiest);
}

/** Returns the compact target of the interval: that of its last block which is not an easy one. */
async function lastOrdinary(branch: Branch, { retargetInterval }: ConsensusRules, easiest: number): Promise<number> {
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
  const { retargetInterval } = rules;
  const targetTimespan = retargetInterval * targetSpacing;
  const first = await branch.recordAt(tip.height - (retargetInterval - 1));
  const taken = tip.header.time - first.header.time;
  const counted = Math.min(Math.max(taken, targetTimespan / 4), targetTimespan * 4);
  const old = targetOfBits(rules.retargetsFromFirstBlock ? first.header.bits : tip.header.bits) ?? 0n;
  const target = (old * BigInt(counted)) / BigInt(targetTimespan);
  return bitsOfTarget(target < network.powLimit ? target : network.powLimit);
}
