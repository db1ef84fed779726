import { expect, test } from "vitest";
import { readTransactionText } from "./transaction-text.ts";

const one = `01000000${"01"}${"11".repeat(32)}0000000000ffffffff01${"00".repeat(8)}016a00000000`;

test("reads a transaction in either case of hex", () => {
  expect(readTransactionText(one)?.inputs).toHaveLength(1);
  expect(readTransactionText(one.toUpperCase())?.outputs).toHaveLength(1);
});

test.each([
  ["nothing", ""],
  ["no hex", "xyz"],
  ["half a byte more", `${one}0`],
  ["a byte more", `${one}00`],
  ["a transaction without inputs", "01000000000000000000"],
])("reads no transaction from %s", (_, text) => {
  expect(readTransactionText(text)).toBeUndefined();
});
