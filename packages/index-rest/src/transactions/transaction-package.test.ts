import { describe, expect, test } from "vitest";
import { assertPackage } from "./transaction-package.ts";

const good = "ab".repeat(60);

describe("a package", () => {
  test.each([[[]], [[good]], [Array.from({ length: 25 }, () => good)], [["a".repeat(799_998)]]])("passes", (texts) => {
    expect(() => assertPackage(texts)).not.toThrow();
  });

  test("has at most 25 transactions", () => {
    expect(() => assertPackage(Array.from({ length: 26 }, () => good))).toThrow("Exceeded maximum of 25 transactions");
  });

  test.each(["", "ab".repeat(59), "ab".repeat(400_000)])("has no transaction of an impossible size", (text) => {
    expect(() => assertPackage([good, text])).toThrow("Invalid transaction size for item 1");
  });

  test.each(["zz".repeat(60), `${good}a`, `${"ab".repeat(60)}\n\n`])("has no transaction but in hex", (text) => {
    expect(() => assertPackage([text])).toThrow("Invalid transaction hex for item 0");
  });
});
