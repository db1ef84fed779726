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

  test("is nothing where it is", () => {
    expect(findMismatch(3, count, model)).toBeUndefined();
  });
});
