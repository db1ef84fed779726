import { describe, expect, it } from "vitest";
import type { JsonValue, ListNode, NumberNode, RecordNode, StringNode, TypeNode } from "./read-model.ts";
import { findViolation, isOfType, spellsType } from "./value-matcher.ts";

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
const boolean: TypeNode = { kind: "boolean", source };

function text(rest: Partial<StringNode>): TypeNode {
  return { kind: "string", source, ...rest };
}
function number(rest: Partial<NumberNode> = {}): TypeNode {
  return { kind: "number", integer: false, representation: "number", source, ...rest };
}
function list(rest: Partial<ListNode>): TypeNode {
  return { kind: "list", prefix: [], element: any, source, ...rest };
}
function record(rest: Partial<RecordNode>): TypeNode {
  return { kind: "record", members: [], additional: any, patterns: [], source, ...rest };
}
function objectOf(count: number): JsonValue {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, index]));
}

/** JSON Schema Validation 2020-12, section 6: each bound alone, with the values on both sides of it. */
describe("a bound alone", () => {
  it.each<[string, TypeNode, readonly JsonValue[], readonly JsonValue[], string]>([
    ["minLength", text({ minLength: 2 }), ["ab", "abc", "🌍🌍"], ["a", "🌍", ""], "must have at least 2 characters"],
    ["maxLength", text({ maxLength: 2 }), ["", "ab", "🌍🌍"], ["abc"], "must have at most 2 characters"],
    ["pattern", text({ pattern: "^a" }), ["a", "ab"], ["b", ""], "must match the pattern ^a"],
    ["minimum", number({ minimum: 2 }), [2, 2.5, 1e9], [1.999, -2], "must be at least 2"],
    ["maximum", number({ maximum: 2 }), [2, 1.5, -1e9], [2.001, 1e9], "must be at most 2"],
    ["exclusiveMinimum", number({ exclusiveMinimum: 2 }), [2.001, 1e9], [2, 1], "must be greater than 2"],
    ["exclusiveMaximum", number({ exclusiveMaximum: 2 }), [1.999, -1e9], [2, 3], "must be less than 2"],
    ["multipleOf", number({ multipleOf: 0.5 }), [0, 2.5, -1], [0.25, 1.1], "must be a multiple of 0.5"],
    [
      "minItems",
      list({ minItems: 2 }),
      [
        [1, 2],
        [1, 2, 3],
      ],
      [[], [1]],
      "must have at least 2 items",
    ],
    ["maxItems", list({ maxItems: 2 }), [[], [1, 2]], [[1, 2, 3]], "must have at most 2 items"],
    [
      "minProperties",
      record({ minProperties: 2 }),
      [objectOf(2), objectOf(3)],
      [objectOf(1), {}],
      "must have at least 2 members",
    ],
    ["maxProperties", record({ maxProperties: 2 }), [{}, objectOf(2)], [objectOf(3)], "must have at most 2 members"],
  ])("%s", (_, type, right, wrong, problem) => {
    for (const value of right) {
      expect([isOfType(value, type, model), findMismatch(value, type, model)]).toEqual([true, undefined]);
    }
    for (const value of wrong) {
      expect([isOfType(value, type, model), findMismatch(value, type, model)]).toEqual([
        false,
        { pointer: "", problem },
      ]);
    }
  });

  it.each<[string, TypeNode, readonly JsonValue[], readonly JsonValue[], string]>([
    ["boolean", boolean, [true, false], [0, "true", null, []], "must be a boolean"],
    ["null", { kind: "null", source }, [null], [0, false, ""], "must be null"],
    ["bytes", { kind: "bytes", source } as TypeNode, ["", "AQ=="], [1, null, ["a"]], "must be bytes"],
    ["number", number(), [0, 1.5, -1], ["1", null, true], "must be a number"],
    ["integer", number({ integer: true }), [0, -1, 1e21], [0.5, "1"], "must be an integer"],
    [
      "one value",
      { kind: "enumeration", values: [{ a: [1] }], source },
      [{ a: [1] }],
      [{ a: 1 }, [1]],
      'must be {"a":[1]}',
    ],
    ["several values", { kind: "enumeration", values: [1, "1"], source }, [1, "1"], [2, true], 'must be one of 1, "1"'],
    [
      "all of several",
      { kind: "intersection", members: [number({ minimum: 1 }), number({ maximum: 3 })], source },
      [1, 3],
      [4],
      "must be at most 3",
    ],
  ])("of the kind: %s", (_, type, right, wrong, problem) => {
    for (const value of right) expect(isOfType(value, type, model)).toBe(true);
    for (const value of wrong) {
      expect(isOfType(value, type, model)).toBe(false);
      expect(findMismatch(value, type, model)).toEqual({ pointer: "", problem });
    }
  });

  it("of a member that depends on another is that of the complete object", () => {
    const type = record({ dependencies: [{ property: "a", type: record({ minProperties: 2 }) }] as never });
    expect(isOfType({ b: 1 }, type, model)).toBe(true);
    expect(isOfType({ a: 1, b: 1 }, type, model)).toBe(true);
    expect(findMismatch({ a: 1 }, type, model)).toEqual({
      pointer: "",
      problem: "must have at least 2 members",
    });
  });

  it("of names is reported where everything else is right", () => {
    const type = record({ names: text({ maxLength: 2 }) });
    expect(findMismatch({ ab: 1 }, type, model)).toBeUndefined();
    expect(findMismatch({ abc: 1 }, type, model)).toEqual({
      pointer: "/abc",
      problem: "must have a name of the kind that is wanted",
    });
  });
});

