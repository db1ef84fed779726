import { describe, expect, it } from "vitest";
import type { SuiteType } from "../suite/suite-type.ts";
import { isGrouped, isOrdered, orderOf } from "./list-order.ts";

const text: SuiteType = { kind: "string" };
const parcel: SuiteType = {
  kind: "record",
  members: [
    { name: "price", type: text, required: true },
    { name: "created_at", type: text, required: true },
  ],
};

describe("orderOf", () => {
  it.each([
    ["price", { member: "price" }],
    ["-price", { member: "price", sign: -1 }],
    ["+price", { member: "price", sign: 1 }],
    ["PRICE_DESC", { member: "price", sign: -1 }],
    ["createdAt:asc", { member: "created_at", sign: 1 }],
    ["weight", undefined],
    ["price_of_gold", undefined],
  ])("reads %s", (word, order) => {
    expect(orderOf(word, parcel, {})).toEqual(order);
  });
});

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
    expect(isOrdered([1, 10, 2], undefined)).toBe(false);
  });

  it("looks at the direction, where one is said", () => {
    expect(isOrdered([3, 2, 1], 1)).toBe(false);
    expect(isOrdered([3, 2, 1], -1)).toBe(true);
    expect(isOrdered([3, 2, 1], undefined)).toBe(true);
  });

  it("is that of values around what is not there", () => {
    expect(isOrdered([1, undefined, 2, null, 3], 1)).toBe(true);
    expect(isOrdered(["9", "10", "11"], 1)).toBe(true);
  });
});

describe("isGrouped", () => {
  it("holds where equal values stand together", () => {
    expect(isGrouped(["low", "low", "high", null, "high", "middle"])).toBe(true);
    expect(isGrouped(["low", "high", "low"])).toBe(false);
  });
});
