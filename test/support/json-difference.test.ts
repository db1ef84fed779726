import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonDifferences } from "./json-difference.ts";

describe("jsonDifferences", () => {
  test("finds none between a value and itself, and some between values that JSON writes differently", () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(value, (one) => {
        expect(jsonDifferences(one, structuredClone(one))).toEqual([]);
      }),
    );
    fc.assert(
      fc.property(value, value, (one, other) => {
        const areEqual = canonical(one) === canonical(other);
        expect(jsonDifferences(one, other).length === 0).toBe(areEqual);
      }),
    );
  });

  test("names the places", () => {
    const expected = {
      tx: [
        { id: "a", fee: 1 },
        { id: "b", fee: 2 },
      ],
      "a/b": 1,
    };
    const actual = { tx: [{ id: "a", fee: 1 }, { id: "c" }], extra: true };
    expect(jsonDifferences(expected, actual)).toEqual([
      '/tx/1/id is "c" instead of "b"',
      "/tx/1/fee is missing instead of 2",
      "/a~1b is missing instead of 1",
      "/extra is true and should not be there",
    ]);
  });

  test("takes a number for the same whatever holds it", () => {
    expect(jsonDifferences({ value: 5 }, { value: 5n })).toEqual([]);
    expect(jsonDifferences(2 ** 53, 2n ** 53n + 1n)).toHaveLength(1);
    expect(jsonDifferences(5, "5")).toEqual(['the value is "5" instead of 5']);
  });

  test("counts what it does not name", () => {
    expect(jsonDifferences([1, 2, 3, 4, 5, 6, 7], [0, 0, 0, 0, 0, 0, 0]).at(-1)).toBe("2 more differences");
  });
});

function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}
