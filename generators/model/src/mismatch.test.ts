import { describe, expect, test } from "vitest";
import { findMismatch } from "./mismatch.ts";
import type { JsonValue, RecordField, RecordNode, TypeNode } from "./type-node.ts";

const source = { file: "x.yaml", line: 1, column: 1, start: 0, end: 0, pointer: "" };
const model = { declarations: [] };
const any: TypeNode = { kind: "any", source };
const never: TypeNode = { kind: "never", source };
const text: TypeNode = { kind: "string", minLength: 2, maxLength: 3, pattern: "^a", source };
const count: TypeNode = { kind: "number", integer: true, representation: "number", minimum: 1, maximum: 9, source };
const none: TypeNode = { kind: "null", source };
const bounded: TypeNode = {
  kind: "number",
  integer: false,
  representation: "number",
  minimum: 1,
  maximum: 9,
  exclusiveMinimum: 0,
  exclusiveMaximum: 10,
  multipleOf: 0.5,
  source,
};
const within: TypeNode = { ...bounded, minimum: 0, maximum: 10 };
const { minimum: _minimum, maximum: _maximum, ...exclusive } = bounded;
const list: TypeNode = { kind: "list", prefix: [], element: count, maxItems: 2, uniqueItems: true, source };

function record(fields: Readonly<Record<string, TypeNode>>, rest: Partial<RecordNode> = {}): RecordNode {
  const described = Object.entries(fields).map(
    ([name, type]): RecordField => ({ name, type, required: true, access: "read-write", arguments: [], source }),
  );
  return { kind: "record", fields: described, additional: any, patterns: [], source, ...rest };
}

function either(mode: "any-of" | "one-of", ...members: readonly TypeNode[]): TypeNode {
  return { kind: "union", mode, members, source };
}

