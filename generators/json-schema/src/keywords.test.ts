import { describe, expect, it } from "vitest";
import { type KeywordKind, keywordsOfKind } from "./keywords.ts";
import { readSchemas } from "./testing/read-schemas.ts";

/** Keywords with subschemas, and how each contains one. */
const holders: readonly (readonly [keyword: string, hold: (schema: object) => unknown])[] = [
  ...["not", "if", "then", "else", "items", "additionalItems", "unevaluatedItems", "contains"].map(
    (keyword) => [keyword, (schema: object) => schema] as const,
  ),
  ...["additionalProperties", "unevaluatedProperties", "propertyNames", "contentSchema"].map(
    (keyword) => [keyword, (schema: object) => schema] as const,
  ),
  ...["allOf", "anyOf", "oneOf", "prefixItems", "items"].map(
    (keyword) => [keyword, (schema: object) => [true, schema]] as const,
  ),
  ...["$defs", "definitions", "properties", "patternProperties", "dependentSchemas", "dependencies"].map(
    (keyword) => [keyword, (schema: object) => ({ a: true, b: schema })] as const,
  ),
];

const text = { type: "string" };

describe("a keyword that holds schemas", () => {
  it.each(holders)("%s has identifiers inside looked for", (keyword, hold) => {
    const identified = { $id: "https://own.example/inner", ...text };
    const document = { schema: { $ref: "https://own.example/inner" }, more: { [keyword]: hold(identified) } };
    // The document itself is a schema, whose member `more` is not a keyword.
    expect(readSchemas(document).codes).toEqual(["source/remote-reference"]);
    const { codes, accepts } = readSchemas({ schema: document.schema, $defs: { more: document.more } });
    expect(codes).toEqual([]);
    expect([accepts("a"), accepts(1)]).toEqual([true, false]);
  });

  it.each(["enum", "const", "default", "example", "examples", "x-own", "discriminator", "required"])(
    "%s is none of them",
    (keyword) => {
      const $defs = { more: { [keyword]: [{ $id: "https://own.example/inner", ...text }] } };
      const { codes } = readSchemas({ schema: { $ref: "https://own.example/inner" }, $defs });
      expect(codes).toEqual(["source/remote-reference"]);
    },
  );
});

describe("a keyword that speaks of one kind of value", () => {
  const examples: Readonly<Record<KeywordKind, Readonly<Record<string, unknown>>>> = {
    string: { minLength: 1, maxLength: 1, pattern: "a" },
    number: { minimum: 1, maximum: 1, exclusiveMinimum: 1, exclusiveMaximum: 1, multipleOf: 1 },
    array: { items: true, prefixItems: [true], minItems: 1, maxItems: 1, uniqueItems: true, contains: true },
    object: {
      properties: {},
      required: [],
      additionalProperties: true,
      patternProperties: {},
      minProperties: 1,
      maxProperties: 1,
      propertyNames: true,
      dependentRequired: {},
      dependentSchemas: {},
      dependencies: {},
    },
  };
  const kinds = { string: "string", number: "number", array: "list", object: "record" };
  const cases = Object.entries(examples).flatMap(([kind, keywords]) =>
    Object.entries(keywords).map(([keyword, value]) => [keyword, value, kind as KeywordKind] as const),
  );

  it("is one of the validation or applicator vocabulary", () => {
    for (const [kind, keywords] of Object.entries(examples))
      expect(keywordsOfKind[kind as KeywordKind]).toEqual(Object.keys(keywords));
  });

  it.each(cases)("%s implies a type where a schema names none", (keyword, value, kind) => {
    const { type, diagnostics } = readSchemas({ schema: { [keyword]: value } });
    expect(type).toMatchObject({ kind: kinds[kind], isKindImplied: true });
    expect(diagnostics).toMatchObject([
      {
        code: "json-schema/implied-type",
        severity: "warning",
        message: `Without "type", "${keyword}" holds for values of type ${kind} alone: all others match.`,
        source: { pointer: `/schema/${keyword}` },
      },
    ]);
  });

  it("is reported once for each kind", () => {
    const { codes } = readSchemas({ schema: { minLength: 1, maxLength: 2, minimum: 1 } });
    expect(codes).toEqual(["implied-type", "implied-type"]);
  });

  it.each<[string, object]>([
    ["allOf", { allOf: [true], minLength: 1 }],
    ["anyOf", { anyOf: [true], minLength: 1 }],
    ["oneOf", { oneOf: [true], minLength: 1 }],
    ["enum", { enum: ["a"], minLength: 1 }],
    ["const", { const: "a", minLength: 1 }],
    ["if", { if: true, minLength: 1 }],
    ["$ref", { $ref: "#/components/A", minLength: 1 }],
    ["$dynamicRef", { $dynamicRef: "#/components/A", minLength: 1 }],
    ["type, which is wrong", { type: [], minLength: 1 }],
    ["allOf around it", { allOf: [{ minLength: 1 }] }],
    ["anyOf around it", { anyOf: [true, { minLength: 1 }] }],
    ["oneOf around it", { oneOf: [{ minLength: 1 }] }],
    ["not around it", { not: { minLength: 1 } }],
    ["if around it", { if: { minLength: 1 } }],
    ["then around it", JSON.parse('{"if": true, "then": {"minLength": 1}}') as object],
    ["else around it", { if: true, else: { minLength: 1 } }],
    ["propertyNames around it", { type: "object", propertyNames: { minLength: 1 } }],
    ["dependentSchemas around it", { type: "object", dependentSchemas: { a: { minProperties: 1 } } }],
    ["dependencies around it", { type: "object", dependencies: { a: { minProperties: 1 } } }],
  ])("may leave the type to %s", (_what, schema) => {
    const { codes } = readSchemas({ schema, components: { A: text } });
    expect(codes).not.toContain("implied-type");
  });

  it.each<[string, object]>([
    ["a member", { type: "object", properties: { a: { minLength: 1 } } }],
    ["an item", { type: "array", items: { minLength: 1 } }],
    ["a first item", { type: "array", prefixItems: [{ minLength: 1 }] }],
    ["a member of an alternative", { anyOf: [{ type: "object", properties: { a: { minLength: 1 } } }] }],
    ["what is not negated itself", { not: true, minLength: 1 }],
    ["a member of a member called allOf", { type: "object", properties: { allOf: { minLength: 1 } } }],
  ])("may not leave it to another schema in %s", (_what, schema) => {
    const { codes } = readSchemas({ schema });
    expect(codes).toEqual(["implied-type"]);
  });

  it("does not imply a type by a format that is not asserted", () => {
    expect(readSchemas({ schema: { format: "email" } })).toMatchObject({ type: { kind: "any" }, codes: [] });
    const asserting = readSchemas({ schema: { format: "email" } }, { readOptions: { formats: "assert" } });
    expect(asserting).toMatchObject({ type: { kind: "string", isKindImplied: true }, codes: [] });
  });
});

