import { describe, expect, test } from "vitest";
import { findViolation } from "./value-matcher.ts";
import type { JsonValue, RecordMember, RecordNode, TypeNode } from "./read-model.ts";

/** Returns the pointer and message of the first violation. */
function findMismatch(
  ...given: Parameters<typeof findViolation>
): { readonly pointer: string; readonly problem: string } | undefined {
  const violation = findViolation(...given);
  return violation && { pointer: violation.pointer, problem: violation.message };
}

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
    ([name, type]): RecordMember => ({ name, type, required: true, access: "read-write", arguments: [], source }),
  );
  return { kind: "record", members: described, additional: any, patterns: [], source, ...rest };
}

function either(mode: "any-of" | "one-of", ...members: readonly TypeNode[]): TypeNode {
  return { kind: "union", mode, members, source };
}

describe("why a value is not of a type", () => {
  test.each<[JsonValue, TypeNode, string, string]>([
    [1, text, "", "must be a string"],
    ["a", text, "", "must have at least 2 characters"],
    ["abcd", text, "", "must have at most 3 characters"],
    ["bc", text, "", "must match the pattern ^a"],
    ["1", count, "", "must be an integer"],
    [0.5, count, "", "must be an integer"],
    [0, count, "", "must be at least 1"],
    [10, count, "", "must be at most 9"],
    [0.5, bounded, "", "must be at least 1"],
    [9.5, bounded, "", "must be at most 9"],
    [1.25, bounded, "", "must be a multiple of 0.5"],
    [0, within, "", "must be greater than 0"],
    [10, within, "", "must be less than 10"],
    [0, exclusive, "", "must be greater than 0"],
    [10, exclusive, "", "must be less than 10"],
    [9.25, exclusive, "", "must be a multiple of 0.5"],
    ["1", bounded, "", "must be a number"],
    ["c", { kind: "enumeration", values: ["a", "b"], source }, "", 'must be one of "a", "b"'],
    [[1, "x"], list, "/1", "must be an integer"],
    [[1, 1], list, "", "must not have equal items"],
    [[1, 2, 3], list, "", "must have at most 2 items"],
    [{}, record({ a: count }), "", 'must have the member "a"'],
    [{ a: { "b/c": 0 } }, record({ a: record({ "b/c": count }) }), "/a/b~1c", "must be at least 1"],
    [
      { a: 1, z: 1 },
      record({ a: count }, { additional: never }),
      "/z",
      "must not be there: the object has no such member",
    ],
    [{ a: 1 }, record({}, { maxProperties: 0 }), "", "must have at most 0 members"],
    [true, either("any-of", text, none), "", "must be a string or null"],
    [{ a: 0 }, either("any-of", record({ a: count }), none), "/a", "must be at least 1"],
    [{}, either("any-of", record({ a: count }), record({ b: count })), "", 'must have the member "a"'],
    [1, either("one-of", count, any), "", "must match exactly one of the alternatives"],
    [1, { kind: "not", type: count, source }, "", "must not be what is forbidden here"],
    [1, { kind: "unevaluated", base: text, members: never, source }, "", "must be a string"],
    [
      { a: 1 },
      { kind: "unevaluated", base: any, members: never, source },
      "/a",
      "must not be there: the object has no such member",
    ],
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
    ["the first of several that fails", 0, either("any-of", count), "", "must be at least 1"],
    [
      "a member of an intersection",
      0,
      { kind: "intersection", members: [any, count], source },
      "",
      "must be at least 1",
    ],
    [
      "too few that are contained",
      [null, "x"],
      holding(1),
      "",
      "must have at least 1 item of the kind that it contains",
    ],
    ["too few of several", [null, 1], holding(2), "", "must have at least 2 items of the kind that it contains"],
    ["a first element", [1, 1], holding(1), "/0", "must be null"],
    ["unevaluated elements", [1], closed(any), "", "must not have further items"],
    ["what a base says, where it fails", [1, 1, 1], closed(list), "", "must have at most 2 items"],
    ["what is not a list", {}, list, "", "must be an array"],
    [
      "two of three that match",
      1,
      either("one-of", count, none, any),
      "",
      "must match exactly one of the alternatives",
    ],
    ["what is not an object", [], record({}), "", "must be an object"],
    ["three kinds", true, either("any-of", text, none, count), "", "must be a string, a number or null"],
    ["one kind of two members", true, either("any-of", text, atLeast(1)), "", "must be a string"],
    ["a kind and a bound", 0, either("any-of", text, count), "", "must be at least 1"],
    ["two bounds", "a", either("any-of", atLeast(2), atLeast(3)), "", "must have at least 2 characters"],
    ["two bounds of oneOf", "a", either("one-of", atLeast(2), atLeast(3)), "", "must have at least 2 characters"],
    ["one place inside", { a: "x" }, either("one-of", record({ a: count }), none), "/a", "must be an integer"],
    ["an open member", { z: "x" }, record({}, { additional: count }), "/z", "must be an integer"],
    [
      "a member by pattern",
      { xa: "x" },
      record({}, { patterns: [{ pattern: "^x", type: count }] }),
      "/xa",
      "must be an integer",
    ],
    [
      "a member that no pattern names",
      { ya: 1 },
      record({}, { patterns: [{ pattern: "^x", type: none }], additional: never }),
      "/ya",
      "must not be there: the object has no such member",
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
      "must be at least 1",
    ],
    [
      "a condition that does not hold",
      0,
      { kind: "conditional", condition: never, consequence: count, alternative: text, source },
      "",
      "must be a string",
    ],
    ["a declaration", 0, reference("Count"), "", "must be at least 1"],
    ["a member through a declaration", { a: 0 }, record({ a: reference("Count") }), "/a", "must be at least 1"],
  ])("names %s", (_, value, type, pointer, problem) => {
    const declarations = [{ name: "Count", originalName: "Count", role: "value", type: count, implements: [], source }];
    expect(findMismatch(value, type, { declarations } as never)).toEqual({ pointer, problem });
  });

  test("passes by the bounds of an object that hold, and by members that are listed as required alone", () => {
    const bounded = record({}, { minProperties: 1, maxProperties: 3, names: { kind: "string", maxLength: 1, source } });
    expect(findMismatch({ ab: 1 }, bounded, model)?.problem).toBe("must have a name of the kind that is wanted");
    expect(findMismatch({ a: 1, b: 1, cd: 1 }, bounded, model)?.problem).toBe(
      "must have a name of the kind that is wanted",
    );
    const listed = record({}, { additional: count });
    const undescribed: RecordNode = {
      ...listed,
      members: [{ ...(record({ a: any }).members[0] as RecordMember), isUndescribed: true }],
    };
    expect(findMismatch({ a: "x" }, undescribed, model)).toEqual({ pointer: "/a", problem: "must be an integer" });
    const dependent = (property: string) => ({ property, type: record({ z: any }), keyword: "dependentSchemas" });
    const depending = record({}, { dependencies: [dependent("b"), dependent("a")] });
    expect(findMismatch({ a: 1 }, depending, model)?.problem).toBe('must have the member "z"');
  });

  test("looks into five hundred alternatives and no more", () => {
    const alternatives = (length: number) => either("any-of", ...Array.from({ length }, () => count));
    expect(findMismatch(0, alternatives(500), model)?.problem).toBe("must be at least 1");
    expect(findMismatch(0, alternatives(501), model)?.problem).toBe("must match one of the alternatives");
  });

  test("is nothing where it is", () => {
    expect(findMismatch(3, count, model)).toBeUndefined();
  });
});
