import { describe, expect, it } from "vitest";
import { isIdentifier, safeIdentifier } from "./identifiers.ts";

describe("identifiers", () => {
  it("are names that can be bound", () => {
    expect(["a", "ü", "$", "_1"].every(isIdentifier)).toBe(true);
    expect(["", "1a", "a-b", "class", "await", "arguments", "a b", "a\u2028"].some(isIdentifier)).toBe(false);
  });

  it("are made safe near to what was wanted", () => {
    expect(["hash", "block hash", "default", "1st", "Blob", "constructor", ""].map(safeIdentifier)).toEqual([
      "hash",
      "block_hash",
      "default_",
      "_1st",
      "Blob_",
      "constructor_",
      "_",
    ]);
    expect(["", "🙂", "a🙂", "0", "class"].map(safeIdentifier).every(isIdentifier)).toBe(true);
  });
});
