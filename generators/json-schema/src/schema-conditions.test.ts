// Combined conditions of one schema: JSON Schema 2020-12, validation and applicator vocabularies.
import type { JsonValue } from "@nodewright/model";
import { describe, expect, it } from "vitest";
import { consequence, readSchemas } from "./testing/read-schemas.ts";

describe("keywords without a type", () => {
  it("hold for values of their kind and let all others pass", () => {
    const { type, accepts } = readSchemas({ schema: { minLength: 2 } });
    expect(type).toMatchObject({ kind: "string", isKindImplied: true, minLength: 2 });
    expect([accepts("a"), accepts("ab"), accepts(1), accepts(null)]).toEqual([false, true, true, true]);
  });

  it("of several kinds become one node for each, all of which hold", () => {
    const { type, accepts } = readSchemas({ schema: { minLength: 2, minimum: 3, required: ["a"], uniqueItems: true } });
    expect(type).toMatchObject({
      kind: "intersection",
      members: [
        { kind: "string", isKindImplied: true },
        { kind: "number", isKindImplied: true },
        { kind: "list", isKindImplied: true },
        { kind: "record", isKindImplied: true },
      ],
    });
    expect([accepts("ab"), accepts(3), accepts([1, 2]), accepts({ a: 1 }), accepts(true)]).toEqual(Array(5).fill(true));
    expect([accepts("a"), accepts(2), accepts([1, 1]), accepts({})]).toEqual(Array(4).fill(false));
  });

  it("are reported where the schema stands alone, and not where another says the type", () => {
    expect(readSchemas({ schema: { properties: {} } }).codes).toEqual(["implied-type"]);
    expect(
      readSchemas({ schema: { type: "object", anyOf: [{ required: ["a"] }], if: { minProperties: 1 } } }).codes,
    ).toEqual([]);
    expect(readSchemas({ schema: { type: "object", propertyNames: { pattern: "^a" } } }).codes).toEqual([]);
  });
});

describe("listed values", () => {
  it.each<[object, readonly JsonValue[]]>([
    [{ type: "string", enum: ["a", "bcd"], minLength: 2 }, ["bcd"]],
    [{ type: ["integer", "null"], enum: [1, 2.5, 3.0, null] }, [1, 3, null]],
    [{ const: 1, enum: [1, 2] }, [1]],
    [{ const: { b: 1, a: [2] }, enum: [{ a: [2], b: 1 }] }, [{ b: 1, a: [2] }]],
    [{ enum: [1, "a", { b: 1 }], required: ["b"], minimum: 1 }, [1, "a", { b: 1 }]],
    [{ enum: [0, "a"], minimum: 1 }, ["a"]],
  ])("are those that the other keywords allow: %j", (schema, values) => {
    expect(readSchemas({ schema }).type).toMatchObject({ kind: "enumeration", values });
  });

  it("match nothing when none is left", () => {
    expect(readSchemas({ schema: { const: 1, enum: [2] } }).type).toMatchObject({ kind: "never" });
  });

  it("are checked against what a structure refers to when they are used", () => {
    const document = {
      schema: { type: "object", enum: [{ a: 1 }, { a: "x" }], properties: { a: { $ref: "#/components/Text" } } },
      components: { Text: { type: "string" } },
    };
    const { accepts, type } = readSchemas(document);
    expect(type).toMatchObject({ kind: "intersection", members: [{ kind: "enumeration" }, { kind: "record" }] });
    expect([accepts({ a: "x" }), accepts({ a: 1 })]).toEqual([true, false]);
  });
});

