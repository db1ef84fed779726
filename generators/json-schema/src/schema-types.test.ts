// JSON Schema 2020-12, validation: type, annotations, and the types for keywords of arrays and objects.
import { createDiagnosticSink, createDocumentSet } from "@nodewright/source";
import { describe, expect, it } from "vitest";
import { createSchemaReader } from "./schema-reader.ts";
import { consequence, type ReadingOfSchemas, readSchemas } from "./testing/read-schemas.ts";

const text = { type: "string" };

/** Returns the type of a schema, without source ranges. */
function typeOf(schema: unknown, options: ReadingOfSchemas = {}, others: object = {}): unknown {
  return withoutSources(readSchemas({ schema, ...others }, options).type);
}

function withoutSources(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, member: unknown) =>
      name === "source" || name.endsWith("Source") ? undefined : member,
    ),
  );
}

function saidOf(schema: unknown, options: ReadingOfSchemas = {}): readonly string[] {
  return readSchemas({ schema }, options).diagnostics.map(({ source, message }) => `${source.pointer} ${message}`);
}

const any = { kind: "any" };
const never = { kind: "never" };
const string = { kind: "string" };
const number = { kind: "number", integer: false, representation: "number" };
const integer = { kind: "number", integer: true, representation: "number" };
const list = { kind: "list", prefix: [], element: any };
const record = { kind: "record", members: [], additional: any, patterns: [] };

describe("the type of a schema", () => {
  it.each<[unknown, object]>([
    [true, any],
    [false, never],
    [{}, any],
    [{ type: "null" }, { kind: "null" }],
    [{ type: "boolean" }, { kind: "boolean" }],
    [text, string],
    [{ type: "number" }, number],
    [{ type: "integer" }, integer],
    [{ type: "array" }, list],
    [{ type: "object" }, record],
    [{ type: ["string"] }, string],
    [{ type: ["integer", "number"] }, number],
    [{ type: ["string", "string"] }, string],
    [
      { type: ["null", "boolean"] },
      { kind: "union", mode: "any-of", members: [{ kind: "null" }, { kind: "boolean" }] },
    ],
    [
      { type: "integer", minimum: 1, multipleOf: 2 },
      { ...integer, minimum: 1, multipleOf: 2 },
    ],
    [{ type: "string", minimum: 1, required: ["a"] }, string],
  ])("%j is read as %j", (schema, expected) => {
    expect(typeOf(schema)).toEqual(expected);
    expect(saidOf(schema)).toEqual([]);
  });

  it.each<[unknown, string]>([
    ["strng", '"strng" is not a type of JSON Schema (did you mean "string"?).'],
    ["objects", '"objects" is not a type of JSON Schema (did you mean "object"?).'],
    ["String", '"String" is not a type of JSON Schema (did you mean "string"?).'],
    ["file", '"file" is not a type of JSON Schema.'],
    [1, '"1" is not a type of JSON Schema.'],
    [{ a: 1 }, '"{"a":1}" is not a type of JSON Schema.'],
  ])("is not %j, which is reported", (type, message) => {
    expect(saidOf({ type })).toEqual([`/schema/type ${message}`]);
    expect(saidOf({ type: [type, "null"] })).toEqual([`/schema/type/0 ${message}`]);
    expect(typeOf({ type })).toEqual(any);
    expect(typeOf({ type: [type, "null"] })).toEqual({ kind: "null" });
  });

  it.each<[unknown, string]>([
    [null, "null"],
    [1, "a number"],
    ["a", "a string"],
    [[], "an array"],
  ])("is needed: a schema is not %j", (schema, found) => {
    expect(saidOf(schema)).toEqual([`/schema A schema is an object or a boolean, not ${found}.`]);
    expect(typeOf(schema)).toEqual(any);
  });

  it("stands where the schema names it", () => {
    const { type } = readSchemas({ schema: { type: ["string", "null", "array"], minLength: 1 } });
    expect(type.kind === "union" ? type.members.map(({ source }) => source.pointer) : []).toEqual([
      "/schema/type",
      "/schema/type",
      "/schema",
    ]);
  });
});