describe("a value of another kind than the keywords speak of", () => {
  it.each<[string, TypeNode]>([
    ["strings", text({ minLength: 5, isKindImplied: true })],
    ["numbers", number({ minimum: 5, isKindImplied: true })],
    ["arrays", list({ minItems: 5, isKindImplied: true })],
    ["objects", record({ minProperties: 5, isKindImplied: true })],
  ])("passes keywords of %s without a type", (_, type) => {
    const values: readonly JsonValue[] = ["a", 1, [1], { a: 1 }, null, true];
    expect(values.map((value) => isOfType(value, type, model)).filter((isValid) => !isValid)).toHaveLength(1);
  });
});

describe("a text of a URL", () => {
  it("spells a number in the ways of JSON, and nothing around it", () => {
    for (const spelling of ["0", "-1", "12", "1.5", "-0.25", "1e3", "1E+3", "1.5e-7"]) {
      expect([spelling, spellsType(spelling, number(), model)]).toEqual([spelling, true]);
    }
    for (const other of ["", "a1", "1a", "1.", ".5", "1e", "1ea", "1x3", "0x10", " 1", "1 ", "--1", "+1", "Infinity"]) {
      expect([other, spellsType(other, number(), model)]).toEqual([other, false]);
    }
    expect(spellsType("1e3", number({ minimum: 1000 }), model)).toBe(true);
  });

  it("spells true and false, each as itself", () => {
    const only = (value: boolean): TypeNode => ({ kind: "enumeration", values: [value], source });
    expect([spellsType("true", boolean, model), spellsType("false", boolean, model)]).toEqual([true, true]);
    expect([spellsType("true", only(false), model), spellsType("false", only(true), model)]).toEqual([false, false]);
    expect([spellsType("true", only(true), model), spellsType("false", only(false), model)]).toEqual([true, true]);
    for (const other of ["", "TRUE", "1", "yes"]) expect(spellsType(other, boolean, model)).toBe(false);
  });

  it("is a text as well", () => {
    expect(spellsType("12", text({ minLength: 2 }), model)).toBe(true);
    expect(spellsType("12", text({ minLength: 3 }), model)).toBe(false);
  });
});
