import { describe, expect, it } from "vitest";
import { placesWithin, readFiles, withoutPlaces } from "./testing/read-files.ts";
import type { ScalarRepresentation } from "./type-reader.ts";

/** Returns the declaration of a type in a schema, without source ranges. */
function declarationOf(sdl: string, name: string, scalars: Readonly<Record<string, ScalarRepresentation>> = {}) {
  const { model, diagnostics } = readFiles(`type Query { ok: Int }\n${sdl}`, {}, { scalars });
  expect(diagnostics).toEqual([]);
  return withoutPlaces(model?.declarations.find(({ originalName }) => originalName === name));
}

const nothing = { kind: "never" };
const nothingElse = { additional: nothing, patterns: [] };
const field = { required: true, access: "read-write", arguments: [], documentation: {} };
const int = {
  kind: "number",
  integer: true,
  representation: "number",
  minimum: -2_147_483_648,
  maximum: 2_147_483_647,
};
const nullable = (type: object) => ({ kind: "union", mode: "any-of", members: [type, { kind: "null" }] });

describe("the declaration of a type", () => {
  it("is a record of its fields for an object, with its interfaces", () => {
    const sdl = `interface Node { id: ID! } interface Named implements Node { id: ID! name: String }
      "A pet." type Pet implements Node & Named { id: ID! "Its name." name: String tags(first: Int = 3, of: [Float!]): [Boolean!]! }`;
    const id = { ...field, name: "id", type: { kind: "string" } };
    const name = { ...field, name: "name", type: nullable({ kind: "string" }) };
    const argument = { location: "argument", required: false, style: "simple", explode: false, documentation: {} };
    expect(declarationOf(sdl, "Pet")).toEqual({
      name: "Pet",
      originalName: "Pet",
      role: "object",
      implements: ["Node", "Named"],
      documentation: { description: "A pet." },
      type: {
        kind: "record",
        ...nothingElse,
        members: [
          id,
          { ...name, documentation: { description: "Its name." } },
          {
            ...field,
            name: "tags",
            type: { kind: "list", prefix: [], element: { kind: "boolean" } },
            arguments: [
              { ...argument, name: "first", property: "first", type: nullable(int), default: 3 },
              {
                ...argument,
                name: "of",
                property: "of",
                type: nullable({
                  kind: "list",
                  prefix: [],
                  element: { kind: "number", integer: false, representation: "number" },
                }),
              },
            ],
          },
        ],
      },
    });
    expect(declarationOf(sdl, "Named")).toEqual({
      name: "Named",
      originalName: "Named",
      role: "interface",
      implements: ["Node"],
      documentation: {},
      type: { kind: "record", ...nothingElse, members: [id, name] },
    });
  });

  it("has required fields for an input where null is not allowed and no default given", () => {
    const sdl = 'input Filter { a: Int! b: Int! = 1 c: Kind = A "Others." d: [Filter!] } enum Kind { A }';
    const filter = { kind: "list", prefix: [], element: { kind: "reference", target: "Filter" } };
    expect(declarationOf(sdl, "Filter")).toEqual({
      name: "Filter",
      originalName: "Filter",
      role: "input",
      implements: [],
      documentation: {},
      type: {
        kind: "record",
        ...nothingElse,
        members: [
          { ...field, name: "a", type: int },
          { ...field, name: "b", type: int, required: false },
          { ...field, name: "c", type: nullable({ kind: "reference", target: "Kind" }), required: false },
          {
            ...field,
            name: "d",
            type: nullable(filter),
            required: false,
            documentation: { description: "Others." },
          },
        ],
      },
    });
  });

  it("is one record for each field of a @oneOf input, which must be given and not null", () => {
    const record = { kind: "record", ...nothingElse };
    const absent = { type: nothing, required: false, access: "read-write", arguments: [] };
    expect(declarationOf('input By @oneOf { id: ID "Its name." name: String }', "By")).toMatchObject({
      role: "input",
      type: {
        kind: "union",
        mode: "one-of",
        members: [
          {
            ...record,
            members: [
              { ...field, name: "id", type: { kind: "string" } },
              { ...absent, name: "name" },
            ],
          },
          {
            ...record,
            members: [
              { ...field, name: "name", type: { kind: "string" }, documentation: { description: "Its name." } },
              { ...absent, name: "id" },
            ],
          },
        ],
      },
    });
  });

  it("is an enumeration of the names of an enum, and a tagged union of the objects of a union", () => {
    expect(declarationOf("enum Kind { A B }", "Kind")).toEqual({
      name: "Kind",
      originalName: "Kind",
      role: "value",
      implements: [],
      documentation: {},
      type: { kind: "enumeration", values: ["A", "B"] },
    });
    expect(declarationOf("type A { a: Int } type B { b: Int } union Either = A | B", "Either")).toMatchObject({
      role: "value",
      type: {
        kind: "union",
        mode: "any-of",
        members: [
          { kind: "reference", target: "A" },
          { kind: "reference", target: "B" },
        ],
        discriminator: { property: "__typename" },
      },
    });
  });

  it.each([
    ['DateTime @specifiedBy(url: "https://scalars.graphql.org/andimarek/date-time")', "date-time"],
    ['Timestamp @specifiedBy(url: "https://www.rfc-editor.org/rfc/rfc3339")', "date-time"],
    ['Date @specifiedBy(url: "https://tools.ietf.org/html/rfc3339")', "date"],
    ['Time @specifiedBy(url: "https://tools.ietf.org/html/rfc3339")', "Time"],
    ['UUID @specifiedBy(url: "https://tools.ietf.org/html/rfc4122")', "uuid"],
    ['DateTime @specifiedBy(url: "https://example.org/stardate")', "DateTime"],
  ])("takes the format of a scalar from its specification: %s", (scalar, format) => {
    const { model } = readFiles(`scalar ${scalar} type Query { at: ${scalar.split(" ")[0]} }`);
    expect(model?.declarations[0]?.type).toMatchObject({ kind: "string", format });
  });

  it.each<[string, ScalarRepresentation | undefined, object]>([
    ["DateTime", undefined, { kind: "string", format: "DateTime" }],
    ["Timestamp", undefined, { kind: "string", format: "Timestamp" }],
    ["URI", undefined, { kind: "string", format: "URI" }],
    ["Locale", undefined, { kind: "string", format: "Locale" }],
    ["BigInt", undefined, { kind: "string", format: "BigInt" }],
    ["Int8", undefined, { kind: "number", integer: true, representation: "number" }],
    ["UnsignedInt", undefined, { kind: "number", integer: true, representation: "number" }],
    ["JSON", undefined, { kind: "any" }],
    ["JSON", {}, { kind: "any" }],
    ["BigInt", {}, { kind: "string", format: "BigInt" }],
    ["BigInt", { type: "integer" }, { kind: "number", integer: true, representation: "number" }],
    ["BigInt", { type: "number" }, { kind: "number", integer: false, representation: "number" }],
    ["Date", { type: "unknown" }, { kind: "any" }],
    ["Flag", { type: "boolean" }, { kind: "boolean" }],
    ["Flag", { type: "string" }, { kind: "string", format: "Flag" }],
    ["Bytes32", { pattern: "^0x" }, { kind: "string", format: "Bytes32", pattern: "^0x" }],
  ])("is what a scalar is written as: %s, configured as %j", (name, representation, type) => {
    const scalars = representation === undefined ? {} : { [name]: representation };
    const declaration = declarationOf(`scalar ${name}`, name, scalars);
    expect(declaration).toMatchObject({ role: "scalar", implements: [] });
    expect(declaration).toHaveProperty("type", type);
  });

  it("is in document order, without root types that no other type refers to", () => {
    const originals = (sdl: string) => readFiles(sdl).model?.declarations.map(({ originalName }) => originalName);
    expect(originals("type B { c: C } type Query { b: B } type A { x: Int } scalar C type Mutation { a: A }")).toEqual([
      "B",
      "A",
      "C",
    ]);
    expect(originals("type Query { ok: Int again: Query } type Mutation { do: Int }")).toEqual(["Query"]);
    expect(
      originals("type Query { ok: Int found: Found } union Found = Subscription type Subscription { a: Int }"),
    ).toEqual(["Found", "Subscription"]);
    expect(originals("interface I { query: Query } type Query { ok: Int }")).toEqual(["I", "Query"]);
    expect(originals("schema { query: Root } type Root { ok: Int } type Query { ok: Int }")).toEqual(["Query"]);
  });

  it("knows where everything stands", () => {
    const { model } = readFiles(
      "type Query { ok: Int }\ntype A {\n  b(c: [In!]): Int\n}\ninput In {\n  d: E\n}\nenum E { F }",
    );
    expect(placesWithin(model?.declarations)).toEqual(
      new Set(["2:1 A", "1:1 A.b", "1:1 A.b(c:)", "3:5 A.b(c:)", "3:3 A.b", "5:1 In", "1:1 In.d", "6:3 In.d", "8:1 E"]),
    );
  });
});

