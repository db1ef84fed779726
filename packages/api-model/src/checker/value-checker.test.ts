import { readLosslessJson } from "@nodewright/runtime";
import { linearPattern } from "@nodewright/runtime/patterns";
import { describe, expect, it } from "vitest";
import { cpuMillisecondsOf } from "../../../../test/support/cpu-time.ts";

import { patternMatcher } from "../basics/pattern.ts";
import type { TypeNode } from "../model/type-node.ts";
import { ValueChecker } from "./value-checker.ts";
import type { Direction, TypeViolation } from "./violation.ts";

type Types = Readonly<Record<string, TypeNode>>;

const matchesPattern = patternMatcher(linearPattern);

function checkerOf(types: Types, direction?: Direction): ValueChecker {
  const lookup = (name: string): TypeNode | undefined => (Object.hasOwn(types, name) ? types[name] : undefined);
  return new ValueChecker(lookup, { matchesPattern, ...(direction === undefined ? {} : { direction }) });
}

function isValueOf(type: TypeNode, value: unknown, types: Types, direction: Direction): boolean {
  return checkerOf(types, direction).matches(type, value);
}

function violationsOf(type: TypeNode, value: unknown, types: Types, direction: Direction): readonly TypeViolation[] {
  return checkerOf(types, direction).violations(type, value);
}

const text: TypeNode = { kind: "string" };
const integer: TypeNode = { kind: "number", integer: true };
const nothing: TypeNode = { kind: "null" };

function member(name: string, type: TypeNode, required = true): { name: string; type: TypeNode; required: boolean } {
  return { name, type, required };
}

/** Returns `pointer keyword message` of each violation. */
function found(type: TypeNode, value: unknown, types: Types = {}): readonly string[] {
  return violationsOf(type, value, types, "response").map((one) => `${one.pointer} ${one.keyword}: ${one.message}`);
}

