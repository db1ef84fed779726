import type { ApiModel, TypeNode } from "@nodewright/model";
import { describe, expect, it } from "vitest";
import { writeGeneratedFiles } from "../testing/generated-files.ts";
import { type LoadedValidator, type LoadedViolation, loadValidator } from "../testing/loaded-validator.ts";
import {
  anything,
  declaration,
  field,
  list,
  model,
  node,
  nothing,
  numberNode,
  objectOf,
  operation,
  record,
  reference,
  source,
  text,
  union,
} from "../testing/type-nodes.ts";
import { emitValidators } from "./emit-validators.ts";
import { cpuMillisecondsOf } from "../../../../test/support/cpu-time.ts";

function validatorOf(type: TypeNode, others: ApiModel["declarations"] = []): Promise<LoadedValidator> {
  return loadValidator(model([declaration("Thing", type), ...others]), "Thing");
}

function byPointer(left: LoadedViolation, right: LoadedViolation): number {
  return left.pointer < right.pointer ? -1 : 1;
}

/** Returns violations as `pointer keyword: message`. */
function shown(violations: readonly LoadedViolation[]): readonly string[] {
  return violations.map(({ pointer, keyword, message }) => `${pointer} ${keyword}: ${message}`);
}

const constant = (value: string): TypeNode => node({ kind: "enumeration", values: [value] });
const implied = { isKindImplied: true } as const;
const needs = (...names: readonly string[]): TypeNode =>
  record(
    names.map((name) => ({ ...field(name, anything), isUndescribed: true })),
    implied,
  );

describe("violations of what a document says of one kind alone", () => {
  it("are none for values of other kinds", async () => {
    const thing = await validatorOf(
      node({
        kind: "intersection",
        members: [
          record([field("a", text)], implied),
          node({ kind: "string", maxLength: 2, ...implied }),
          numberNode({ maximum: 2, ...implied }),
          list(text, implied),
        ],
      }),
    );
    expect([null, true, 1, "ab", ["a"], { a: "b" }].map((value) => thing.is(value))).toEqual(Array(6).fill(true));
    const wrong = [{}, "abc", 3, [1]];
    expect(wrong.map((value) => thing.is(value))).toEqual(Array(4).fill(false));
    expect(wrong.flatMap((value) => shown(thing.violationsOf(value)))).toEqual([
      " required: must have required property 'a'",
      " maxLength: must NOT have more than 2 characters",
      " maximum: must be <= 2",
      "/0 type: must be string",
    ]);
  });

  it("do not let a missing value pass", async () => {
    const thing = await validatorOf(record([], { ...implied, minProperties: 1 }));
    expect(thing.is(undefined)).toBe(false);
    expect(shown(thing.violationsOf(undefined))).toEqual([" type: must be a JSON value"]);
  });
});

