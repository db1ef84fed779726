import { expect, test } from "vitest";
import { limitsOf } from "./limits.ts";
import { httpOperation, httpSuite, integer } from "./testing/suites.ts";

function limits(operations: number, maxCallsPerOperation?: number): ReturnType<typeof limitsOf> {
  const suite = httpSuite(
    Array.from({ length: operations }, (_, index) => httpOperation(`get${index}`, `/${index}`, integer)),
  );
  return limitsOf(suite, { baseUrl: "", maxCallsPerOperation });
}

test.each([
  [1, 60],
  [4, 60],
  [5, 54],
  [8, 33],
  [9, 30],
  [1_200, 30],
])("of %i operations each is called at most %i times", (operations, calls) => {
  expect(limits(operations).callsPerOperation).toBe(calls);
});

test.each([1, 3, 5, 8])("a document of %i operations is asked at most 300 times", (operations) => {
  const { callsPerOperation, protocolCalls } = limits(operations);
  expect(operations * callsPerOperation + protocolCalls).toBeLessThanOrEqual(300);
});

test("what the options say counts", () => {
  expect(limits(8, 5)).toMatchObject({ callsPerOperation: 5, mostCalls: 5 });
});

test("what operations leave over is for those that have more to ask, up to the most of one", () => {
  const { spareCalls } = limits(8);
  expect(spareCalls(2, 245)).toBe(20);
  expect(spareCalls(1, 100)).toBe(27);
  expect(spareCalls(3, 300)).toBe(0);
  expect(spareCalls(0, 100)).toBe(0);
  expect(limits(8, 5).spareCalls(1, 40)).toBe(0);
});
