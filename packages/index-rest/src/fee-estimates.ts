import { feeEstimateTargets, unknownFeeRate } from "@nodewright/bitcoin-indexer";
import type { FeeEstimates, RecommendedFees } from "@nodewright/index-api/types";

type Rates = ReadonlyMap<number, number>;

/** All targets with their rates, in satoshi per virtual byte. */
export function renderFeeEstimates(rates: Rates): FeeEstimates {
  const entries = feeEstimateTargets.map((target) => [target, rateOf(rates, target)] as const);
  // Clients break on missing targets: the type has all of them, and so has the list.
  return Object.fromEntries(entries) as unknown as FeeEstimates;
}

/** Whole satoshi per virtual byte, rounded up; who waits longer never pays more. */
export function renderRecommendedFees(rates: Rates): RecommendedFees {
  const fastestFee = Math.ceil(rateOf(rates, 1));
  const halfHourFee = Math.min(fastestFee, Math.ceil(rateOf(rates, 3)));
  const hourFee = Math.min(halfHourFee, Math.ceil(rateOf(rates, 6)));
  const economyFee = Math.min(hourFee, Math.ceil(rateOf(rates, 144)));
  const minimumFee = Math.min(economyFee, Math.ceil(rateOf(rates, 1008)));
  return { fastestFee, halfHourFee, hourFee, economyFee, minimumFee };
}

function rateOf(rates: Rates, target: number): number {
  return rates.get(target) ?? unknownFeeRate;
}