describe("violations of", () => {
  it("a negation say so", async () => {
    const thing = await validatorOf(record([field("a", node({ kind: "not", type: text }))]));
    expect(shown(thing.violationsOf({ a: "secret" }))).toEqual(["/a not: must NOT be valid"]);
    expect(thing.is({ a: 1 })).toBe(true);
  });

  it("a condition are those of the side that it chose, and which that was", async () => {
    const thing = await validatorOf(
      node({
        kind: "conditional",
        condition: record([field("kind", constant("a"))]),
        consequence: needs("b"),
        alternative: needs("c", "d"),
      }),
    );
    expect(shown(thing.violationsOf({ kind: "a" }))).toEqual([
      " required: must have required property 'b'",
      ' if: must match "then" schema',
    ]);
    expect(shown(thing.violationsOf({ kind: "x" }))).toEqual([
      " required: must have required property 'c'",
      " required: must have required property 'd'",
      ' if: must match "else" schema',
    ]);
    expect([{ kind: "a", b: 1 }, { c: 1, d: 1 }, 5].map((value) => thing.is(value))).toEqual([true, true, true]);
  });

  it("contains tell how many there have to be", async () => {
    const contains = { type: numberNode({ integer: true }), minimum: 2, maximum: 3 };
    const thing = await validatorOf(list(anything, { contains }));
    const message = "must contain at least 2 and no more than 3 valid item(s)";
    expect(shown(thing.violationsOf([1, "a"]))).toEqual([` contains: ${message}`]);
    expect(shown(thing.violationsOf([1, 2, 3, 4]))).toEqual([` contains: ${message}`]);
    expect(thing.is([1, "a", 2])).toBe(true);
  });

  it("names say what is wrong with each", async () => {
    const thing = await validatorOf(record([], { names: node({ kind: "string", maxLength: 2, pattern: "^a" }) }));
    expect(shown(thing.violationsOf({ abc: 1, bcd: 1, a: 1 }))).toEqual([
      "/abc propertyNames: property name must NOT have more than 2 characters",
      "/bcd propertyNames: property name must NOT have more than 2 characters",
      '/bcd propertyNames: property name must match pattern "^a"',
    ]);
  });

  it("dependencies name both members, or are those of the dependent type", async () => {
    const thing = await validatorOf(
      record([], {
        dependencies: [
          { property: "card", type: needs("address", "name"), keyword: "dependentRequired" },
          { property: "toString", type: record([field("a", text)]), keyword: "dependentSchemas" },
        ],
      }),
    );
    expect(shown(thing.violationsOf({ card: 1 }))).toEqual([
      " dependentRequired: must have property address when property card is present",
      " dependentRequired: must have property name when property card is present",
    ]);
    expect(thing.is({})).toBe(true);
    expect(shown(thing.violationsOf(objectOf([["toString", 1]])))).toEqual([
      " required: must have required property 'a'",
    ]);
  });

  // The compiler checks the generated code in a process of its own.
  it("records of very many members are looked at in parts, as one", async () => {
    const names = Array.from({ length: 900 }, (_, index) => `m${index}`);
    const wide = record(
      names.map((name) => field(name, text, name === "m899")),
      { additional: nothing },
    );
    const files = writeGeneratedFiles([emitValidators(model([declaration("Thing", wide)]))]);
    expect(files.typeErrors()).not.toContain("TS2563");
    const thing = await validatorOf(wide);
    const value = Object.fromEntries(names.map((name) => [name, "x"]));
    expect(thing.is(value)).toBe(true);
    expect(shown(thing.violationsOf({ ...value, m0: 1, m700: 1, other: 1 }).toSorted(byPointer))).toEqual([
      "/m0 type: must be string",
      "/m700 type: must be string",
      "/other additionalProperties: must NOT have additional properties",
    ]);
    expect(shown(thing.violationsOf({}))).toEqual([" required: must have required property 'm899'"]);
    expect(shown(thing.violationsOf("x"))).toEqual([" type: must be object"]);
  });

  it("what is left over point to it, also while other things are wrong", async () => {
    const base = node({ kind: "intersection", members: [reference("Base"), record([field("b", text, false)])] });
    const thing = await validatorOf(node({ kind: "unevaluated", base, members: nothing }), [
      declaration("Base", record([field("a", text)])),
    ]);
    expect(shown(thing.violationsOf({ a: 1, b: "b", c: 1 }))).toEqual([
      "/a type: must be string",
      "/c unevaluatedProperties: must NOT have unevaluated properties",
    ]);
  });

  it("elements left over come after the first ones of each alternative that matches", async () => {
    const base = union(
      list(anything, { prefix: [text] }),
      list(anything, { prefix: [text, text], minItems: 2 }),
      list(numberNode()),
    );
    const thing = await validatorOf(node({ kind: "unevaluated", base, elements: nothing }));
    const right = [[], ["a"], ["a", "b"], [1, 2, 3]];
    const wrong = [
      ["a", 1],
      ["a", "b", "c"],
      ["a", "b", 1],
      [1, "a"],
    ];
    expect(right.map((value) => thing.is(value))).toEqual(right.map(() => true));
    expect(wrong.map((value) => thing.is(value))).toEqual(wrong.map(() => false));
    expect(shown(thing.violationsOf(["a", "b", "c"]))).toEqual([
      "/2 unevaluatedItems: must NOT have unevaluated items",
    ]);
  });

  it("what is left over counts what each alternative looks at, also in a type that an operation alone has", async () => {
    const base = union(anything, record([field("a", text)]));
    const type = node({ kind: "unevaluated", base, members: nothing });
    const content = { mediaType: "application/json", form: "json", type } as const;
    const successes = [{ status: 200, headers: [], description: "", source, content }] as const;
    const things = [
      await validatorOf(type),
      await loadValidator(model([], { operations: [operation("get", { successes })] }), "GetOutput"),
    ];
    for (const thing of things)
      expect([{}, { a: "x" }, { b: "x" }].map((value) => thing.is(value))).toEqual([true, true, false]);
  });

  it("what alternatives have left over are those that no matching one looks at", async () => {
    const base = union(record([field("a", text)]), record([field("b", text)]));
    const thing = await validatorOf(node({ kind: "unevaluated", base, members: numberNode() }));
    expect(thing.is({ a: "a", b: "b" })).toBe(true);
    expect(shown(thing.violationsOf({ a: "a", b: 1, c: "c" }))).toEqual(["/c type: must be number"]);
  });

  it("elements that are left over point to them", async () => {
    const base = list(anything, { contains: { type: text, minimum: 0 } });
    const thing = await validatorOf(node({ kind: "unevaluated", base, elements: nothing }));
    expect(shown(thing.violationsOf(["a", 1, "b", 2]))).toEqual([
      "/1 unevaluatedItems: must NOT have unevaluated items",
      "/3 unevaluatedItems: must NOT have unevaluated items",
    ]);
  });

  it("formats name the format, where it is asserted", async () => {
    const date = node({ kind: "string", format: "date", assertsFormat: true });
    const thing = await validatorOf(list(union(date, record([field("at", date)]))));
    expect(shown(thing.violationsOf(["2024-02-30", { at: "x" }, "2024-02-29"]))).toEqual([
      '/0 format: must match format "date"',
      '/1/at format: must match format "date"',
    ]);
    const unasserted = await validatorOf(node({ kind: "string", format: "date" }));
    expect(unasserted.is("x")).toBe(true);
  });
});