describe("what people read", () => {
  it("is title, description, deprecation and examples, of each what there is", () => {
    expect(
      typeOf({ ...text, title: "A", description: "B", deprecated: true, example: "c", examples: ["d", "e"] }),
    ).toEqual({
      ...string,
      documentation: {
        summary: "A",
        description: "B",
        deprecated: true,
        examples: ["c", "d", "e"],
        exampleSources: [{}, {}, {}].map(() => expect.anything() as object),
      },
    });
    expect(typeOf({ ...text, title: "A" })).toEqual({ ...string, documentation: { summary: "A" } });
    expect(typeOf({ ...text, description: "B" })).toEqual({ ...string, documentation: { description: "B" } });
    expect(typeOf({ ...text, deprecated: false })).toEqual({ ...string, documentation: { deprecated: false } });
    expect(readSchemas({ schema: { ...text, examples: ["d"] } }).type.documentation).toMatchObject({
      examples: ["d"],
      exampleSources: [{ pointer: "/schema/examples/0" }],
    });
    expect(typeOf({ ...text, examples: [] })).toEqual(string);
    expect(typeOf({ ...text, title: 1, description: null, deprecated: "yes" })).toEqual(string);
  });

  it("is said of members and declarations as well", () => {
    const { declarations } = readSchemas({
      schema: true,
      components: {
        A: { type: "object", description: "An a.", properties: { b: { ...text, title: "A b." }, c: text } },
      },
    });
    expect(declarations).toMatchObject([
      {
        name: "A",
        originalName: "A",
        role: "value",
        implements: [],
        documentation: { description: "An a." },
        type: { members: [{ documentation: { summary: "A b." } }, { name: "c" }] },
      },
    ]);
    const [declaration] = declarations;
    const fields = declaration?.type.kind === "record" ? declaration.type.members : [];
    expect(fields[1]).not.toHaveProperty("documentation");
  });

  it("has the default next to it", () => {
    const { type } = readSchemas({ schema: { ...text, default: "a" } });
    expect(type).toMatchObject({ default: "a", defaultSource: { pointer: "/schema/default" } });
    expect(type).not.toHaveProperty("documentation");
    expect(typeOf({ type: "object", default: {} })).toEqual({ ...record, default: {} });
  });
});

describe("OpenAPI 3.0's nullable", () => {
  const nullable = (schema: object): unknown => typeOf({ ...schema, nullable: true }, { dialect: "openapi-3.0" });
  const none = { kind: "null" };

  it.each<[object, object]>([
    [{}, any],
    [text, { kind: "union", mode: "any-of", members: [string, none] }],
    [
      { ...text, enum: ["a"] },
      { kind: "enumeration", values: ["a", null] },
    ],
    [{ enum: ["a", null] }, { kind: "enumeration", values: ["a", null] }],
    [
      { anyOf: [text, { type: "boolean" }] },
      { kind: "union", mode: "any-of", members: [string, { kind: "boolean" }, none] },
    ],
    [{ anyOf: [text, { type: "null" }] }, { kind: "union", mode: "any-of", members: [string, none] }],
    [
      { oneOf: [text, { type: "boolean" }] },
      {
        kind: "union",
        mode: "any-of",
        members: [{ kind: "union", mode: "one-of", members: [string, { kind: "boolean" }] }, none],
      },
    ],
    [
      { anyOf: [text], discriminator: { propertyName: "a" } },
      {
        kind: "union",
        mode: "any-of",
        members: [{ kind: "union", mode: "any-of", members: [string], discriminator: { property: "a" } }, none],
      },
    ],
  ])("adds null to %j", (schema, expected) => {
    expect(nullable(schema)).toEqual(expected);
  });

  it.each([false, "true", null])("adds nothing where it is %j", (value) => {
    expect(typeOf({ ...text, nullable: value }, { dialect: "openapi-3.0" })).toEqual(string);
  });

  it("is reported elsewhere, where it is true", () => {
    expect(saidOf({ ...text, nullable: true })).toEqual([
      '/schema/nullable "nullable" has no effect here: it belongs to OpenAPI 3.0.',
    ]);
    expect(saidOf({ ...text, nullable: false })).toEqual([]);
    expect(saidOf({ ...text, nullable: true }, { dialect: "openapi-3.0" })).toEqual([]);
  });
});

