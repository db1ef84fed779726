import { describe, expect, it } from "vitest";
import type { RecordMember, SuiteType } from "../suite/suite-type.ts";
import { orderOf } from "./list-order.ts";
import { rangeRoleOf } from "./range-role.ts";

const number: SuiteType = { kind: "number", integer: true };
const text: SuiteType = { kind: "string" };
const time: SuiteType = { kind: "string", format: "date-time" };

function members(types: Readonly<Record<string, SuiteType>>): readonly RecordMember[] {
  return Object.entries(types).map(([name, type]) => ({ name, type, required: true }));
}

describe("a bound that has a part of a member's name", () => {
  it.each<[string, Readonly<Record<string, SuiteType>>, string]>([
    ["minDuration", { id: text, durationSeconds: number }, "minimum durationSeconds"],
    ["price_max", { startPrice: number, title: text }, "maximum startPrice"],
    ["maxPrice", { price: number, startPrice: number }, "maximum price"],
  ])("%s of %j is %s", (name, types, expected) => {
    const role = rangeRoleOf(name, members(types), {});
    expect(`${role?.kind} ${role?.member.name}`).toBe(expected);
  });

  it.each<[string, Readonly<Record<string, SuiteType>>]>([
    ["maxPrice", { startPrice: number, reservePrice: number }],
    ["maxPrice", { averagePrice: number }],
    ["minRating", { ratingCount: number }],
    ["minDuration", { duration: text }],
    ["minTitle", { titleText: text }],
  ])("%s of %j is of none", (name, types) => {
    expect(rangeRoleOf(name, members(types), {})?.isOfPart).toBeUndefined();
  });
});

describe("an order that has a part of a member's name", () => {
  const element: SuiteType = {
    kind: "record",
    members: members({ publishedAt: time, durationSeconds: number, startPrice: number, endPrice: number }),
  };

  it("is of the only member that it can be of", () => {
    expect(orderOf("PUBLISHED_DESC", element, {})).toEqual({ member: "publishedAt", sign: -1, isOfPart: true });
    expect(orderOf("duration_asc", element, {})).toEqual({ member: "durationSeconds", sign: 1, isOfPart: true });
    expect(orderOf("PRICE_DESC", element, {})).toBeUndefined();
    expect(orderOf("PUBLISHED", element, {})).toBeUndefined();
  });
});
