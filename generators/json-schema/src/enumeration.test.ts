// JSON Schema 2020-12, validation, sections 6.1.2 and 6.1.3: enum and const, with the keywords next to them.
import type { JsonValue } from "@nodewright/model";
import { describe, expect, it } from "vitest";
import { readSchemas } from "./testing/read-schemas.ts";

const Text = { type: "string" };
const text = { $ref: "#/components/Text" };
const branch = (keyword: string, schema: object): object =>
  JSON.parse(`{"if": {"type": "object"}, "${keyword}": ${JSON.stringify(schema)}}`) as object;
const member = { type: "object", properties: { a: text } };

/** Conditions that contain a reference to a string schema, each with a valid and an invalid value. */
const withReferences: readonly (readonly [what: string, schema: object, right: JsonValue, wrong: JsonValue])[] = [
  ["properties", { properties: { a: text } }, { a: "x" }, { a: 1 }],
  ["patternProperties", { patternProperties: { "^a": text } }, { a: "x" }, { a: 1 }],
  ["additionalProperties", { additionalProperties: text }, { a: "x" }, { a: 1 }],
  ["propertyNames", { propertyNames: { $ref: "#/components/A" } }, { a: 1 }, { b: 1 }],
  ["dependentSchemas", { dependentSchemas: { a: member } }, { a: "x" }, { a: 1 }],
  ["prefixItems", { prefixItems: [true, text] }, [1, "x"], [1, 2]],
  ["items", { items: text }, ["x"], [1]],
  ["contains", { contains: text }, [1, "x"], [1]],
  ["an item of an item", { items: { items: text } }, [["x"]], [[1]]],
  ["an alternative of a member", { properties: { a: { anyOf: [{ type: "null" }, text] } } }, { a: "x" }, { a: 1 }],
  ["a part of a member", { properties: { a: { allOf: [true, text] } } }, { a: "x" }, { a: 1 }],
  ["a negated member", { properties: { a: { not: text } } }, { a: 1 }, { a: "x" }],
  ["the condition of a member", { properties: { a: { if: text, else: false } } }, { a: "x" }, { a: 1 }],
  ["the consequence for a member", { properties: { a: { ...branch("then", text), if: true } } }, { a: "x" }, { a: 1 }],
  ["the alternative for a member", { properties: { a: { if: false, else: text } } }, { a: "x" }, { a: 1 }],
  [
    "unevaluated members of a member",
    { properties: { a: { unevaluatedProperties: text } } },
    { a: { b: "x" } },
    { a: { b: 1 } },
  ],
  ["unevaluated items of a member", { properties: { a: { unevaluatedItems: text } } }, { a: ["x"] }, { a: [1] }],
  [
    "what unevaluated members are left of",
    { properties: { a: { ...text, unevaluatedItems: true } } },
    { a: "x" },
    { a: 1 },
  ],
];

describe("listed objects and arrays", () => {
  const components = { Text, A: { type: "string", pattern: "^a" } };

  it.each(withReferences)("are validated later against a reference in %s", (_what, schema, right, wrong) => {
    const { type, accepts } = readSchemas({ schema: { enum: [right, wrong], ...schema }, components });
    expect(type).toMatchObject({
      kind: "intersection",
      members: [{ kind: "enumeration", values: [right, wrong] }, {}],
    });
    expect([accepts(right), accepts(wrong)]).toEqual([true, false]);
  });

  it.each(withReferences)(
    "are left out where they do not match what stands in place of a reference in %s",
    (...one) => {
      const [, schema, right, wrong] = one;
      const replaced = JSON.stringify(schema)
        .replaceAll('{"$ref":"#/components/Text"}', JSON.stringify(Text))
        .replaceAll('"$ref":"#/components/Text"', '"type":"string"')
        .replaceAll('{"$ref":"#/components/A"}', JSON.stringify(components.A));
      const { type } = readSchemas({ schema: { enum: [right, wrong], ...(JSON.parse(replaced) as object) } });
      expect(type).toMatchObject({ kind: "enumeration", values: [right] });
    },
  );

  it("leave out the conditions that are decided already", () => {
    const schema = { enum: [{ a: "x" }, [], [1]], minItems: 1, properties: { a: text } };
    const { type } = readSchemas({ schema, components });
    expect(type).toMatchObject({
      kind: "intersection",
      members: [{ kind: "enumeration", values: [{ a: "x" }, [1]] }, { kind: "record" }],
    });
  });
});

describe("listed values that are neither objects nor arrays", () => {
  it("need no later validation", () => {
    const schema = { enum: [1, null, "a", true], type: ["object", "number", "null"], properties: { a: text } };
    const { type, codes, diagnostics } = readSchemas({ schema, components: { Text } });
    expect(type).toMatchObject({ kind: "enumeration", values: [1, null] });
    expect(codes).toEqual(["impossible-value", "impossible-value"]);
    expect(diagnostics.map(({ source }) => source.pointer)).toEqual(["/schema/enum/2", "/schema/enum/3"]);
  });
});