describe("patterns that make engines backtrack without end", () => {
  const attack = `${"a".repeat(100_000)}!`;
  const costly = node({ kind: "string", pattern: "^(a+)+$" });

  it("take linear time, in checks and in reports", async () => {
    const thing = await validatorOf(costly);
    expect([thing.is("aaa"), thing.is(attack)]).toEqual([true, false]);
    expect(shown(thing.violationsOf(attack))).toEqual([' pattern: must match pattern "^(a+)+$"']);
  });

  it("take linear time for names of members", async () => {
    const thing = await validatorOf(record([], { patterns: [{ pattern: "^(b|b)*c$", type: nothing }], names: costly }));
    const members = { [attack]: 1, ["b".repeat(100_000)]: 1, [`${"b".repeat(100_000)}c`]: 1 };
    expect([thing.is({ aaa: 1 }), thing.is(members)]).toEqual([true, false]);
    expect(
      thing
        .violationsOf(members)
        .map(({ keyword }) => keyword)
        .toSorted(),
    ).toEqual(["false schema", "propertyNames", "propertyNames", "propertyNames"]);
  });

  it("leave all other patterns to the engine", () => {
    const { text: file } = emitValidators(model([declaration("Thing", node({ kind: "string", pattern: "^a+b$" }))]));
    expect(file).toContain('= pattern("^a+b$")');
    expect(file).not.toContain("@nodewright/runtime/patterns");
  });
});

describe("violations of unions that a property distinguishes", () => {
  const cat = record([field("kind", constant("cat")), field("lives", numberNode({ integer: true }))]);
  const dog = record([field("kind", node({ kind: "enumeration", values: ["dog", "wolf"] })), field("name", text)]);

  it("are those of the member that it selects", async () => {
    const thing = await validatorOf(node({ kind: "union", mode: "one-of", members: [cat, dog] }));
    expect(shown(thing.violationsOf({ kind: "cat", lives: 1.5 }))).toEqual(["/lives type: must be integer"]);
    expect(shown(thing.violationsOf({ kind: "wolf" }))).toEqual([" required: must have required property 'name'"]);
    expect(shown(thing.violationsOf({ kind: "cow" }))).toEqual(['/kind enum: must be one of "cat", "dog", "wolf"']);
    expect(shown(thing.violationsOf({}))).toEqual([" required: must have required property 'kind'"]);
    expect(shown(thing.violationsOf("cat"))).toEqual([" type: must be object"]);
    expect(thing.is({ kind: "wolf", name: "a" })).toBe(true);
  });

  it("are those of the member that the document's mapping selects, though any member may match", async () => {
    const a = record([field("kind", text), field("a", text)]);
    const b = record([field("kind", text), field("b", text)]);
    const thing = await validatorOf(
      node({
        kind: "union",
        mode: "one-of",
        members: [reference("A"), reference("B")],
        discriminator: { property: "kind", mapping: { x: "A", y: "B" } },
      }),
      [declaration("A", a), declaration("B", b)],
    );
    expect(thing.is({ kind: "x", b: "b" })).toBe(true);
    expect(shown(thing.violationsOf({ kind: "y" }))).toEqual([" required: must have required property 'b'"]);
    expect(shown(thing.violationsOf({ kind: "z" }))).toEqual(['/kind discriminator: must be one of "x", "y"']);
    expect(shown(thing.violationsOf({ kind: "x", a: "a", b: "b" }))).toEqual([
      " oneOf: must match exactly one schema in oneOf",
    ]);
  });
});