describe("the documentation of a type or field", () => {
  it.each<[string, object]>([
    ["old: Int", {}],
    ['"" old: Int', {}],
    ['"Gone." old: Int', { description: "Gone." }],
    ["old: Int @deprecated", { deprecated: true }],
    ['old: Int @deprecated(reason: "No longer supported")', { deprecated: true }],
    ['old: Int @deprecated(reason: "use new")', { deprecated: true, deprecationReason: "use new" }],
    ['old: Int @deprecated(reason: "")', { deprecated: true, deprecationReason: "" }],
  ])("is what the document says of it: %s", (sdl, documentation) => {
    expect(readFiles(`type Query { ${sdl} }`).model?.operations[0]?.documentation).toEqual(documentation);
  });

  it.each<[string, string | undefined]>([
    ["A", undefined],
    ['"" A', undefined],
    ['"One." A', "- `A`: One."],
    ['""" Two\n  lines,   spaced. """ A B', "- `A`: Two lines, spaced."],
    ['A @deprecated(reason: " no\\n  more ")', "- `A`: deprecated: no more"],
    [
      '"One." A @deprecated B @deprecated',
      "- `A`: One.; deprecated: No longer supported\n- `B`: deprecated: No longer supported",
    ],
  ])("lists the values of an enum of which something is said: %s", (values, description) => {
    const { model } = readFiles(`type Query { ok: Int }\nenum Kind { ${values} }`);
    expect(model?.declarations[0]?.documentation).toEqual(description === undefined ? {} : { description });
    const described = readFiles(`type Query { ok: Int }\n"Kinds." enum Kind { ${values} }`);
    expect(described.model?.declarations[0]?.documentation).toEqual({
      description: ["Kinds.", description].filter((text) => text !== undefined).join("\n\n"),
    });
  });
});

it("takes the names that the configuration chooses, and keeps others clear of them", () => {
  const sdl = "type a { x: Int } type Pets { y: Int } type Query { ok: Int }";
  const { model } = readFiles(sdl, {}, { readOptions: { declarations: { a: "Pets" } } });
  expect(model?.declarations.map(({ name, originalName }) => [originalName, name])).toEqual([
    ["a", "Pets"],
    ["Pets", "Pets2"],
  ]);
});
