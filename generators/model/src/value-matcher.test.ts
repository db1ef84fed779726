import { describe, expect, test } from "vitest";
import type { ApiModel } from "./read-model.ts";
import type { JsonValue, NumberNode, RecordMember, RecordNode, TypeNode } from "./read-model.ts";
import { findViolation, isOfType, spellsType } from "./value-matcher.ts";

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
    members: [
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

  const any: TypeNode = { kind: "any", source };
  const open: RecordNode = { kind: "record", members: [], additional: any, patterns: [], source };
  const field = (name: string, type: TypeNode): RecordMember => ({
    name,
    type,
    required: true,
    access: "read-write",
    arguments: [],
    source,
  });

  test.each<[string, TypeNode, readonly JsonValue[], readonly JsonValue[]]>([
    ["a text", hash, ["00ff"], ["00f", "00FF", "", 1, null]],
    ["a text by reference", reference, ["00ff"], ["x", null, 1, true, [], {}]],
    ["a number", height, [0, 10, -0], [-1, 11, 0.5, "1", true]],
    [
      "a nullable number",
      { kind: "union", mode: "any-of", members: [height, { kind: "null", source }], source },
      [null, 3],
      ["", []],
    ],
    ["one of two", either("one-of"), [0, 15], [7, 21]],
    ["any of two", either("any-of"), [0, 7, 15], [21]],
    ["what is no text", { kind: "not", type: hash, source }, ["x", 1], ["00ff"]],
    [
      "a text with conditions",
      { kind: "conditional", condition: hash, consequence: { kind: "never", source }, alternative: height, source },
      [3],
      ["00ff", "x", 11],
    ],
    ["numbers, where they are", { ...height, isKindImplied: true }, [3, "x", null, []], [-1, 0.5]],
    ["multiples", { ...height, integer: false, multipleOf: 0.0001 }, [0.0075, 3], [0.00751]],
    [
      "a choice of structures",
      { kind: "enumeration", values: [{ a: 1, b: [null] }], source },
      [{ b: [null], a: 1 }],
      [{}],
    ],
    [
      "a list that holds some",
      { kind: "list", prefix: [], element: any, contains: { type: hash, minimum: 1, maximum: 2 }, source },
      [["00ff"], [1, "00ff", "00ff"]],
      [[], [1], ["00ff", "00ff", "00ff"]],
    ],
    [
      "a list without repetitions",
      { kind: "list", prefix: [], element: any, uniqueItems: true, source },
      [
        [1, "1", true, null],
        [{ a: 1 }, { a: 2 }],
      ],
      [
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      ],
    ],
    [
      "a record whose names and dependencies count",
      {
        ...open,
        names: { kind: "string", maxLength: 9, source },
        dependencies: [
          { property: "card", type: { ...open, members: [field("address", hash)] }, keyword: "dependentSchemas" },
        ],
      },
      [{}, { address: 1 }, { card: 1, address: "00ff" }],
      [{ card: 1 }, { abcdefghij: 1 }, { card: 1, address: "x" }],
    ],
    [
      "a record that requires a name which it does not describe",
      { ...open, additional: height, members: [{ ...field("a", any), isUndescribed: true }] },
      [{ a: 1 }],
      [{}, { a: "x" }],
    ],
    [
      "a record with the names of its prototype",
      { ...open, members: [field("__proto__", hash), { ...field("toString", hash), required: false }] },
      [JSON.parse('{"__proto__": "00ff"}') as JsonValue],
      [{}, JSON.parse('{"__proto__": 1}') as JsonValue],
    ],
    ["nothing at all", { kind: "never", source }, [], [1, null, {}]],
    [
      "any number that two bounds of one-of share",
      { kind: "union", mode: "one-of", members: [height, height, { ...height, minimum: 5, maximum: 20 }], source },
      [15],
      [0, 7, 21],
    ],
    [
      "a list with none of a type",
      { kind: "list", prefix: [], element: any, contains: { type: hash, minimum: 0, maximum: 0 }, source },
      [[], [1]],
      [["00ff"]],
    ],
    [
      "a record with members of several patterns",
      {
        ...open,
        members: [{ ...field("ab", any), required: false }],
        additional: hash,
        patterns: [
          { pattern: "^a", type: height },
          { pattern: "b$", type: { ...height, minimum: 5 } },
        ],
      },
      [{}, { ab: 7 }, { a: 1, b: 7, c: "00ff" }],
      [{ ab: 1 }, { ab: 11 }, { a: "00ff" }, { b: 1 }, { c: 1 }],
    ],
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

describe("what a base did not look at", () => {
  const never: TypeNode = { kind: "never", source };
  const any: TypeNode = { kind: "any", source };
  const record = (...names: readonly string[]): RecordNode => ({
    kind: "record",
    members: names.map(required),
    additional: any,
    patterns: [],
    source,
  });
  const required = (name: string): RecordMember => ({
    name,
    type: hash,
    required: true,
    access: "read-write",
    arguments: [],
    source,
  });
  const optional = (...names: readonly string[]) => names.map((name) => ({ ...required(name), required: false }));
  const closed = (base: TypeNode): TypeNode => ({ kind: "unevaluated", base, members: never, elements: never, source });

  test.each<[string, TypeNode, readonly JsonValue[], readonly JsonValue[]]>([
    ["one record", closed(record("a")), [{ a: "00ff" }], [{ a: "00ff", b: 1 }]],
    [
      "all of an intersection, through references and conditions",
      closed({
        kind: "intersection",
        members: [
          record("a"),
          { kind: "conditional", condition: record("b"), consequence: record("c"), alternative: any, source },
        ],
        source,
      }),
      [{ a: "00ff" }, { a: "00ff", b: "00ff", c: "00ff" }],
      [
        { a: "00ff", c: "00ff" },
        { a: "00ff", b: "00ff" },
      ],
    ],
    [
      "the alternatives that match",
      closed({ kind: "union", mode: "any-of", members: [record("a"), record("b")], source }),
      [{ a: "00ff" }, { a: "00ff", b: "00ff" }],
      [{ a: "00ff", b: 1 }],
    ],
    [
      "nothing under a not",
      closed({ kind: "not", type: { kind: "not", type: record("a"), source }, source }),
      [],
      [{ a: "00ff" }],
    ],
    [
      "members that a pattern names",
      closed({ ...record("a"), patterns: [{ pattern: "^x", type: any }] }),
      [{ a: "00ff" }, { a: "00ff", x1: 1, x2: 2 }],
      [{ a: "00ff", x1: 1, y: 1 }],
    ],
    [
      "what depends on a member, where that is there",
      closed({
        ...record(),
        members: optional("a", "z"),
        dependencies: [{ property: "a", type: record("b"), keyword: "dependentSchemas" }],
      }),
      [{}, { z: "00ff" }, { a: "00ff", b: "00ff" }],
      [{ b: "00ff" }, { a: "00ff", b: "00ff", c: 1 }],
    ],
    [
      "a member that is required alone",
      closed({ ...record(), members: [{ ...required("a"), isUndescribed: true }] }),
      [],
      [{ a: "00ff" }],
    ],
    [
      "the condition and what follows from it",
      closed({
        kind: "conditional",
        condition: record("a"),
        consequence: record("b"),
        alternative: record("c"),
        source,
      }),
      [{ a: "00ff", b: "00ff" }, { c: "00ff" }],
      [{ a: "00ff", b: "00ff", c: "00ff" }],
    ],
    [
      "exactly one alternative",
      closed({ kind: "union", mode: "one-of", members: [record("a"), record("b")], source }),
      [{ a: "00ff" }],
      [{ a: "00ff", b: "00ff" }],
    ],
    [
      "a list whose elements are all described",
      closed({ kind: "list", prefix: [], element: any, evaluatesAll: true, source }),
      [[], [1, 2]],
      [],
    ],
    ["nothing of a list", closed(any), [[], {}, 1, "x", null], [[1], { a: 1 }]],
    [
      "elements that an inner one looked at",
      closed({ kind: "unevaluated", base: any, elements: any, source }),
      [[1, 2], {}],
      [{ a: 1 }],
    ],
    [
      "what the base of an inner one describes",
      closed({ kind: "unevaluated", base: record("a"), elements: any, source }),
      [{ a: "00ff" }],
      [{ a: "00ff", b: 1 }],
    ],
    [
      "members that an inner one looked at",
      closed({ kind: "unevaluated", base: any, members: any, source }),
      [{ a: 1 }, []],
      [[1]],
    ],
    [
      "members of some type",
      { kind: "unevaluated", base: record("a"), members: height, source },
      [{ a: "00ff" }, { a: "00ff", b: 1, c: 2 }],
      [{ a: "00ff", b: 11 }, { b: 1 }],
    ],
    [
      "elements of some type",
      { kind: "unevaluated", base: { kind: "list", prefix: [hash], element: any, source }, elements: height, source },
      [["00ff"], ["00ff", 1, 2], []],
      [["00ff", 11], ["00ff", 1, "00ff"], [1]],
    ],
    ["what is looked at on purpose", closed({ ...record(), evaluatesAll: true }), [{ z: 1 }], []],
    ["what an inner one looked at", closed({ kind: "unevaluated", base: any, members: any, source }), [{ z: 1 }], []],
    [
      "first elements and those that are contained",
      closed({
        kind: "list",
        prefix: [any],
        element: any,
        contains: { type: hash, minimum: 0 },
        source,
      }),
      [[], [1], [1, "00ff"]],
      [
        [1, 2],
        [1, "00ff", 2],
      ],
    ],
  ])("is left over beside %s", (_, type, good, bad) => {
    for (const value of good) expect([value, isOfType(value, type, model)]).toEqual([value, true]);
    for (const value of bad) expect([value, isOfType(value, type, model)]).toEqual([value, false]);
  });
});

test("a deep value is checked against alternatives that refer to each other in a time that its depth allows", () => {
  const tree: TypeNode = { kind: "reference", target: "Tree", source };
  const node = (leaf: TypeNode): RecordNode => ({
    kind: "record",
    members: [{ name: "a", type: tree, required: false, access: "read-write", arguments: [], source }],
    additional: leaf,
    patterns: [],
    source,
  });
  const type: TypeNode = { kind: "union", mode: "one-of", members: [node(hash), node(height)], source };
  const forest = {
    declarations: [{ name: "Tree", originalName: "Tree", role: "value", type, implements: [], source }],
  } as const;
  let value: JsonValue = { b: true };
  for (let depth = 0; depth < 100; depth += 1) value = { a: value };
  expect(isOfType(value, tree, forest)).toBe(false);
  expect(findViolation(value, tree, forest)).toBeDefined();
});

test("a text spells a number or a boolean only where the type has them", () => {
  expect(spellsType("7", height, model)).toBe(true);
  expect(spellsType("7a", height, model)).toBe(false);
  expect(spellsType("true", { kind: "boolean", source }, model)).toBe(true);
  expect(spellsType("7", hash, model)).toBe(false);
  expect(spellsType("0007", reference, model)).toBe(true);
});

test("what is not described by a model, or by any kind, is no type", () => {
  expect(() => isOfType(1, { kind: "reference", target: "Nobody", source }, model)).toThrow(
    'The model has no "Nobody"',
  );
  expect(() => isOfType(1, { kind: "tuple" } as never, model)).toThrow('Unexpected value: {"kind":"tuple"}');
});

test("a value is checked against each declaration for itself, and again when it is queried again", () => {
  const tree = (name: string, type: TypeNode) => ({
    name,
    originalName: name,
    role: "value" as const,
    type,
    implements: [],
    source,
  });
  const open: RecordNode = { kind: "record", members: [], additional: hash, patterns: [], source };
  const declarations = [tree("A", open), tree("B", { ...open, additional: height })];
  const value = { a: "00ff" };
  const isOf = (target: string) => isOfType(value, { kind: "reference", target, source }, { declarations });
  expect(["A", "B", "A", "B"].map(isOf)).toEqual([true, false, true, false]);
});