describe("a schema of several conditions", () => {
  it("has them all, in the order of references, own keywords, parts, alternatives, negation and conditions", () => {
    const schema = {
      if: { const: 1 },
      not: { const: 2 },
      oneOf: [text],
      anyOf: [text],
      allOf: [{ minLength: 3 }],
      minLength: 4,
      $ref: "#/components/A",
    };
    expect(typeOf(schema, {}, { components: { A: text } })).toEqual({
      kind: "intersection",
      members: [
        { kind: "reference", target: "A" },
        { ...string, minLength: 4, isKindImplied: true },
        { ...string, minLength: 3, isKindImplied: true },
        { kind: "union", mode: "any-of", members: [string] },
        { kind: "union", mode: "one-of", members: [string] },
        { kind: "not", type: { kind: "enumeration", values: [2] } },
        { kind: "conditional", condition: { kind: "enumeration", values: [1] }, consequence: any, alternative: any },
      ],
    });
  });

  it("has one alone as it is", () => {
    expect(typeOf({ allOf: [text] })).toEqual(string);
    expect(typeOf({ $ref: "#/components/A" }, {}, { components: { A: text } })).toEqual({
      kind: "reference",
      target: "A",
    });
    expect(typeOf({ not: text })).toEqual({ kind: "not", type: string });
    expect(typeOf({ ...consequence(text), else: text })).toEqual(any);
    expect(typeOf({ if: true, ...consequence(text), else: false })).toEqual({
      kind: "conditional",
      condition: any,
      consequence: string,
      alternative: never,
    });
  });

  it("has none for alternatives that are none", () => {
    for (const anyOf of [[], {}, 1]) expect(typeOf({ anyOf })).toEqual(any);
  });

  it("asks what is left of members and items", () => {
    expect(typeOf({ ...text, unevaluatedProperties: false })).toEqual({
      kind: "unevaluated",
      base: string,
      members: never,
    });
    expect(typeOf({ ...text, unevaluatedItems: text })).toEqual({
      kind: "unevaluated",
      base: string,
      elements: string,
    });
    expect(typeOf({ unevaluatedItems: true, unevaluatedProperties: true })).toEqual({
      kind: "unevaluated",
      base: any,
      members: any,
      elements: any,
    });
  });
});

describe("an array", () => {
  it.each<[object, object, ReadingOfSchemas["dialect"]?]>([
    [{ items: text }, { element: string, evaluatesAll: true }],
    [{ prefixItems: [text] }, { prefix: [string] }],
    [
      { prefixItems: [text], items: false },
      { prefix: [string], element: never, evaluatesAll: true },
    ],
    [{ prefixItems: [text] }, {}, "2019-09"],
    [{ prefixItems: [text] }, {}, "draft-07"],
    [{ prefixItems: [text] }, { prefix: [string] }, "openapi-3.0"],
    [{ items: [text] }, { prefix: [string] }, "draft-07"],
    [{ items: [text], additionalItems: false }, { prefix: [string], element: never, evaluatesAll: true }, "draft-07"],
    [{ items: text, additionalItems: false }, { element: string, evaluatesAll: true }, "draft-07"],
    [{ additionalItems: false }, {}, "draft-07"],
    [{ contains: text }, { contains: { type: string, minimum: 1 } }],
    [{ contains: text, minContains: 0, maxContains: 2 }, { contains: { type: string, minimum: 0, maximum: 2 } }],
    [{ minContains: 2 }, {}],
  ])("with %j has %j", (keywords, facts, dialect = "2020-12") => {
    expect(typeOf({ type: "array", ...keywords }, { dialect })).toEqual({ ...list, ...facts });
  });
});

