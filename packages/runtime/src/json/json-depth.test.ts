import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endOfJsonString, isDeeperThan } from "./json-depth.ts";
import { resolvePointer } from "./json-pointer.ts";
import { countJsonValues } from "./json-values.ts";

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe("the depth of a JSON text", () => {
  it("is that of its arrays and objects, whatever its strings hold", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(6), (value, limit) => {
        expect(isDeeperThan(JSON.stringify(value), limit)).toBe(depthOf(value) > limit);
      }),
    );
  });

  it.each([
    ["[[[]]]", 2, true],
    ["[[[]]]", 3, false],
    ['{"a":{"b":{}}}', 2, true],
    ["[[],[],[]]", 2, false],
    ["[{},{},{}]", 1, true],
    ['["[[[[["]', 1, false],
    ['["\\"[[[[["]', 1, false],
    ['["\\\\",[[]]]', 2, true],
    ['["[[[[[', 1, false],
    ["[", 0, true],
    ["", 0, false],
  ])("of %s is more than %i: %s", (text, limit, isDeeper) => {
    expect(isDeeperThan(text, limit)).toBe(isDeeper);
  });

  it("is had of strings by where they end", () => {
    expect(endOfJsonString('"a"b"', 0)).toBe(2);
    expect(endOfJsonString('x"a\\"b"', 1)).toBe(6);
    expect(endOfJsonString('"a\\\\"b"', 0)).toBe(4);
    expect(endOfJsonString('"a', 0)).toBe(2);
    expect(endOfJsonString('""', 0)).toBe(1);
  });
});

it.each([
  ["1", 0],
  ["[]", 1],
  ["{}", 1],
  ["[1,2]", 2],
  ['{"a":[1,2],"b":{}}', 5],
  ['[",[{"]', 1],
  ['["\\",[{","a"]', 2],
])("the values of %s are counted by commas, lists and objects", (text, count) => {
  expect(countJsonValues(text)).toBe(count);
});

it.each<[string, unknown]>([
  ["", { a: [1, { "b/c": null, "~": 2, "~1": 3 }], "": 4 }],
  ["/a/0", 1],
  ["/a/1/b~1c", null],
  ["/a/1/~0", 2],
  ["/a/1/~01", 3],
  ["/", 4],
  ["/b", undefined],
  ["/a/2", undefined],
  ["/a/length/x", undefined],
  ["/a/1/b~1c/d", undefined],
  ["/a/0/toFixed", undefined],
  ["/toString", undefined],
])("the JSON Pointer %j leads to %j (RFC 6901)", (pointer, value) => {
  expect(resolvePointer({ a: [1, { "b/c": null, "~": 2, "~1": 3 }], "": 4 }, pointer)).toEqual(value);
});
