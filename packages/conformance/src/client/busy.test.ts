import { expect, test } from "vitest";
import { readRetryAfter } from "./busy.ts";

const now = Date.UTC(2026, 0, 1);

test.each([
  ["0", 0],
  ["120", 120_000],
  [" 1.5 ", 1_500],
  ["Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
  ["Thursday, 01-Jan-26 00:00:30 GMT", 30_000],
  ["Wed, 31 Dec 2025 00:00:00 GMT", 0],
  ["soon", undefined],
  ["-5", undefined],
  ["", undefined],
  [undefined, undefined],
])("Retry-After: %s is %s ms", (value, milliseconds) => {
  expect(readRetryAfter(value, now)).toBe(milliseconds);
});