describe("an object", () => {
  const field = { access: "read-write", arguments: [], required: false };
  const requiring = (...names: readonly string[]) => ({
    ...record,
    isKindImplied: true,
    members: names.map((name) => ({ ...field, name, type: any, required: true, isUndescribed: true })),
  });

  it.each<[object, object]>([
    [{ properties: { a: text } }, { members: [{ ...field, name: "a", type: string }] }],
    [
      { properties: { a: text }, required: ["a"] },
      { members: [{ ...field, name: "a", type: string, required: true }] },
    ],
    [{ required: ["a"] }, { members: [{ ...field, name: "a", type: any, required: true, isUndescribed: true }] }],
    [
      { required: ["a"], additionalProperties: text },
      {
        members: [{ ...field, name: "a", type: string, required: true, isUndescribed: true }],
        additional: string,
        evaluatesAll: true,
      },
    ],
    [
      { required: ["ab"], patternProperties: { "^a": text, b$: { type: "boolean" }, c: false } },
      {
        members: [
          {
            ...field,
            name: "ab",
            type: { kind: "intersection", members: [string, { kind: "boolean" }] },
            required: true,
            isUndescribed: true,
          },
        ],
        patterns: [
          { pattern: "^a", type: string },
          { pattern: "b$", type: { kind: "boolean" } },
          { pattern: "c", type: never },
        ],
      },
    ],
    [{ propertyNames: text }, { names: string }],
    [
      { dependentRequired: { a: ["b", "b", 1] } },
      { dependencies: [{ property: "a", keyword: "dependentRequired", type: requiring("b") }] },
    ],
    [{ dependentRequired: { a: [] } }, {}],
    [{ dependentRequired: { a: text } }, {}],
    [
      { dependentSchemas: { a: text } },
      { dependencies: [{ property: "a", keyword: "dependentSchemas", type: string }] },
    ],
    [
      { dependencies: { a: text, b: ["c"] } },
      {
        dependencies: [
          { property: "a", keyword: "dependencies", type: string },
          { property: "b", keyword: "dependencies", type: requiring("c") },
        ],
      },
    ],
    [
      { properties: { a: { ...text, "x-volatile": true }, b: { ...text, "x-volatile": false } } },
      {
        members: [
          { ...field, name: "a", type: string, isVolatile: true },
          { ...field, name: "b", type: string },
        ],
      },
    ],
  ])("with %j has %j", (keywords, facts) => {
    expect(typeOf({ type: "object", ...keywords })).toEqual({ ...record, ...facts });
  });

  it("reports an extension that has a wrong value", () => {
    const said = saidOf({ type: "object", properties: { a: { ...text, "x-volatile": "yes" } } });
    expect(said).toHaveLength(1);
    expect(said[0]).toContain("/schema/properties/a/x-volatile");
  });

  it("has undescribed members where they are required", () => {
    const { type } = readSchemas({ schema: { type: "object", required: ["a"] } });
    expect(type).toMatchObject({ members: [{ source: { pointer: "/schema/required" } }] });
  });

  it("does not require in a direction what the other side sets, also where another member requires it", () => {
    const schema = {
      type: "object",
      required: ["a", "b", "c"],
      properties: { a: { ...text, readOnly: true } },
      allOf: [{ properties: { b: { ...text, writeOnly: true } } }],
      dependentRequired: { c: ["a", "b"] },
    };
    const requiredIn = (direction: "request" | "response"): unknown => {
      const { type } = readSchemas({ schema }, { direction });
      const [own] = type.kind === "intersection" ? type.members : [];
      if (own?.kind !== "record") return own;
      const [dependency] = own.dependencies ?? [];
      return {
        members: own.members.map(({ name, required, access }) => [name, required, access]),
        dependent: dependency?.type.kind === "record" ? dependency.type.members.map(({ name }) => name) : [],
      };
    };
    expect(requiredIn("request")).toEqual({
      members: [
        ["a", false, "read-only"],
        ["b", true, "read-write"],
        ["c", true, "read-write"],
      ],
      dependent: ["b"],
    });
    expect(requiredIn("response")).toEqual({
      members: [
        ["a", true, "read-only"],
        ["c", true, "read-write"],
      ],
      dependent: ["a"],
    });
  });

  it("does not let what holds for it hold for its members and items", () => {
    const inner = { type: "object", required: ["a"], properties: { a: text } };
    const schema = {
      type: ["object", "array"],
      required: ["a"],
      properties: { a: { ...text, readOnly: true }, b: inner },
      patternProperties: { "^p": inner },
      additionalProperties: inner,
      propertyNames: inner,
      items: inner,
      prefixItems: [inner],
      contains: inner,
      unevaluatedItems: inner,
      unevaluatedProperties: inner,
    };
    const { type } = readSchemas({ schema }, { direction: "request" });
    const required: boolean[] = [];
    JSON.stringify(
      type,
      (_name, member: { kind?: string; members?: readonly { name: string; required: boolean }[] }) => {
        if (member?.kind === "record" && member.members?.length === 1)
          required.push(member.members[0]?.required === true);
        return member;
      },
    );
    expect(required).toEqual(Array(9).fill(true));
  });
});