describe("violationsOf", () => {
  it("says what is wrong where, without the value, and where the description says it", () => {
    const type: TypeNode = {
      kind: "record",
      members: [member("hash", { kind: "string", pattern: "^[0-9a-f]+$", place: "7:9" }), member("height", integer)],
      place: "3:1",
    };
    expect(violationsOf(type, { hash: "XYZ" }, {}, "response")).toEqual([
      { pointer: "", generalPointer: "", keyword: "required", message: 'must have the member "height"', place: "3:1" },
      {
        pointer: "/hash",
        generalPointer: "/hash",
        keyword: "pattern",
        message: "must match the pattern ^[0-9a-f]+$",
        place: "7:9",
      },
    ]);
  });

  it("names positions and names that the type does not have by a star in the general pointer", () => {
    const type: TypeNode = {
      kind: "record",
      members: [member("fees", { kind: "record", members: [], additional: { kind: "list", element: integer } })],
    };
    const [violation] = violationsOf(type, { fees: { fast: [1, "2"] } }, {}, "response");
    expect(violation?.pointer).toBe("/fees/fast/1");
    expect(violation?.generalPointer).toBe("/fees/*/*");
  });

  it("takes 1.0 and 1e0 for integers, and 1.5 for none", () => {
    for (const spelling of ["1.0", "1e0", "12345678901234567890", "-0"])
      expect(found(integer, readLosslessJson(spelling))).toEqual([]);
    expect(found(integer, 1.5)).toEqual([" type: must be an integer"]);
  });

  it("compares integers beyond 2^53 with their bounds in digits", () => {
    const type: TypeNode = { kind: "number", integer: true, minimum: 0, maximum: 18446744073709551615n };
    expect(found(type, readLosslessJson("18446744073709551615"))).toEqual([]);
    expect(found(type, readLosslessJson("18446744073709551616"))).toEqual([
      " maximum: must be at most 18446744073709551615",
    ]);
  });

  it("takes multiples by their decimals", () => {
    const type: TypeNode = { kind: "number", integer: false, multipleOf: 1e-8 };
    expect(found(type, 0.30000001)).toEqual([]);
    expect(found(type, 0.300000001)).toEqual([" multipleOf: must be a multiple of 1e-8"]);
  });

  it("counts characters, not the units of UTF-16", () => {
    const type: TypeNode = { kind: "string", minLength: 2, maxLength: 2 };
    expect(found(type, "🌍🌍")).toEqual([]);
    expect(found(type, "🌍")).toEqual([" minLength: must have at least 2 characters"]);
    expect(found(type, "🌍🌍🌍")).toEqual([" maxLength: must have at most 2 characters"]);
  });

  it("leaves members out of account that are not for the direction", () => {
    const type: TypeNode = {
      kind: "record",
      members: [
        { ...member("id", integer), access: "read-only" },
        { ...member("password", text), access: "write-only" },
      ],
    };
    expect(violationsOf(type, { id: 1 }, {}, "response")).toEqual([]);
    expect(violationsOf(type, { password: "x" }, {}, "request")).toEqual([]);
    expect(found(type, { password: "x" })).toEqual([' required: must have the member "id"']);
  });

  it("reports a member that a closed object does not have at its place", () => {
    const type: TypeNode = { kind: "record", members: [], additional: { kind: "never" } };
    expect(found(type, { "a/b": 1 })).toEqual([
      "/a~1b additionalProperties: must not be there: the object has no such member",
    ]);
  });

  it("checks a member of any name as any other", () => {
    const value: unknown = JSON.parse('{"__proto__":1,"constructor":2}');
    const type: TypeNode = {
      kind: "record",
      members: [member("__proto__", text), member("toString", text)],
      additional: { kind: "never" },
    };
    expect(found(type, value)).toEqual([
      ' required: must have the member "toString"',
      "/__proto__ type: must be a string",
      "/constructor additionalProperties: must not be there: the object has no such member",
    ]);
  });

  describe("of alternatives", () => {
    const cat: TypeNode = {
      kind: "record",
      members: [member("kind", { kind: "enumeration", values: ["cat"] }), member("lives", integer)],
    };
    const dog: TypeNode = {
      kind: "record",
      members: [member("kind", { kind: "enumeration", values: ["dog"] }), member("name", text), member("age", integer)],
    };

    it("says the kinds that are allowed where none is of the value's kind", () => {
      const type: TypeNode = { kind: "union", mode: "any-of", members: [text, integer, nothing] };
      expect(found(type, true)).toEqual([" type: must be a string, a number or null"]);
    });

    it("says what the only one of the value's kind lacks", () => {
      const type: TypeNode = { kind: "union", mode: "one-of", members: [dog, nothing] };
      expect(found(type, { kind: "dog", name: "Rex" })).toEqual([' required: must have the member "age"']);
    });

    it("goes to the one whose constant the value has, though another lacks less", () => {
      const type: TypeNode = { kind: "union", mode: "one-of", members: [cat, dog] };
      expect(found(type, { kind: "dog", lives: 1 })).toEqual([
        ' required: must have the member "name"',
        ' required: must have the member "age"',
      ]);
    });

    it("goes to the one that a discriminator names", () => {
      const type: TypeNode = {
        kind: "union",
        mode: "one-of",
        members: [
          { kind: "reference", target: "Cat" },
          { kind: "reference", target: "Dog" },
        ],
        discriminator: { property: "type", mapping: { hound: "Dog" } },
      };
      const types = { Cat: cat, Dog: dog };
      expect(found(type, { type: "hound", kind: "cat" }, types)[0]).toBe(' required: must have the member "name"');
    });

    it("goes to the list whose elements are of the value's kind, however much they lack", () => {
      const members = ["hash", "size", "weight"].map((name) => member(name, integer));
      const elements: readonly TypeNode[] = [text, { kind: "record", members }];
      const lists = elements.map((element): TypeNode => ({ kind: "list", element }));
      expect(found({ kind: "union", mode: "one-of", members: lists }, [{ size: "" }, { size: "" }])).toContain(
        "/0/size type: must be an integer",
      );
    });

    it("holds a response to what its discriminator names, and to one that is named", () => {
      const open: TypeNode = { kind: "record", members: [{ name: "type", type: text, required: true }] };
      const type: TypeNode = {
        kind: "union",
        mode: "one-of",
        members: [
          { kind: "reference", target: "Dog" },
          { kind: "reference", target: "Any" },
        ],
        discriminator: { property: "type", mapping: { hound: "Dog", other: "Any" } },
      };
      const types = { Dog: dog, Any: open };
      expect(found(type, { type: "hound" }, types)).not.toEqual([]);
      expect(found(type, { type: "other" }, types)).toEqual([]);
      expect(found(type, { type: "fish" }, types)).toEqual(["/type discriminator: must name one of the alternatives"]);
    });

    it("says that only one may match", () => {
      const type: TypeNode = { kind: "union", mode: "one-of", members: [integer, { kind: "number", integer: false }] };
      expect(violationsOf(type, 1, {}, "request").map(({ message }) => message)).toEqual([
        "must match exactly one of the alternatives",
      ]);
    });

    it("lets a response be of several alternatives, as an empty list is", () => {
      const lists = [integer, text].map((element): TypeNode => ({ kind: "list", element }));
      expect(found({ kind: "union", mode: "one-of", members: lists }, [])).toEqual([]);
    });
  });

  it("reports what is outermost first, and one lack of many elements only a few times", () => {
    const type: TypeNode = {
      kind: "record",
      members: [member("items", { kind: "list", element: integer }), member("next", text)],
    };
    const violations = found(type, { items: Array.from({ length: 1000 }, () => "x") });
    expect(violations[0]).toBe(' required: must have the member "next"');
    expect(violations.length).toBeLessThan(10);
  });

  it("reports at most 100", () => {
    const type: TypeNode = {
      kind: "record",
      members: Array.from({ length: 300 }, (_none, index) => member(`m${index}`, text)),
    };
    expect(found(type, {})).toHaveLength(100);
  });

  it("finds every violating value refused, and every other one not", () => {
    const type: TypeNode = { kind: "list", element: integer, uniqueItems: true };
    for (const value of [[1, 2], [1, 1], ["1"], {}, null, undefined])
      expect(isValueOf(type, value, {}, "response")).toBe(violationsOf(type, value, {}, "response").length === 0);
  });
});

