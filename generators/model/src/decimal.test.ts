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