describe("null as the default", () => {
  it.each<[string, object, boolean]>([
    ["a string", Text, false],
    ["a number, in OpenAPI 3.0's way", { type: "number", nullable: false }, false],
    ["null", { type: "null" }, true],
    ["null among others", { anyOf: [Text, { type: "null" }] }, true],
    ["a reference, of which nothing is known yet", text, true],
    ["a reference among others", { anyOf: [{ type: "number" }, text] }, true],
    ["a reference in each part", { allOf: [text] }, true],
    ["what is not a reference", { not: text }, true],
    ["anything", {}, true],
    ["a listed null", { enum: [null, 1] }, true],
    ["other listed values", { enum: [0, "", false] }, false],
  ])("is the default of %s: %#", (_what, schema, isKept) => {
    const { type, codes } = readSchemas({ schema: { ...schema, default: null }, components: { Text } });
    if (isKept) expect(type).toHaveProperty("default", null);
    else expect(type).not.toHaveProperty("default");
    expect(codes.includes("null-default")).toBe(!isKept);
  });
});

describe("the place of a listed value", () => {
  it("is that of the list or of the constant", () => {
    const sourceOf = (schema: object): string => readSchemas({ schema }).type.source.pointer;
    expect(sourceOf({ enum: [1] })).toBe("/schema/enum");
    expect(sourceOf({ const: 1, enum: [1] })).toBe("/schema/const");
    expect(sourceOf({ const: 1 })).toBe("/schema/const");
    expect(sourceOf({ type: "string", enum: [1] })).toBe("/schema/enum");
  });
});

describe("values that nothing can match", () => {
  const saidOf = (schema: object, dialect: "2020-12" | "openapi-3.0" = "2020-12") =>
    readSchemas({ schema }, { dialect }).diagnostics.map(({ message, source }) => `${source.pointer} ${message}`);

  it("are reported by their type alone, not by bounds, lengths or other keywords", () => {
    expect(saidOf({ type: "number", enum: [1, 9], maximum: 5 })).toEqual([]);
    expect(saidOf({ type: ["string", "null"], enum: ["abc", null], maxLength: 1 })).toEqual([]);
    expect(saidOf({ enum: [1], not: { type: "number" } })).toEqual([]);
    expect(saidOf({ enum: ["a"], maxLength: 0, minimum: 1 })).toEqual([]);
  });

  it("do not count null where OpenAPI 3.0's nullable adds it", () => {
    expect(saidOf({ type: "string", enum: ["a", null], nullable: true }, "openapi-3.0")).toEqual([]);
    expect(saidOf({ type: "string", enum: ["a", null], nullable: false }, "openapi-3.0")).toEqual([
      "/schema/enum/1 The value null is not of type string, so nothing can match it.",
    ]);
    expect(saidOf({ type: "string", enum: ["a", 1], nullable: true }, "openapi-3.0")).toEqual([
      "/schema/enum/1 The value 1 is not of type string, so nothing can match it.",
    ]);
  });

  it("are named with all the types that there are", () => {
    expect(saidOf({ type: ["string", "integer"], enum: [1.5] })).toEqual([
      "/schema/enum/0 The value 1.5 is not of type string or integer, so nothing can match it.",
    ]);
    expect(saidOf({ type: "integer", enum: [2.0, 1e3] })).toEqual([]);
  });
});

describe("a listed value", () => {
  it.each<[string, unknown, object]>([
    ["object", null, {}],
    ["object", [1], {}],
    ["array", {}, {}],
    ["array", null, {}],
    ["null", {}, {}],
    ["null", 0, {}],
    ["integer", 1.5, {}],
    ["integer", "1", {}],
    ["boolean", 1, {}],
    ["string", 1, {}],
    ["number", true, {}],
  ])("of type %s cannot be %j, which is reported", (type, value, bounds) => {
    const { codes, type: read } = readSchemas({ schema: { type, enum: [value], ...bounds } });
    expect(codes).toEqual(["impossible-value"]);
    expect(read.kind).toBe("never");
  });

  it.each<[string, unknown, object]>([
    ["object", {}, { required: ["a"] }],
    ["array", [1], { maxItems: 0 }],
    ["integer", 1, { minimum: 5 }],
    ["number", 1, { minimum: 5 }],
    ["number", 1.5, { minimum: 5 }],
    ["string", "a", { minLength: 2 }],
  ])("of type %s that bounds cut off is not reported: %j", (type, value, bounds) => {
    const { codes, type: read } = readSchemas({ schema: { type, enum: [value], ...bounds } });
    expect(codes).toEqual([]);
    expect(read.kind).toBe("never");
  });

  it("is shown in the report as far as it is short", () => {
    const messageOf = (value: unknown): string | undefined =>
      readSchemas({ schema: { type: ["integer", "null"], enum: [value] } }).diagnostics[0]?.message;
    expect(messageOf("a".repeat(58))).toContain(`"${"a".repeat(58)}"`);
    expect(messageOf("a".repeat(58))).toContain("integer or null");
    expect(messageOf("a".repeat(59))).toContain(`"${"a".repeat(59)}…`);
  });
});