describe("a hostile value", () => {
  const types: Types = {
    Tree: {
      kind: "union",
      mode: "one-of",
      members: [integer, { kind: "list", element: { kind: "reference", target: "Tree" } }],
    },
    Node: {
      kind: "union",
      mode: "one-of",
      members: ["a", "b", "c"].map((name) => ({
        kind: "record",
        members: [member("next", { kind: "reference", target: "Node" }), member(name, integer, false)],
      })),
    },
    Loop: { kind: "reference", target: "Loop" },
  };
  const tree: TypeNode = { kind: "reference", target: "Tree" };

  function nested(depth: number, wrap: (inner: unknown) => unknown, innermost: unknown): unknown {
    let value = innermost;
    for (let level = 0; level < depth; level += 1) value = wrap(value);
    return value;
  }

  it("that is nested too deeply to check is not blamed", () => {
    expect(
      violationsOf(
        tree,
        nested(10_000, (inner) => [inner], "x"),
        types,
        "response",
      ),
    ).toEqual([]);
    const unique: TypeNode = { kind: "list", uniqueItems: true, element: { kind: "any" } };
    expect(
      violationsOf(
        unique,
        nested(10_000, (inner) => [inner], 1),
        types,
        "response",
      ),
    ).toEqual([]);
  });

  it("is found wrong as deep as anybody nests", () => {
    expect(
      violationsOf(
        tree,
        nested(100, (inner) => [inner], "x"),
        types,
        "response",
      ),
    ).toHaveLength(1);
  });

  it("costs no time that grows with the number of ways through its alternatives", () => {
    const value = nested(250, (inner) => ({ next: inner }), "x");
    const check = () =>
      expect(violationsOf({ kind: "reference", target: "Node" }, value, types, "response")).toHaveLength(1);
    expect(cpuMillisecondsOf(check)).toBeLessThan(1000);
  });

  it("of a million elements is checked in bounded time", () => {
    const value = Array.from({ length: 1_000_000 }, (_none, index) => index);
    const check = () => expect(violationsOf({ kind: "list", element: text }, value, {}, "response")).not.toEqual([]);
    expect(cpuMillisecondsOf(check)).toBeLessThan(3000);
  });

  it("does not make a type that is only itself, or a pattern that backtracks without end, run for ever", () => {
    expect(violationsOf({ kind: "reference", target: "Loop" }, 1, types, "response")).toEqual([]);
    const endless: TypeNode = { kind: "string", pattern: "^(a+)+$" };
    expect(violationsOf(endless, `${"a".repeat(60)}!`, {}, "response")).toMatchObject([{ keyword: "pattern" }]);
  });
});
