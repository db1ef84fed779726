import { describe, expect, test } from "vitest";
import { httpOperation, httpSuite, integer, text } from "../../run/testing/suites.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { type TestRequest, failedRules, type TestResponse } from "./testing/failed-rules.ts";

const money: SuiteType = {
  kind: "record",
  members: [
    { name: "amount", type: { kind: "number", integer: false }, required: true },
    { name: "currency", type: text, required: true },
  ],
};
const boat: SuiteType = {
  kind: "record",
  members: [
    { name: "id", type: integer, required: true },
    { name: "length", type: integer, required: true },
    { name: "price", type: money, required: true },
  ],
};
const orders = ["length", "-length", "price", "-price"];
const yard = httpSuite([
  httpOperation(
    "listBoats",
    "/boats",
    { kind: "list", element: boat },
    {
      parameters: [
        {
          name: "sort",
          property: "sort",
          location: "query",
          required: false,
          type: { kind: "enumeration", values: orders },
        },
        {
          name: "limit",
          property: "limit",
          location: "query",
          required: false,
          type: { ...integer, minimum: 1, maximum: 40, default: 3 } as SuiteType,
        },
      ],
      failures: [{ name: "Invalid", status: 400, contents: [], headers: [] }],
    },
  ),
]);

const boats = Array.from({ length: 12 }, (_none, index) => ({
  id: index + 1,
  length: ((index * 7) % 12) + 4,
  price: { amount: ((index * 5) % 12) * 90 + 50, currency: "EUR" },
}));
type Boat = (typeof boats)[number];

const amounts: Readonly<Record<string, (boat: Boat) => number>> = {
  length: ({ length }) => length,
  price: ({ price }) => price.amount,
};

function harbour(change: (sorted: readonly Boat[], order: string) => readonly Boat[] = (sorted) => sorted) {
  return ({ path, query: given }: TestRequest): TestResponse => {
    if (path !== "/boats") return { status: 404, body: {} };
    const [sort, limit] = [given.get("sort"), given.get("limit") ?? "3"];
    if ((sort !== null && !orders.includes(sort)) || !/^[1-9]\d?$/.test(limit) || Number(limit) > 40)
      return { status: 400 };
    const amountOf = amounts[sort?.replace("-", "") ?? ""] ?? (({ id }: Boat) => id);
    const sign = sort?.startsWith("-") === true ? -1 : 1;
    const sorted = boats.toSorted((left, right) => sign * (amountOf(left) - amountOf(right)));
    return { status: 200, body: change(sorted, sort ?? "").slice(0, Number(limit)) };
  };
}

function byText(boats: readonly Boat[], keyOf: (boat: Boat) => number): readonly Boat[] {
  return boats.toSorted((left, right) => (String(keyOf(left)) < String(keyOf(right)) ? -1 : 1));
}

describe("An order", () => {
  test("is right where it is the one that was asked for", async () => {
    expect(await failedRules(yard, harbour())).toEqual([]);
  });

  test.each(orders)("is blamed where %s is the other way round", async (turned) => {
    const response = harbour((sorted, order) => (order === turned ? sorted.toReversed() : sorted));
    expect(await failedRules(yard, response)).toEqual(["P002"]);
  });

  test("of numbers is blamed where it is that of their digits", async () => {
    const length = harbour((sorted, order) => (order === "length" ? byText(sorted, (one) => one.length) : sorted));
    expect(await failedRules(yard, length)).toEqual(["P002"]);
    const price = harbour((sorted, order) => (order === "price" ? byText(sorted, (one) => one.price.amount) : sorted));
    expect(await failedRules(yard, price)).toEqual(["P002"]);
  });
});
