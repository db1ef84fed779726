import { describe, expect, it } from "vitest";
import { assertingKeywords } from "./keywords.ts";
import { maximumReferenceChain } from "./reference-problems.ts";
import { consequence, readSchemas } from "./testing/read-schemas.ts";

/** Returns the diagnostics about a schema: place within it, code, message. */
function mistakesOf(schema: unknown, rest: object = {}): readonly string[] {
  return readSchemas({ schema, ...rest }).diagnostics.map(
    ({ code, message, source }) => `${source.pointer.replace("/schema", "")} ${code}: ${message}`,
  );
}

describe("a keyword with a wrong value", () => {
  it.each<[object, string]>([
    [
      { type: "string", minLength: "3" },
      '/minLength json-schema/wrong-keyword-value: The keyword "minLength" takes an integer of at least 0, not "3".',
    ],
    [
      { type: "string", maxLength: -1 },
      '/maxLength json-schema/wrong-keyword-value: The keyword "maxLength" takes an integer of at least 0, not -1.',
    ],
    [
      { type: "string", pattern: 1 },
      '/pattern json-schema/wrong-keyword-value: The keyword "pattern" takes a string, not a number.',
    ],
    [
      { type: "number", maximum: "9" },
      '/maximum json-schema/wrong-keyword-value: The keyword "maximum" takes a number, not a string.',
    ],
    [
      { type: "number", exclusiveMaximum: true },
      '/exclusiveMaximum json-schema/wrong-keyword-value: The keyword "exclusiveMaximum" takes a number, not a boolean.',
    ],
    [
      { type: "number", multipleOf: 0 },
      '/multipleOf json-schema/wrong-keyword-value: The keyword "multipleOf" takes a number above 0, not 0.',
    ],
    [{ type: "array", items: 1 }, "/items json-schema/not-a-schema: A schema is an object or a boolean, not a number."],
    [
      { type: "array", prefixItems: {} },
      '/prefixItems json-schema/wrong-keyword-value: The keyword "prefixItems" takes a list of schemas, not an object.',
    ],
    [
      { type: "object", properties: [] },
      '/properties json-schema/wrong-keyword-value: The keyword "properties" takes an object of schemas, not an array.',
    ],
    [
      { type: "object", required: true },
      '/required json-schema/wrong-keyword-value: The keyword "required" takes a list of names, not a boolean.',
    ],
    [
      { type: "object", required: ["a", 1] },
      '/required/1 json-schema/wrong-keyword-value: The keyword "required" takes a list of names, not a number.',
    ],
    [
      { allOf: [] },
      '/allOf json-schema/wrong-keyword-value: The keyword "allOf" takes a list of schemas, not an empty one.',
    ],
    [{ oneOf: [null] }, "/oneOf/0 json-schema/not-a-schema: A schema is an object or a boolean, not null."],
    [{ enum: "a" }, '/enum json-schema/wrong-keyword-value: The keyword "enum" takes a list, not a string.'],
    [{ enum: [] }, "/enum json-schema/empty-enumeration: An enum without values matches nothing."],
    [
      { type: [] },
      '/type json-schema/wrong-keyword-value: The keyword "type" takes a type or a list of types, not an empty one.',
    ],
    [
      { type: ["string", "nul"] },
      '/type/1 json-schema/unknown-type: "nul" is not a type of JSON Schema (did you mean "null"?).',
    ],
    [
      { $anchor: "a b" },
      '/$anchor json-schema/wrong-keyword-value: The keyword "$anchor" takes a name of letters, digits, -, _ and ., not "a b".',
    ],
    [
      { description: 1 },
      '/description json-schema/wrong-annotation: The keyword "description" takes a string, not a number; it has no effect.',
    ],
    [
      { minLenght: 1 },
      '/minLenght json-schema/unknown-keyword: The keyword "minLenght" is not known (did you mean "minLength"?); it has no effect.',
    ],
    [
      { type: "object", patternProperties: { "[": true } },
      "/patternProperties/[ json-schema/invalid-pattern: This pattern is not a regular expression: /[/u: Unterminated character class.",
    ],
    [
      { type: "object", minProperties: 2, maxProperties: 1 },
      "/maxProperties json-schema/contradictory-bounds: Nothing can match: 2 is above 1.",
    ],
    [{ $ref: 1 }, '/$ref source/unresolved-reference: The reference "1" leads nowhere: it is not a string.'],
  ])("is told at its place: %j", (schema, expected) => {
    expect(mistakesOf(schema)).toEqual([expected]);
  });

  it("of null as a default means none, and is reported", () => {
    const { type, codes } = readSchemas({ schema: { type: "string", default: null } });
    expect(type).not.toHaveProperty("default");
    expect(codes).toEqual(["null-default"]);
    expect(readSchemas({ schema: { type: ["string", "null"], default: null } }).type).toHaveProperty("default", null);
  });

  it("is reported with all the others", () => {
    const schema = { type: "strin", properties: { a: { type: "number", minimum: "x" } }, required: 1 };
    expect(mistakesOf({ type: "object", properties: { b: schema, c: { $ref: "#/nowhere" } } })).toHaveLength(4);
  });

  it.each([...assertingKeywords.keys()])("ends no reading, whatever it is: %s", (keyword) => {
    for (const value of [null, true, -1, "[", [], [[]], {}, { a: null }, { a: [1] }, { __proto__: {} }])
      expect(() => readSchemas({ schema: { [keyword]: value } })).not.toThrow();
  });
});

describe("a pattern", () => {
  it("loses backslashes that the standard forbids and that mean nothing", () => {
    expect(readSchemas({ schema: { type: "string", pattern: "^\\@[\\w\\-\\_]+\\-$" } })).toMatchObject({
      type: { pattern: "^@[\\w\\-_]+-$" },
      codes: [],
    });
  });
});

describe("references without an end", () => {
  it.each<[string, object]>([
    ["not", { not: { $ref: "#/components/A" } }],
    ["if", { if: { $ref: "#/components/A" } }],
    ["then", { if: true, ...consequence({ $ref: "#/components/A" }) }],
    ["dependentSchemas", { type: "object", dependentSchemas: { a: { $ref: "#/components/A" } } }],
    ["beside unevaluatedItems", { $ref: "#/components/A", unevaluatedItems: false }],
  ])("are found behind %s", (_, A) => {
    expect(readSchemas({ schema: true, components: { A } }).codes).toEqual(["endless-reference"]);
  });

  it.each<[string, object]>([
    ["contains", { type: "array", contains: { $ref: "#/components/A" } }],
    ["propertyNames", { type: "object", propertyNames: { $ref: "#/components/A" } }],
    ["unevaluatedProperties", { type: "object", unevaluatedProperties: { $ref: "#/components/A" } }],
  ])("are not seen behind %s", (_, A) => {
    expect(readSchemas({ schema: true, components: { A } }).codes).toEqual([]);
  });

  it("are reported once for each reference of a long circle, in a time that grows no faster than it", () => {
    const count = 20_000;
    const components = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`A${index}`, { $ref: `#/components/A${(index + 1) % count}` }]),
    );
    expect(readSchemas({ schema: true, components }).codes).toHaveLength(count);
  });

  it("are as bad where they only take very long to end", () => {
    const count = 3 * maximumReferenceChain;
    const components = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `A${index}`,
        index + 1 < count ? { $ref: `#/components/A${index + 1}` } : true,
      ]),
    );
    const { codes, diagnostics } = readSchemas({ schema: true, components });
    expect(codes).toEqual(["too-deep"]);
    expect(diagnostics[0]?.message).toContain(` ${maximumReferenceChain} `);
  });
});
