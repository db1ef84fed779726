import { describe, expect, it } from "vitest";
import { anyFeeRate, defaultMaximumFeeRate, exceedsFeeRate, readMaximumFeeRate } from "./fee-limit.ts";

describe("the greatest fee of a transaction", () => {
  it.each([
    // Satoshi for each 1,000 virtual bytes, virtual bytes, greatest fee in satoshi.
    [1_000n, 141, 141n],
    [1_001n, 1, 2n],
    [1n, 1, 1n],
    [1n, 1_000, 1n],
    [1n, 1_001, 2n],
    [999n, 1_000, 999n],
    [1_500n, 3, 5n],
    [defaultMaximumFeeRate, 141, 1_410_000n],
    [99_999_999n, 400_000, 39_999_999_600n],
  ])("of %i for 1,000 virtual bytes and %i of them is %i, rounded up to whole satoshi", (rate, size, greatest) => {
    expect(exceedsFeeRate(greatest, size, rate)).toBe(false);
    expect(exceedsFeeRate(greatest + 1n, size, rate)).toBe(true);
  });

  it("is any where there is no limit", () => {
    expect(exceedsFeeRate(2_100_000_000_000_000n, 1, anyFeeRate)).toBe(false);
  });
});

describe("maxfeerate", () => {
  it.each([
    [undefined, defaultMaximumFeeRate],
    [false, defaultMaximumFeeRate],
    [true, anyFeeRate],
    ["0", anyFeeRate],
    ["0.00000001", 1n],
    ["1e-8", 1n],
    ["1e-7", 10n],
    ["0.10000001", 10_000_001n],
    ["0.99999999", 99_999_999n],
    [99_999_999n, 99_999_999n],
  ])("%s is read to the satoshi", (value, rate) => {
    expect(readMaximumFeeRate(value)).toBe(rate);
  });

  it.each(["1", "1.00000000", "21", 100_000_000n])("%s is refused with -8", (value) => {
    expect(() => readMaximumFeeRate(value)).toThrow(
      expect.objectContaining({
        rpcCode: -8,
        message: "Fee rates larger than or equal to 1BTC/kvB are not accepted",
      }),
    );
  });

  it.each(["0.000000001", "-0.1", "x"])("%s is refused with -3", (value) => {
    expect(() => readMaximumFeeRate(value)).toThrow(expect.objectContaining({ rpcCode: -3 }));
  });
});
