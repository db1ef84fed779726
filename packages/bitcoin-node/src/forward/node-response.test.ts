import { describe, expect, it } from "vitest";
import {
  findAmount,
  findBoolean,
  findInteger,
  findNumber,
  findProse,
  findText,
  getList,
  getRecord,
  getText,
  isRecord,
  listTexts,
  listWarnings,
  present,
  unreadableResult,
} from "./node-response.ts";

/** One value of each JSON type, and JavaScript's additional ones. */
const values = {
  text: "a",
  empty: "",
  integer: 7,
  fraction: 1.5,
  huge: 2 ** 53,
  infinite: Number.POSITIVE_INFINITY,
  true: true,
  list: ["a", 7, "b"],
  none: [],
  object: { a: 1 },
  null: null,
  undefined,
} as const;

/** Returns the result of a reader for each of the values, except for those without one. */
function readAll(read: (value: unknown) => unknown): Readonly<Record<string, unknown>> {
  const entries = Object.entries(values).map(([name, value]) => [name, read(value)] as const);
  return Object.fromEntries(entries.filter(([, found]) => found !== undefined));
}

describe("what is read of a node's answer", () => {
  it.each<[name: string, read: (value: unknown) => unknown, found: Readonly<Record<string, unknown>>]>([
    ["text", findText, { text: "a", empty: "" }],
    ["prose", findProse, { text: "a" }],
    ["boolean", findBoolean, { true: true }],
    ["number", findNumber, { integer: 7, fraction: 1.5, huge: 2 ** 53 }],
    ["integer", (value) => findInteger(value), { integer: 7 }],
    ["amount", findAmount, { integer: 700_000_000n, fraction: 150_000_000n, huge: 2n ** 53n * 100_000_000n }],
    ["record", (value) => (isRecord(value) ? value : undefined), { object: { a: 1 } }],
  ])("may be %s", (_name, read, found) => expect(readAll(read)).toEqual(found));

  it.each([
    [0, undefined, undefined, 0],
    [-1, undefined, undefined, undefined],
    [Number.MAX_SAFE_INTEGER, undefined, undefined, Number.MAX_SAFE_INTEGER],
    [-5, -5, 5, -5],
    [5, -5, 5, 5],
    [-6, -5, 5, undefined],
    [6, -5, 5, undefined],
  ])("is %s an integer from %s to %s: %s", (value, minimum, maximum, found) => {
    expect(findInteger(value, minimum, maximum)).toBe(found);
  });

  it("has to be what its method is known to give", () => {
    const refusal = unreadableResult("ping");
    expect(refusal).toMatchObject({
      code: "upstream_unavailable",
      message: "The node's response to ping can't be read",
    });
    const read = (get: (value: unknown, method: string) => unknown) =>
      readAll((value) => {
        try {
          return get(value, "ping");
        } catch (error) {
          expect(error).toEqual(refusal);
          return undefined;
        }
      });
    expect(read(getText)).toEqual({ text: "a", empty: "" });
    expect(read(getRecord)).toEqual({ object: { a: 1 } });
    // Go writes null for an empty list.
    expect(read(getList)).toEqual({ list: ["a", 7, "b"], none: [], null: [] });
  });

  it("has texts in lists, and one alone in older nodes", () => {
    expect(listTexts(["a", 7, "", "b"])).toEqual(["a", "", "b"]);
    expect(["a", "", 7, null].map(listTexts)).toEqual([["a"], [], [], []]);
  });

  it("has twenty warnings at most, as callers may see them", () => {
    const warnings = Array.from({ length: 21 }, (_, index) => `${index} at /srv/blocks`);
    expect(listWarnings(warnings)).toEqual(warnings.slice(0, 20).map((text) => text.replace("/srv/blocks", "(path)")));
  });

  it("is reported without what has no value", () => {
    expect(Object.entries(present({ a: undefined, b: null, c: 0, d: "" }))).toEqual([
      ["b", null],
      ["c", 0],
      ["d", ""],
    ]);
  });
});
