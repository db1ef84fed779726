import { describe, expect, it } from "vitest";
import { responseLength } from "./response-length.ts";

describe("the length of a node's result", () => {
  it.each([
    ["0x1234", 6],
    [null, 1],
    [12, 1],
    [[], 1],
    [{}, 1],
    [["ab", "c"], 4],
    [{ name: "ab", list: [true, { a: null }] }, 1 + 4 + 2 + 4 + 1 + 1 + 1 + 1 + 1],
  ])("of %j is %i", (value, length) => {
    expect(responseLength(value)).toBe(length);
  });

  it("is found for values that nest more deeply than a stack", () => {
    let nested: unknown = "x";
    for (let depth = 0; depth < 100_000; depth += 1) nested = depth % 2 === 0 ? [nested] : { n: nested };
    expect(responseLength(nested)).toBe(150_001);
  });
});