describe("why a value is not of a type", () => {
  test.each<[JsonValue, TypeNode, string, string]>([
    [1, text, "", "must be string"],
    ["a", text, "", "must NOT have fewer than 2 characters"],
    ["abcd", text, "", "must NOT have more than 3 characters"],
    ["bc", text, "", 'must match pattern "^a"'],
    ["1", count, "", "must be integer"],
    [0.5, count, "", "must be integer"],
    [0, count, "", "must be >= 1"],
    [10, count, "", "must be <= 9"],
    [0.5, bounded, "", "must be >= 1"],
    [9.5, bounded, "", "must be <= 9"],
    [1.25, bounded, "", "must be multiple of 0.5"],
    [0, within, "", "must be > 0"],
    [10, within, "", "must be < 10"],
    [0, exclusive, "", "must be > 0"],
    [10, exclusive, "", "must be < 10"],
    [9.25, exclusive, "", "must be multiple of 0.5"],
    ["1", bounded, "", "must be number"],
    ["c", { kind: "enumeration", values: ["a", "b"], source }, "", 'must be one of "a", "b"'],
    [[1, "x"], list, "/1", "must be integer"],
    [[1, 1], list, "", "must NOT have duplicate items"],
    [[1, 2, 3], list, "", "must NOT have more than 2 items"],
    [{}, record({ a: count }), "", 'must have required property "a"'],
    [{ a: { "b/c": 0 } }, record({ a: record({ "b/c": count }) }), "/a/b~1c", "must be >= 1"],
    [{ a: 1, z: 1 }, record({ a: count }, { additional: never }), "", 'must NOT have additional properties: "z"'],
    [{ a: 1 }, record({}, { maxProperties: 0 }), "", "must NOT have more than 0 properties"],
    [true, either("any-of", text, none), "", "must be string or null"],
    [{ a: 0 }, either("any-of", record({ a: count }), none), "/a", "must be >= 1"],
    [{}, either("any-of", record({ a: count }), record({ b: count })), "", "must match a schema in anyOf"],
    [1, either("one-of", count, any), "", "must match exactly one schema in oneOf"],
    [1, { kind: "not", type: count, source }, "", "must NOT be valid"],
    [1, { kind: "unevaluated", base: text, members: never, source }, "", "must be string"],
    [{ a: 1 }, { kind: "unevaluated", base: any, members: never, source }, "", "must NOT have unevaluated properties"],
  ])("%j: at the first place that differs", (value, type, pointer, problem) => {
    expect(findMismatch(value, type, model)).toEqual({ pointer, problem });
  });

  const reference = (target: string): TypeNode => ({ kind: "reference", target, source });
  const closed = (base: TypeNode): TypeNode => ({ kind: "unevaluated", base, members: never, elements: never, source });
  const holding = (minimum: number): TypeNode => ({
    kind: "list",
    prefix: [none],
    element: any,
    contains: { type: count, minimum },
    source,
  });
  const atLeast = (length: number): TypeNode => ({ kind: "string", minLength: length, source });

  test.each<[string, JsonValue, TypeNode, string, string]>([
    ["no value at all", 1, never, "", "must not be there: no value is allowed"],
    ["the first of several that fails", 0, either("any-of", count), "", "must be >= 1"],
    ["a member of an intersection", 0, { kind: "intersection", members: [any, count], source }, "", "must be >= 1"],
    ["too few that are contained", [null, "x"], holding(1), "", "must contain at least 1 valid item(s)"],
    ["too few of several", [null, 1], holding(2), "", "must contain at least 2 valid item(s)"],
    ["a first element", [1, 1], holding(1), "/0", "must be null"],
    ["unevaluated elements", [1], closed(any), "", "must NOT have unevaluated items"],
    ["what a base says, where it fails", [1, 1, 1], closed(list), "", "must NOT have more than 2 items"],
    ["what is not a list", {}, list, "", "must be array"],
    ["two of three that match", 1, either("one-of", count, none, any), "", "must match exactly one schema in oneOf"],
    ["what is not an object", [], record({}), "", "must be object"],
    ["three kinds", true, either("any-of", text, none, count), "", "must be string or null or integer"],
    ["one kind of two members", true, either("any-of", text, atLeast(1)), "", "must be string"],
    ["a kind and a bound", 0, either("any-of", text, count), "", "must be >= 1"],
    ["two bounds", "a", either("any-of", atLeast(2), atLeast(3)), "", "must match a schema in anyOf"],
    ["two bounds of oneOf", "a", either("one-of", atLeast(2), atLeast(3)), "", "must match a schema in oneOf"],
    ["one place inside", { a: "x" }, either("one-of", record({ a: count }), none), "/a", "must be integer"],
    ["an open member", { z: "x" }, record({}, { additional: count }), "/z", "must be integer"],
    [
      "a member by pattern",
      { xa: "x" },
      record({}, { patterns: [{ pattern: "^x", type: count }] }),
      "/xa",
      "must be integer",
    ],
    [
      "a member that no pattern names",
      { ya: 1 },
      record({}, { patterns: [{ pattern: "^x", type: none }], additional: never }),
      "",
      'must NOT have additional properties: "ya"',
    ],
    [
      "a member by name and by pattern",
      { xa: 1 },
      record({ xa: count }, { patterns: [{ pattern: "^x", type: none }], additional: never }),
      "/xa",
      "must be null",
    ],
    [
      "a condition that holds",
      0,
      { kind: "conditional", condition: any, consequence: count, alternative: text, source },
      "",
      "must be >= 1",
    ],
    [
      "a condition that does not hold",
      0,
      { kind: "conditional", condition: never, consequence: count, alternative: text, source },
      "",
      "must be string",
    ],
    ["a declaration", 0, reference("Count"), "", "must be >= 1"],
    ["a member through a declaration", { a: 0 }, record({ a: reference("Count") }), "/a", "must be >= 1"],
  ])("names %s", (_, value, type, pointer, problem) => {
    const declarations = [{ name: "Count", originalName: "Count", role: "value", type: count, implements: [], source }];
    expect(findMismatch(value, type, { declarations } as never)).toEqual({ pointer, problem });
  });

  test("passes by the bounds of an object that hold, and by members that are listed as required alone", () => {
    const bounded = record({}, { minProperties: 1, maxProperties: 3, names: { kind: "string", maxLength: 1, source } });
    expect(findMismatch({ ab: 1 }, bounded, model)?.problem).toBe("property name must be valid");
    expect(findMismatch({ a: 1, b: 1, cd: 1 }, bounded, model)?.problem).toBe("property name must be valid");
    const listed = record({}, { additional: count });
    const undescribed: RecordNode = {
      ...listed,
      fields: [{ ...(record({ a: any }).fields[0] as RecordField), isUndescribed: true }],
    };
    expect(findMismatch({ a: "x" }, undescribed, model)).toEqual({ pointer: "/a", problem: "must be integer" });
    const dependent = (property: string) => ({ property, type: record({ z: any }), keyword: "dependentSchemas" });
    const depending = record({}, { dependencies: [dependent("b"), dependent("a")] });
    expect(findMismatch({ a: 1 }, depending, model)?.problem).toBe('must have required property "z"');
  });

  test("looks into a thousand alternatives and no more", () => {
    const alternatives = (length: number) => either("any-of", ...Array.from({ length }, () => none), count);
    expect(findMismatch(0, alternatives(999), model)?.problem).toBe("must be >= 1");
    expect(findMismatch(0, alternatives(1000), model)?.problem).toBe("must match a schema in anyOf");
  });

  test("is nothing where it is", () => {
    expect(findMismatch(3, count, model)).toBeUndefined();
  });
});
