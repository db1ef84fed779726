/** A transaction's fee rate, with its share of the block. */
export interface WeighedFeeRate {
  readonly feeRate: number;
  readonly weight: number;
}

/** Percentages; tenths of a block's weight would not do for a quarter. */
const percentiles: readonly number[] = [10, 25, 50, 75, 90];

/**
 * Returns the fee rates at which 10, 25, 50, 75 and 90 percent of the weight are reached, going up from the lowest; five zeros for an empty
 * list.
 *
 * Among equal fee rates the lighter transaction comes first, as in Bitcoin Core, which does not change the result.
 */
export function feeRatePercentiles(feeRates: readonly WeighedFeeRate[], totalWeight: number): number[] {
  const ascending = feeRates.toSorted((left, right) => left.feeRate - right.feeRate || left.weight - right.weight);
  const reached: number[] = [];
  let weight = 0;
  for (const each of ascending) {
    weight += each.weight;
    for (let next = percentiles[reached.length]; next !== undefined; next = percentiles[reached.length]) {
      if (weight * 100 < totalWeight * next) break;
      reached.push(each.feeRate);
    }
  }
  return percentiles.map((_percent, position) => reached[position] ?? ascending.at(-1)?.feeRate ?? 0);
}

/** Returns the middle value, of an even number of them the mean of the two in the middle, rounded down; 0 for none. */
export function median(values: readonly number[]): number {
  const ascending = values.toSorted((left, right) => left - right);
  const upper = Math.floor(ascending.length / 2);
  const high = ascending[upper] ?? 0;
  return ascending.length % 2 === 1 ? high : Math.floor(((ascending[upper - 1] ?? 0) + high) / 2);
}
