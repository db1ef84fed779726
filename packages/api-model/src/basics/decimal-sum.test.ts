import { describe, expect, it } from "vitest";
import { isNear, sumOf } from "./decimal-sum.ts";

describe("the sum of numbers", () => {
  it.each([
    ["of fractions", [0.1, 0.2], 0.3],
    ["of nothing", [], 0],
    ["of both signs", [-1.5, 1.5, 2], 2],
    ["beyond what a double holds", [2 ** 53 - 1, 2], 9007199254740993n],
    ["of long integers", [10n ** 20n, 5], 100000000000000000005n],
    ["of small numbers", [1e-7, 3e-7], 4e-7],
  ])("%s is exact", (_name, values, sum) => {
    expect(sumOf(values)).toBe(sum);
  });

  it.each([[[1, "2"]], [[Number.NaN]], [[null]]])("is undefined where something is no number: %s", (values) => {
    expect(sumOf(values)).toBeUndefined();
  });
});

describe("two numbers", () => {
  it.each([
    [0.1, 0.1 + 4e-9, true],
    [0.1, 0.1 + 6e-9, false],
    [5n, 5, true],
    [1, -1, false],
    [1, "1", undefined],
  ])("%s and %s are near: %s", (left, right, expected) => {
    expect(isNear(left, right)).toBe(expected);
  });
});
