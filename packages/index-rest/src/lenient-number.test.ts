import { expect, test } from "vitest";
import { lenientNumber } from "./lenient-number.ts";

test.each([
  ["0", 0],
  ["14131", 14_131],
  ["0170", 170],
  ["+5", 5],
])("%j is %j", (value, expected) => {
  expect(lenientNumber(value)).toBe(expected);
});

test.each(["", "abc", "-1", "1.5", "0x10", " 1", "1e3", "99999999999999999999"])(
  "%j is no number from 0 on",
  (value) => {
    expect(lenientNumber(value)).toBeUndefined();
  },
);
