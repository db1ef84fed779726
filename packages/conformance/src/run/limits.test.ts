import { describe, expect, test } from "vitest";
import { protocolOperation } from "../contract/planned-case.ts";
import { limitsOf } from "./limits.ts";

function limits(operations: number, maxCallsPerOperation?: number): ReturnType<typeof limitsOf> {
  const shared = Array.from({ length: operations }, (_, index) => ({
    name: `get${index}`,
    weight: 1,
    least: 20,
    most: 60,
  }));
  return limitsOf({ protocol: "http" }, { maxCallsPerOperation }, shared);
}

test.each([
  [1, 60],
  [2, 60],
  [4, 43],
  [8, 21],
  [1_200, 20],
])("of %i operations each is called at most %i times", (operations, calls) => {
  expect(limits(operations).callsOf("get0")).toBe(calls);
});

test.each([1, 3, 5, 8])("a document of %i operations is called at most 210 times", (operations) => {
  const { callsOf } = limits(operations);
  expect(operations * callsOf("get0") + callsOf(protocolOperation)).toBeLessThanOrEqual(210);
});

test("operations have calls by their weight, within what each has at least and at most", () => {
  const { callsOf } = limitsOf({ protocol: "graphql" }, {}, [
    { name: "Query.blocks", weight: 2, least: 14, most: 34 },
    ...["a", "b", "c"].map((name) => ({ name, weight: 1, least: 5, most: 20 })),
  ]);
  expect([callsOf("Query.blocks"), callsOf("a"), callsOf(protocolOperation)]).toEqual([34, 19, 82]);
});

describe("options", () => {
  test("count", () => {
    expect(limits(8, 5).callsOf("get0")).toBe(5);
    expect(limits(8, 5).maximumCalls).toBe(5);
    expect(limits(8, 5).spareCalls(1, 40)).toBe(0);
  });
});

test("what operations leave over is for those that have more to call for", () => {
  const { spareCalls } = limits(8);
  expect(spareCalls(2, 152)).toBe(20);
  expect(spareCalls(3, 200)).toBe(0);
  expect(spareCalls(0, 100)).toBe(0);
});
