import type { FeeEstimates, RecommendedFees } from "@nodewright/index-api/types";

/** In satoshi per virtual byte: what is estimated where nothing better is known. */
export const lowestFeeRate = 1;

/** Esplora's confirmation targets, in blocks. Clients break on missing ones. */
export const feeEstimateTargets = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 144, 504, 1008,
] as const;

type Rates = ReadonlyMap<number, number>;

/** All targets with their rates, in satoshi per virtual byte. */
export function renderFeeEstimates(rates: Rates): FeeEstimates {
  const entries = feeEstimateTargets.map((target) => [target, rateOf(rates, target)] as const);
  return Object.fromEntries(entries) as Record<(typeof feeEstimateTargets)[number], number>;
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
  return rates.get(target) ?? lowestFeeRate;
}
