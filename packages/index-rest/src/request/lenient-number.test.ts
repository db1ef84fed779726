import { expect, test } from "vitest";
import { lenientHeight, lenientPosition } from "./lenient-number.ts";

const noNumbers = ["", "abc", "-1", "1.5", "0x10", " 1", "1e3", "99999999999999999999"];

test.each([
  ["0", 0],
  ["14131", 14_131],
  ["0170", 170],
  ["+5", 5],
  ["4294967295", 4_294_967_295],
])("%j is %j", (text, expected) => {
  expect(lenientHeight(text)).toBe(expected);
  expect(lenientPosition(text)).toBe(expected);
});

test.each(noNumbers)("%j is no height, and position 0", (text) => {
  expect(lenientHeight(text)).toBeUndefined();
  expect(lenientPosition(text)).toBe(0);
});

test("a position has 32 bits", () => {
  expect(lenientPosition("4294967296")).toBe(0);
});

test("a height has 64 bits, all above those that are exact being as high as that", () => {
  expect(lenientHeight("4294967296")).toBe(4_294_967_296);
  expect(lenientHeight("18446744073709500000")).toBe(Number.MAX_SAFE_INTEGER);
  expect(lenientHeight("18446744073709551616")).toBeUndefined();
});
