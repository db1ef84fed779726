import { describe, expect, test } from "vitest";
import { readRelation, type RelationOutcome } from "./relation-expression.ts";

async function evaluate(
  holds: string,
  response: unknown,
  call: (operation: string, input: unknown) => Promise<unknown> = async () => undefined,
): Promise<RelationOutcome> {
  const expression = readRelation({ holds });
  if ("problem" in expression) throw new Error(expression.problem);
  return expression.evaluate({ response, input: { height: 5 }, call });
}

describe("an expression of a relation", () => {
  test("holds where it is true, of lists each element, and tells nothing otherwise", async () => {
    expect(await evaluate("height = $input.height", { height: 5 })).toEqual({ kind: "holds" });
    expect(await evaluate("height = $input.height", { height: 6 })).toEqual({ kind: "broken" });
    expect(await evaluate("items.(a = 1)", { items: [{ a: 1 }, { a: 2 }] })).toEqual({ kind: "broken" });
    expect(await evaluate("items.(a = 1)", { items: [{ a: 1 }, { a: 1 }] })).toEqual({ kind: "holds" });
    for (const nothing of ["missing", "height", "items.(a = 1)", "null"]) {
      expect(await evaluate(nothing, { height: 5, items: [] }), nothing).toMatchObject({ kind: "unclear" });
    }
  });

  test("asks other operations, and passes on what these throw", async () => {
    const call = async (operation: string, input: unknown): Promise<unknown> => ({ operation, input });
    expect(await evaluate('$call("getBlock", {"hash": hash}).input.hash = hash', { hash: "ab" }, call)).toEqual({
      kind: "holds",
    });
    const failure = new Error("not there");
    const fail = async (): Promise<unknown> => {
      throw failure;
    };
    await expect(evaluate('$call("getBlock", {}) = 1', {}, fail)).rejects.toBe(failure);
  });

  test("compares long numbers whole and counts with them by sumOf alone", async () => {
    const response = { a: 9_007_199_254_740_993n, b: 9_007_199_254_740_992 };
    expect(await evaluate("a = b", response)).toEqual({ kind: "broken" });
    expect(await evaluate("$sumOf([b, 1]) = a", response)).toEqual({ kind: "holds" });
    expect(await evaluate("a + 1 = 2", response)).toMatchObject({ kind: "unclear" });
  });

  test("comes to an end", async () => {
    expect(await evaluate("($f := function($n) { 1 + $f($n + 1) }; $f(1) = 1)", {})).toMatchObject({ kind: "unclear" });
    const call = async (): Promise<unknown> => 1;
    expect(await evaluate('$count([1..100].$call("getBlock", {})) = 100', {}, call)).toMatchObject({ kind: "unclear" });
  });

  test("is a mistake of the description when it can't be read", () => {
    expect(readRelation({ holds: "height = (" })).toHaveProperty("problem");
    expect(readRelation({ holds: `$call('a', {}) = $call("b", {})` })).toMatchObject({ called: ["a", "b"] });
  });
});
