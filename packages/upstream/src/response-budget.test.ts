import { describe, expect, it } from "vitest";
import { ResponseBudget, TooManyResponses } from "./response-budget.ts";

describe("the memory of outstanding responses", () => {
  it("is bounded by giving up the largest, whichever grows", () => {
    const given: string[] = [];
    const budget = new ResponseBudget(1_000);
    const acquire = (name: string) =>
      budget.acquire((reason) => {
        expect(reason).toBeInstanceOf(TooManyResponses);
        given.push(name);
      });
    const [small, large] = [acquire("small"), acquire("large")];
    large.grow(700, 0);
    small.grow(200, 0);
    small.grow(150, 0);
    expect([given, budget.bytes]).toEqual([["large"], 350]);
    // What still comes of it counts for nothing.
    large.grow(700, 0);
    large.release();
    expect(budget.bytes).toBe(350);
    const other = acquire("other");
    expect(() => other.grow(900, 0)).toThrow(TooManyResponses);
    expect([given, budget.bytes]).toEqual([["large"], 350]);
    small.release();
    expect(budget.bytes).toBe(0);
  });

  it("counts values beside the bytes of their text", () => {
    const budget = new ResponseBudget(10_000);
    budget.acquire(() => undefined).grow(100, 10);
    expect(budget.bytes).toBeGreaterThan(500);
  });
});