describe("validators of values that are nested deeply", () => {
  const depth = 100_000;
  const nested = (wrap: (inner: unknown) => unknown): unknown => {
    let value: unknown = [];
    for (let level = 0; level < depth; level += 1) value = wrap(value);
    return value;
  };
  const tooDeep = [{ pointer: "", keyword: "depth", message: "must NOT be nested so deeply" }];

  it("refuse them as too deep where the type has no end", async () => {
    const tree = await validatorOf(union(record([field("next", reference("Thing"), false)]), list(reference("Thing"))));
    const value = nested((inner) => ({ next: inner }));
    expect(tree.is(value)).toBe(false);
    expect(tree.violationsOf(value)).toEqual(tooDeep);
    expect(tree.is({ next: { next: [] } })).toBe(true);
  });

  it("refuse them as too deep where equal elements are looked for", async () => {
    const thing = await validatorOf(list(anything, { uniqueItems: true }));
    const value = [nested((inner) => [inner]), 1];
    expect(thing.is(value)).toBe(false);
    expect(thing.violationsOf(value)).toEqual(tooDeep);
  });

  it("take no notice of them where nothing is said of what is inside", async () => {
    const thing = await validatorOf(record([field("a", anything)]));
    const value = { a: nested((inner) => [inner]) };
    expect(thing.is(value)).toBe(true);
    expect(thing.violationsOf(value)).toEqual([]);
    const constants = await validatorOf(node({ kind: "enumeration", values: [[[1]], { a: [1] }] }));
    expect(constants.is(nested((inner) => [inner]))).toBe(false);
  });

  it("stay quick in a recursive type whose rest depends on its alternatives", async () => {
    const next = field("next", reference("Thing"), false);
    const base = union(record([next, field("a", text)]), record([next, field("b", text)]));
    const thing = await validatorOf(node({ kind: "unevaluated", base, members: nothing }));
    let value: unknown = { a: "a", c: 1 };
    for (let level = 0; level < 14; level += 1) value = { b: "b", next: value };
    expect(cpuMillisecondsOf(() => expect(thing.is(value)).toBe(false))).toBeLessThan(1000);
  });
});

describe("validators compare numbers exactly", () => {
  it.each([
    [0.01, [0.01, 4.02, 1e20, 0.07], [0.015, 1e-3]],
    [1e-8, [12_391_239_123, 1e-8, 1.5e-7], [1e-9]],
    [0.123456789, [0], [1e308, 1]],
    [1e308, [1e308, 0], [1e307]],
    [3, [9, 3e20], [1e19, 10]],
  ])("as multiples of %d", async (multipleOf, right, wrong) => {
    const thing = await validatorOf(numberNode({ multipleOf }));
    expect(right.filter((value) => !thing.is(value))).toEqual([]);
    expect(wrong.filter((value) => thing.is(value))).toEqual([]);
  });

  it("and values as JSON does", async () => {
    const values = [1, 0, objectOf([["__proto__", 1]]), { a: [1, { b: null }], c: 2 }];
    const thing = await validatorOf(node({ kind: "enumeration", values }));
    const right = ["1.0", "-0", '{"__proto__": 1}', '{"c": 2.0, "a": [1, {"b": null}]}'];
    expect(right.filter((json) => !thing.is(JSON.parse(json)))).toEqual([]);
    const wrong = ["true", "false", "{}", '{"a": [1, {"b": null}]}', '{"c": 2, "a": [{"b": null}, 1]}', "null", '"1"'];
    expect(wrong.filter((json) => thing.is(JSON.parse(json)))).toEqual([]);
  });
});

describe("patterns", () => {
  it("of runs of characters are reported exactly, of any length, in a time linear to it", async () => {
    const hex = node({ kind: "string", pattern: "^([0-9a-f]{2})*$" });
    const name = node({ kind: "string", pattern: "^[A-Za-z]{3,70}$" });
    const things = { hex: await validatorOf(hex), name: await validatorOf(name) };
    for (let length = 0; length <= 140; length += 1) {
      expect(things.hex.is("a".repeat(length)), String(length)).toBe(length % 2 === 0);
      expect(things.name.is("a".repeat(length)), String(length)).toBe(length >= 3 && length <= 70);
      for (const place of [0, length >> 1, length - 1]) {
        const text = "a".repeat(length);
        const spoilt = `${text.slice(0, place)}\n${text.slice(place + 1)}`;
        if (length > 0) expect([things.hex.is(spoilt), things.name.is(spoilt)]).toEqual([false, false]);
      }
    }
    const long = `${"ab".repeat(1_000_000)}ag`;
    expect(cpuMillisecondsOf(() => expect(things.hex.is(long)).toBe(false))).toBeLessThan(1000);
  });

  it("that are none with the u flag are taken without it", async () => {
    const thing = await validatorOf(node({ kind: "string", pattern: "^[\\w\\-.]+\\-$" }));
    expect(thing.is("a.b-")).toBe(true);
    expect(thing.is("a b-")).toBe(false);
  });
});
