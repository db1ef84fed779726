import { property, assert, integer, double } from "fast-check";
import { expect, test } from "vitest";
import { isMultipleOf } from "./decimal.ts";

test.each([
  [0.0075, 0.0001, true],
  [0.00751, 0.0001, false],
  [12391239123, 1e-8, true],
  [1e308, 0.123456789, false],
  [1e308, 0.5, true],
  [-4.5, 1.5, true],
  [0, 3, true],
  [7, 3, false],
  [9_007_199_254_740_992, 3, false],
  [9_007_199_254_740_992, 4, true],
  [9_007_199_254_740_992, 2e16, false],
  [3, 1.5, true],
  [1, 1.5, false],
  [1e21, 1e21, true],
  [1.5e21, 1e21, false],
  [1.5e21, 5e20, true],
  [1e-7, 2e-7, false],
  [4e-7, 2e-7, true],
  [Number.NaN, 1, false],
  [Number.NEGATIVE_INFINITY, 0.5, false],
  [Number.POSITIVE_INFINITY, 1, false],
])("whether %d is a multiple of %d is decided on their decimals", (value, divisor, expected) => {
  expect(isMultipleOf(value, divisor)).toBe(expected);
});

test("a whole number of hundredths is a multiple of a hundredth, and one with a half more is not", () => {
  assert(
    property(integer(), (count) => {
      expect(isMultipleOf(Number(`${count}e-2`), 0.01)).toBe(true);
      expect(isMultipleOf(Number(`${count}5e-3`), 0.01)).toBe(false);
    }),
  );
});

test("each number is a multiple of itself", () => {
  const positive = double({ min: Number.MIN_VALUE, noDefaultInfinity: true, noNaN: true });
  assert(property(positive, (value) => isMultipleOf(value, value)));
});
