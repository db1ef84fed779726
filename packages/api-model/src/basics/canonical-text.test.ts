import { assert, jsonValue, property } from "fast-check";
import { expect, test } from "vitest";
import { canonicalText } from "./canonical-text.ts";
import { isRecord } from "./is-record.ts";
import type { JsonValue } from "../model/type-node.ts";

test.each<[JsonValue, JsonValue, boolean]>([
  [1.0, 1, true],
  [-0, 0, true],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [[{ a: [1, { c: null, d: "" }] }], [{ a: [1, { d: "", c: null }] }], true],
  [1, "1", false],
  [1, true, false],
  [0, false, false],
  [[1, 2], [2, 1], false],
  [{ a: 1 }, { a: 1, b: null }, false],
  ["[]", [], false],
  [{ "a,b": 1 }, { a: 1, b: 1 }, false],
])("%j and %j share a text where JSON Schema calls them equal: %s", (left, right, isEqual) => {
  expect(canonicalText(left) === canonicalText(right)).toBe(isEqual);
});

test("what is read back from the text has the same text", () => {
  assert(
    property(jsonValue(), (value) => {
      const text = canonicalText(value as JsonValue);
      expect(canonicalText(JSON.parse(text) as JsonValue)).toBe(text);
    }),
  );
});

test.each<[JsonValue, string]>([
  [null, "null"],
  [true, "true"],
  [-0, "0"],
  ['"', '"\\""'],
  [[], "[]"],
  [{}, "{}"],
  [[1, [null, "a"]], '[1,[null,"a"]]'],
  [{ b: [2], a: { d: 1, c: 0 }, '"': 1 }, '{"\\"":1,"a":{"c":0,"d":1},"b":[2]}'],
])("%j has its JSON as text, names sorted", (value, text) => {
  expect(canonicalText(value)).toBe(text);
});

test("lists, objects and all else are distinguished", () => {
  const values: readonly JsonValue[] = [null, true, 1, "[]", [], [1], {}, { length: 0 }];
  expect(values.filter(Array.isArray)).toEqual([[], [1]]);
  expect(values.filter(isRecord)).toEqual([{}, { length: 0 }]);
});