describe("formats", () => {
  it("are asserted as a configuration says, whatever the dialect says", () => {
    const asserts = (format: unknown, formats?: NonNullable<ReadingOfSchemas["readOptions"]>["formats"]): boolean => {
      const { type } = readSchemas(
        { schema: { ...text, format } },
        formats === undefined ? {} : { readOptions: { formats } },
      );
      return "assertsFormat" in type;
    };
    expect(asserts("email")).toBe(false);
    expect(asserts("email", "annotate")).toBe(false);
    expect(asserts("email", "assert")).toBe(true);
    expect(asserts("email", [])).toBe(false);
    expect(asserts("email", ["uuid", "email"])).toBe(true);
    expect(asserts(undefined, "assert")).toBe(false);
    expect(asserts(1, "assert")).toBe(false);
  });
});

describe("declarations", () => {
  it("are given once, in the order in which they are met, with what they refer to", () => {
    const { declarations } = readSchemas({
      schema: { anyOf: [{ $ref: "#/$defs/b" }, { $ref: "#/$defs/a" }, { $ref: "#/$defs/b" }] },
      $defs: { a: { ...text, $ref: "#/$defs/c" }, b: text, c: text },
      components: { D: text },
    });
    expect(declarations.map(({ name, originalName }) => [name, originalName])).toEqual([
      ["D", "D"],
      ["B", "b"],
      ["A", "a"],
      ["C", "c"],
    ]);
  });

  it("leave the names alone that are reserved", () => {
    const sink = createDiagnosticSink();
    const documents = createDocumentSet("/", sink);
    documents.register("a.json", '{"a": {"type": "string"}, "b": {"$ref": "#/a"}}');
    const root = documents.read("a.json")?.root;
    const reader = createSchemaReader({ documents, sink, dialect: "2020-12", reservedNames: ["A"] });
    const place = root?.member("b");
    expect(place && reader.read(place)).toMatchObject({ kind: "reference", target: "A2" });
    expect(reader.declarations().map(({ name }) => name)).toEqual(["A2"]);
    expect(reader.names.allocate("A")).toBe("A3");
  });
});

describe("a member that is required and not described", () => {
  const fieldsOf = (schema: object): unknown => (typeOf({ type: "object", ...schema }) as { members: unknown }).members;
  const undescribed = { name: "x-a", required: true, access: "read-write", isUndescribed: true, arguments: [] };

  it.each<[string, object, object]>([
    ["what holds for all others", { additionalProperties: text }, string],
    ["anything where nothing holds for the others", {}, any],
    ["what a pattern says", { patternProperties: { "^x": { type: "integer" } }, additionalProperties: text }, integer],
    [
      "what holds for the others of a pattern",
      { patternProperties: { "^y": { type: "integer" } }, additionalProperties: text },
      string,
    ],
    [
      "what several patterns say",
      { patternProperties: { "^x": { type: "integer" }, a$: { minimum: 1 } } },
      { kind: "intersection", members: [integer, { ...number, minimum: 1, isKindImplied: true }] },
    ],
  ])("is %s", (_what, schema, type) => {
    expect(fieldsOf({ required: ["x-a"], ...schema })).toEqual([{ ...undescribed, type }]);
  });

  it("is one however often it is required", () => {
    expect(fieldsOf({ required: ["x-a", "x-a"] })).toEqual([{ ...undescribed, type: any }]);
  });
});
