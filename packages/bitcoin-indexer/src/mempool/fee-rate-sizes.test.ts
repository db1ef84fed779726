import fc from "fast-check";
import { expect, it } from "vitest";
import { FeeRateSizes } from "./fee-rate-sizes.ts";

/** Returns Esplora's histogram: from all transactions, sorted. */
function plainHistogram(transactions: readonly (readonly [feeRate: number, size: number])[]): [number, number][] {
  const bins: [number, number][] = [];
  let size = 0;
  let last = 0;
  for (const [feeRate, virtualSize] of transactions.toSorted(([left], [right]) => right - left)) {
    if (size > 50_000 && feeRate !== last) {
      bins.push([last, size]);
      size = 0;
    }
    size += virtualSize;
    last = feeRate;
  }
  if (size > 0) bins.push([last, size]);
  return bins;
}

const transaction = fc.tuple(
  fc.integer({ min: 0, max: 400 }).map((rate) => rate / 7),
  fc.integer({ min: 61, max: 60_000 }),
);

it("is the histogram of the transactions that are there, in whatever steps they came and went", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          come: fc.array(transaction, { maxLength: 20, size: "max" }),
          go: fc.array(fc.nat(), { maxLength: 10 }),
        }),
      ),
      (rounds) => {
        const sizes = new FeeRateSizes();
        const there: (readonly [number, number])[] = [];
        for (const { come, go } of rounds) {
          for (const [feeRate, size] of come) sizes.add(feeRate, size);
          there.push(...come);
          for (const index of go) {
            const [gone] = there.splice(index % Math.max(1, there.length), 1);
            if (gone !== undefined) sizes.add(gone[0], -gone[1]);
          }
          expect(sizes.histogram()).toEqual(plainHistogram(there));
        }
      },
    ),
  );
});
