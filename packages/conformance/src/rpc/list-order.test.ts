import { describe, expect, it } from "vitest";
import { isGrouped, isOrdered } from "./list-order.ts";

describe("isOrdered", () => {
  it.each<[string, readonly unknown[]]>([
    ["code points", ["Zoo", "abacus"]],
    ["letters", ["abacus", "Zoo"]],
    ["letters without signs between them", ["Desmond", "de Souza", "de Witt"]],
    ["letters of Swedish", ["Anna", "Zoe", "Åsa", "Örjan"]],
    ["letters of German telephone books", ["Muck", "Müller", "Mufti"]],
    ["names without their articles", ["Anchors", "The Beatles", "Cream"]],
    ["last names", ["Zoe Adams", "Adam Zimmer"]],
    ["numbers that are texts", ["8.77", "9.15", "9.2", "10.5"]],
    ["numbers within texts", ["item 9", "item 10"]],
    ["times", ["2024-01-01T01:00:00+02:00", "2023-12-31T23:30:00Z"]],
  ])("knows the order of %s", (_name, values) => {
    expect(isOrdered(values, 1)).toBe(true);
    expect(isOrdered(values.toReversed(), -1)).toBe(true);
  });

  it("knows what is in no order", () => {
    expect(isOrdered(["pear", "apple", "quince", "cherry"], undefined)).toBe(false);
    expect(isOrdered(["2024-02-01", "2024-01-01"], 1)).toBe(false);
    expect(isOrdered([3, 1, 2], undefined)).toBe(false);
  });
});

describe("isGrouped", () => {
  it("holds where equal values stand together", () => {
    expect(isGrouped(["low", "low", "high", null, "high", "middle"])).toBe(true);
    expect(isGrouped(["low", "high", "low"])).toBe(false);
  });
});
