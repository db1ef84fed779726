import { expect, it } from "vitest";
import { compareLeaves } from "./compare-leaves.ts";

it("compares numbers, decimals in texts, and times by what they are", () => {
  expect(compareLeaves(9, 10)).toBe(-1);
  expect(compareLeaves("9.50", "10.00")).toBe(-1);
  expect(compareLeaves("1.50", "1.5")).toBe(0);
  expect(compareLeaves("123456789012345678901", "123456789012345678900")).toBe(1);
  expect(compareLeaves("-0.5", "-0.25")).toBe(-1);
  expect(compareLeaves("2024-01-02", "2023-12-31")).toBe(1);
  expect(compareLeaves("2024-01-01T00:00:00Z", "2024-01-01T01:00:00+02:00")).toBe(1);
});

it("says nothing of other texts", () => {
  expect(compareLeaves("b", "a")).toBeUndefined();
  expect(compareLeaves("0x10", "0x0a")).toBeUndefined();
  expect(compareLeaves("2024-01-01", "2024-01-01T00:00:00Z")).toBeUndefined();
  expect(compareLeaves(null, 1)).toBeUndefined();
});