describe("a schema of lists", () => {
  it.each([
    ["2020-12", { prefixItems: [{ type: "string" }], items: { type: "number" } }],
    ["2020-12", { items: [{ type: "string" }], additionalItems: { type: "number" } }],
    ["draft-07", { items: [{ type: "string" }], additionalItems: { type: "number" } }],
  ] as const)("takes first elements and the rest in the spelling of %s", (dialect, keywords) => {
    const { type, accepts } = readSchemas({ schema: { type: "array", ...keywords } }, { dialect });
    expect(type).toMatchObject({ kind: "list", prefix: [{ kind: "string" }], element: { kind: "number" } });
    expect([accepts([]), accepts(["a"]), accepts(["a", 1]), accepts([1]), accepts(["a", "b"])]).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it("counts what is contained", () => {
    const contains = { type: "array", contains: { const: 1 }, minContains: 0, maxContains: 1 };
    const { type, accepts } = readSchemas({ schema: contains });
    expect(type).toMatchObject({ contains: { minimum: 0, maximum: 1 } });
    expect([accepts([]), accepts([2, 1]), accepts([1, 1])]).toEqual([true, true, false]);
    expect(readSchemas({ schema: { type: "array", contains: true } }).type).toMatchObject({ contains: { minimum: 1 } });
  });
});

describe("a schema of objects", () => {
  it.each(["dependentRequired", "dependencies"])("requires names where another stands: %s", (keyword) => {
    const { accepts } = readSchemas({ schema: { type: "object", [keyword]: { card: ["address"] } } });
    expect([accepts({}), accepts({ card: 1, address: 1 }), accepts({ card: 1 })]).toEqual([true, true, false]);
  });

  it.each(["dependentSchemas", "dependencies"])("applies a schema where a name stands: %s", (keyword) => {
    const { accepts } = readSchemas({ schema: { type: "object", [keyword]: { card: { maxProperties: 1 } } } });
    expect([accepts({ a: 1, b: 1 }), accepts({ card: 1 }), accepts({ card: 1, a: 1 })]).toEqual([true, true, false]);
  });

  it("checks names against a schema", () => {
    const { accepts } = readSchemas({ schema: { type: "object", propertyNames: { pattern: "^a" } } });
    expect([accepts({ ab: 1 }), accepts({ b: 1 })]).toEqual([true, false]);
  });

  it("holds a required name that is not described against what describes all others", () => {
    const schema = {
      type: "object",
      required: ["x-a", "b"],
      patternProperties: { "^x-": { type: "string" } },
      additionalProperties: { type: "number" },
    };
    expect(readSchemas({ schema }).type).toMatchObject({
      members: [
        { name: "x-a", isUndescribed: true, type: { kind: "string" } },
        { name: "b", isUndescribed: true, type: { kind: "number" } },
      ],
    });
  });

  it("takes a member named __proto__ as any other", () => {
    const text =
      '{"schema": {"type": "object", "properties": {"__proto__": {"type": "string"}}, "required": ["__proto__"]}}';
    const { type, accepts } = readSchemas(text);
    expect(type).toMatchObject({ members: [{ name: "__proto__", type: { kind: "string" } }] });
    expect(accepts(JSON.parse('{"__proto__": "a"}') as JsonValue)).toBe(true);
    expect(accepts({})).toBe(false);
  });
});

describe("conditions", () => {
  it("choose between two schemas; without a condition neither counts", () => {
    const choice = { if: { const: 1 }, ...consequence(false), else: { type: "string" } };
    const { accepts } = readSchemas({ schema: choice });
    expect([accepts(1), accepts("a"), accepts(2)]).toEqual([false, true, false]);
    expect(readSchemas({ schema: { ...consequence(false), else: false } }).type).toMatchObject({ kind: "any" });
  });

  it("count what they look at where something asks what is left", () => {
    const schema = {
      properties: { kind: true },
      if: { properties: { kind: { const: "a" } }, required: ["kind"] },
      ...consequence({ properties: { a: true } }),
      dependentSchemas: { z: { properties: { y: true } } },
      unevaluatedProperties: false,
    };
    const { type, accepts } = readSchemas({ schema });
    expect(type).toMatchObject({ kind: "unevaluated", members: { kind: "never" } });
    expect([accepts({ kind: "a", a: 1 }), accepts({ kind: "b" })]).toEqual([true, true]);
    expect([accepts({ kind: "b", a: 1 }), accepts({ kind: "a", y: 1 })]).toEqual([false, false]);
  });

  it("are negated whole", () => {
    const { type, accepts } = readSchemas({ schema: { type: "string", not: { enum: ["a"] } } });
    expect(type).toMatchObject({ kind: "intersection", members: [{ kind: "string" }, { kind: "not" }] });
    expect([accepts("b"), accepts("a"), accepts(1)]).toEqual([true, false, false]);
  });
});

describe("null", () => {
  it.each<[string, object]>([
    ["a type", { type: "string", nullable: true }],
    ["an enum", { type: "string", enum: ["a"], nullable: true }],
    ["an enum that lists it", { type: "string", enum: ["a", null], nullable: true }],
    ["a reference", { $ref: "#/components/Text", nullable: true }],
    ["allOf", { allOf: [{ $ref: "#/components/Text" }], nullable: true }],
    ["anyOf", { anyOf: [{ $ref: "#/components/Text" }], nullable: true }],
    ["oneOf", { oneOf: [{ $ref: "#/components/Text" }], nullable: true }],
    ["a type beside allOf", { type: "string", allOf: [{ $ref: "#/components/Text" }], nullable: true }],
  ])("is added to %s by OpenAPI 3.0's nullable", (_, schema) => {
    const document = { schema, components: { Text: { type: "string" } } };
    const { accepts, codes } = readSchemas(document, { dialect: "openapi-3.0" });
    expect([accepts(null), accepts("a"), accepts(1)]).toEqual([true, true, false]);
    expect(codes).toEqual([]);
  });

  it.each([
    { type: ["string", "null"] },
    { type: ["string", "null"], enum: ["a", null] },
    { oneOf: [{ type: "string" }, { type: "null" }] },
    { anyOf: [{ type: "string" }, { const: null }] },
    { oneOf: [{ $ref: "#/components/Text" }, { type: "null" }] },
  ])("is allowed in 3.1 by %j", (schema) => {
    const { accepts } = readSchemas({ schema, components: { Text: { type: "string" } } });
    expect([accepts(null), accepts("a"), accepts(1)]).toEqual([true, true, false]);
  });

  it("is not added where nullable means nothing, and that is reported", () => {
    const { accepts, codes } = readSchemas({ schema: { type: "string", nullable: true } });
    expect(accepts(null)).toBe(false);
    expect(codes).toEqual(["foreign-nullable"]);
  });
});

describe("formats", () => {
  const asserted = (formats: "annotate" | "assert" | readonly string[], format: string, type?: string) => {
    const schema = type === undefined ? { format } : { type, format };
    return readSchemas({ schema }, { readOptions: { formats } }).type;
  };

  it("are asserted where a configuration requests them", () => {
    expect(asserted("assert", "email", "string")).toMatchObject({ format: "email", assertsFormat: true });
    expect(asserted("assert", "email")).toMatchObject({ kind: "string", isKindImplied: true, assertsFormat: true });
    expect(asserted(["uuid"], "uuid", "string")).toHaveProperty("assertsFormat");
    expect(asserted(["uuid"], "email", "string")).not.toHaveProperty("assertsFormat");
    expect(asserted("annotate", "email", "string")).not.toHaveProperty("assertsFormat");
  });

  it("of bytes leave a text a text", () => {
    for (const format of ["binary", "byte"]) expect(asserted("annotate", format, "string")).toMatchObject({ format });
    expect(readSchemas({ schema: { type: "string", contentEncoding: "base64" } }).type).toMatchObject({
      kind: "string",
    });
  });
});
