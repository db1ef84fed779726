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
  additional: true,
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
  it.each([
    ["numbers by what they are worth", [2, 10, 30]],
    ["texts by code points", ["Z", "a", "b"]],
    ["texts without regard to case", ["a", "B", "c"]],
    ["texts as a language has them", ["Ö", "Z"]],
    ["texts of digits as numbers", ["9", "10", "11"]],
    ["around what is not there", [1, undefined, 2, null, 3]],
  ])("takes %s", (_, values) => {
    expect(isOrdered(values, 1)).toBe(true);
  });

  it("looks at the direction, where one is said", () => {
    expect(isOrdered([3, 2, 1], 1)).toBe(false);
    expect(isOrdered([3, 2, 1], -1)).toBe(true);
    expect(isOrdered([3, 2, 1], undefined)).toBe(true);
    expect(isOrdered([3, 1, 2], undefined)).toBe(false);
  });

  it("finds no order in texts that no usual one has", () => {
    expect(isOrdered(["b", "c", "a"], undefined)).toBe(false);
  });
});

describe("isGrouped", () => {
  it("wants equal values side by side", () => {
    expect(isGrouped(["open", "open", "closed"])).toBe(true);
    expect(isGrouped(["open", "closed", "open"])).toBe(false);
  });
});
