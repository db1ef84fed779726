import { feeEstimateTargets } from "@nodewright/bitcoin-indexer";
import { isFeeEstimates, isRecommendedFees } from "@nodewright/index-api/validators";
import fc from "fast-check";
import { expect, test } from "vitest";
import { prepareFeeEstimates, renderRecommendedFees } from "./fee-estimates.ts";

const rate = fc.double({ min: 0.1, max: 5_000, noNaN: true });
const someRates = fc.uniqueArray(fc.tuple(fc.constantFrom(...feeEstimateTargets), rate), {
  selector: ([target]) => target,
});

test("all targets are estimated, whatever is known", () => {
  fc.assert(
    fc.property(someRates, (known) => {
      const estimates = JSON.parse(String(prepareFeeEstimates(new Map(known)).body.text));
      expect(isFeeEstimates(estimates)).toBe(true);
      expect(Object.keys(estimates)).toHaveLength(28);
      for (const [target, value] of known) expect(Object.entries(estimates)).toContainEqual([String(target), value]);
    }),
  );
});

test("who waits longer is never recommended to pay more", () => {
  fc.assert(
    fc.property(someRates, (known) => {
      const fees = renderRecommendedFees(new Map(known));
      expect(isRecommendedFees(fees)).toBe(true);
      const values = Object.values(fees);
      expect(values).toEqual(values.toSorted((one, other) => other - one));
    }),
  );
});

test("recommended fees are whole and enough", () => {
  const known = new Map([
    [1, 12.1],
    [3, 8],
    [6, 5.01],
    [144, 2.5],
    [1008, 1],
  ]);
  expect(renderRecommendedFees(known)).toEqual({
    fastestFee: 13,
    halfHourFee: 8,
    hourFee: 6,
    economyFee: 3,
    minimumFee: 1,
  });
});