describe("the values of keywords that hold schemas or texts", () => {
  const $id = "https://own.example/a";

  it.each<[string, readonly unknown[], object?]>([
    ["$id", [$id]],
    ["$schema", ["https://json-schema.org/draft/2020-12/schema"]],
    ["$ref", ["#/components/A"]],
    ["$dynamicRef", ["#/components/A"]],
    ["$recursiveRef", ["#"], { $id, type: "object" }],
    ["$recursiveAnchor", [true, false]],
    ["$vocabulary", [{}, { a: true, b: false }]],
    ["type", ["string", ["string", "null"]]],
    ["const", ["a", null, {}]],
    ["not", [true, {}]],
    ["if", [true, {}]],
    ["then", [true, {}], { if: true }],
    ["else", [true, {}], { if: true }],
    ["items", [true, {}, [true]], { type: "array" }],
    ["additionalItems", [true, {}], { type: "array", items: [true] }],
    ["unevaluatedItems", [true, {}], { type: "array" }],
    ["contains", [true, {}], { type: "array" }],
    ["additionalProperties", [true, {}], { type: "object" }],
    ["unevaluatedProperties", [true, {}], { type: "object" }],
    ["propertyNames", [true, {}], { type: "object" }],
    ["contentSchema", [true, {}], { type: "string" }],
    ["nullable", [false]],
  ])("%s may be what JSON Schema says", (keyword, values, beside = {}) => {
    for (const value of values) {
      const schema = { ...beside, [keyword]: value };
      const codes = readSchemas({ schema, components: { A: text } }).codes.filter(
        (code) => code !== "endless-reference",
      );
      expect([schema, codes]).toEqual([schema, []]);
    }
  });

  it.each<[string, unknown, string]>([
    ["$id", 1, "a string, not a number"],
    ["$schema", 1, "a string, not a number"],
    ["$dynamicRef", 1, "a string, not a number"],
    ["$recursiveRef", [], "a string, not an array"],
    ["$recursiveAnchor", "true", "true or false, not a string"],
    ["$vocabulary", [], "an object of true and false, not an array"],
    ["$vocabulary", { a: true, b: 1 }, "an object of true and false, not an object"],
    ["nullable", 1, "true or false, not a number"],
  ])("%s may not be %j", (keyword, value, problem) => {
    const messages = readSchemas({ schema: { [keyword]: value } }).diagnostics.map(({ message }) => message);
    expect(messages).toContain(`The keyword "${keyword}" takes ${problem}.`);
  });
});
