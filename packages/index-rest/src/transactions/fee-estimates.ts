import { feeEstimateTargets, unknownFeeRate } from "@nodewright/bitcoin-indexer";
import type { FeeEstimates, RecommendedFees } from "@nodewright/index-api/types";
import { PreparedJson } from "@nodewright/runtime";
import { hashedEntityTag } from "../response/entity-tag.ts";

type Rates = ReadonlyMap<number, number>;

interface PreparedEstimates {
  readonly eTag: string;
  readonly body: PreparedJson<FeeEstimates>;
}

/** Latest prepared estimates, for these rates. They are requested far more often than they change. */
let last: (PreparedEstimates & { readonly rates: string }) | undefined;

/** Returns all targets with their rates, in satoshi per virtual byte: clients fail on missing ones. */
export function prepareFeeEstimates(rates: Rates): PreparedEstimates {
  const values = feeEstimateTargets.map((target) => rateOf(rates, target));
  const text = values.join(" ");
  if (last?.rates !== text) {
    const body = JSON.stringify(Object.fromEntries(feeEstimateTargets.map((target, index) => [target, values[index]])));
    last = { rates: text, eTag: hashedEntityTag(values), body: new PreparedJson(body) };
  }
  return last;
}

/** Returns integer satoshi per virtual byte, rounded up; a longer wait never costs more. */
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
