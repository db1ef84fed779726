import { describe, expect, test } from "vitest";
import type { ApiModel } from "./operation.ts";
import type { JsonValue, NumberNode, TypeNode } from "./type-node.ts";
import { isOfType, spellsType } from "./value-matcher.ts";

const source = { file: "x.yaml", line: 1, column: 1, start: 0, end: 0, pointer: "" };
const hash: TypeNode = { kind: "string", pattern: "^[0-9a-f]{4}$", source };
const height: NumberNode = { kind: "number", integer: true, representation: "number", minimum: 0, maximum: 10, source };

const model: ApiModel = {
  name: "test",
  protocol: "http",
  title: "Test",
  version: "1",
  document: "test.yaml",
  declarations: [{ name: "Hash", originalName: "Hash", role: "value", type: hash, implements: [], source }],
  operations: [],
  documents: [],
  security: [],
};

const reference: TypeNode = { kind: "reference", target: "Hash", source };

describe("isOfType", () => {
  const block: TypeNode = {
    kind: "record",
    fields: [
      { name: "hash", type: reference, required: true, access: "read-write", arguments: [], source },
      { name: "height", type: height, required: false, access: "read-write", arguments: [], source },
    ],
    additional: { kind: "never", source },
    patterns: [{ pattern: "^x-", type: { kind: "boolean", source } }],
    source,
  };
  const either = (mode: "any-of" | "one-of"): TypeNode => ({
    kind: "union",
    mode,
    members: [height, { ...height, minimum: 5, maximum: 20 }],
    source,
  });

  test.each<[string, TypeNode, readonly JsonValue[], readonly JsonValue[]]>([
    ["a text", hash, ["00ff"], ["00f", "00FF", "", 1, null]],
    ["a text by reference", reference, ["00ff"], ["x"]],
    ["a number", height, [0, 10, -0], [-1, 11, 0.5, "1", true]],
    [
      "a nullable number",
      { kind: "union", mode: "any-of", members: [height, { kind: "null", source }], source },
      [null, 3],
      ["", []],
    ],
    ["one of two", either("one-of"), [0, 15], [7, 21]],
    ["any of two", either("any-of"), [0, 7, 15], [21]],
    ["a choice", { kind: "enumeration", values: ["a", 1], source }, ["a", 1], ["1", "b"]],
    [
      "a list",
      { kind: "list", prefix: [height], element: hash, minItems: 1, maxItems: 2, uniqueItems: true, source },
      [[1], [1, "00ff"]],
      [[], ["00ff"], [1, "00ff", "00fe"], {}],
    ],
    [
      "a record",
      block,
      [{ hash: "00ff" }, { hash: "00ff", height: 1, "x-new": true }],
      [{}, { hash: 1 }, { hash: "00ff", y: 1 }, { hash: "00ff", "x-new": 1 }, []],
    ],
  ])("of %s", (_, type, good, bad) => {
    for (const value of good) expect([value, isOfType(value, type, model)]).toEqual([value, true]);
    for (const value of bad) expect([value, isOfType(value, type, model)]).toEqual([value, false]);
  });
});

test("a text spells a number or a boolean only where the type has them", () => {
  expect(spellsType("7", height, model)).toBe(true);
  expect(spellsType("7a", height, model)).toBe(false);
  expect(spellsType("true", { kind: "boolean", source }, model)).toBe(true);
  expect(spellsType("7", hash, model)).toBe(false);
  expect(spellsType("0007", reference, model)).toBe(true);
});
