import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiagnosticSink, createDocumentSet } from "@nodewright/source";
import { afterAll, describe, expect, it } from "vitest";
import type { SchemaDialect } from "./schema-dialect.ts";
import { createSchemaReader } from "./schema-reader.ts";

const directory = mkdtempSync(join(tmpdir(), "nodewright-json-schema-"));

afterAll(() => rmSync(directory, { recursive: true }));

/** Reads the schema under `schema` of a document. The result has no positions, so that it can be compared. */
function read(document: object, dialect: SchemaDialect = "2020-12") {
  writeFileSync(join(directory, "a.json"), JSON.stringify(document));
  const sink = createDiagnosticSink();
  const documents = createDocumentSet(directory, sink);
  const schemas = createSchemaReader({ documents, sink, dialect });
  const place = documents.read("a.json")?.root.member("schema");
  const type = place && schemas.read(place);
  return {
    type: withoutSources(type),
    declarations: schemas.declarations(),
    codes: sink.diagnostics.map(({ code }) => code),
  };
}

function withoutSources(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, member) =>
      key === "source" ? undefined : typeof member === "bigint" ? `${member}n` : member,
    ),
  );
}

describe("the schema reader", () => {
  it("reads records with required, optional and undescribed members", () => {
    const { type, codes } = read({
      schema: {
        type: "object",
        required: ["a", "c"],
        properties: { a: { type: "string" }, b: { type: "boolean" } },
        additionalProperties: false,
      },
    });
    expect(type).toMatchObject({
      kind: "record",
      members: [
        { name: "a", required: true, type: { kind: "string" } },
        { name: "b", required: false, type: { kind: "boolean" } },
        { name: "c", required: true, type: { kind: "never" }, isUndescribed: true },
      ],
      additional: { kind: "never" },
    });
    expect(codes).toEqual([]);
  });

  it.each([
    [{ type: "integer", minimum: 0, maximum: 2 ** 53 - 1 }, "number"],
    [{ type: "integer" }, "number"],
    [{ type: "integer", format: "int32" }, "number"],
    [{ type: "integer", format: "int64" }, "bigint"],
    [{ type: "integer", minimum: 0, maximum: 2 ** 53 }, "bigint"],
    [{ type: "number", format: "bitcoin-amount" }, "bitcoin-amount"],
    [{ type: "number", maximum: 1e300 }, "number"],
  ])("holds %j as %s", (schema, representation) => {
    expect(read({ schema }).type).toMatchObject({ kind: "number", representation });
  });

  it.each([
    { A: { $ref: "#/defs/A" } },
    { A: { $ref: "#/defs/B" }, B: { $ref: "#/defs/A" } },
    { A: { allOf: [{ type: "object" }, { $ref: "#/defs/A" }] } },
    { A: { anyOf: [{ type: "string" }, { oneOf: [{ $ref: "#/defs/A" }, { type: "null" }] }] } },
  ])("reports schemas that are defined as themselves: %j", (defs) => {
    const { codes } = read({ schema: { $ref: "#/defs/A" }, defs });
    expect(codes).toEqual(Object.keys(defs).map(() => "json-schema/endless-reference"));
  });

  it("takes schemas that refer to themselves from a member or an item", () => {
    const defs = {
      Tree: {
        type: "object",
        properties: { left: { $ref: "#/defs/Tree" } },
        additionalProperties: { $ref: "#/defs/A" },
      },
      A: { anyOf: [{ type: "array", items: { $ref: "#/defs/A" } }, { $ref: "#/defs/Tree" }] },
    };
    expect(read({ schema: { $ref: "#/defs/A" }, defs }).codes).toEqual([]);
  });

  it.each([
    [{ type: "integer", enum: [1, "a", 2.5, null] }, 3],
    [{ type: ["string", "null"], enum: ["a", null] }, 0],
    [{ type: "number", enum: [1, 2.5] }, 0],
    [{ type: "object", const: [] }, 1],
    [{ enum: [1, "a"] }, 0],
  ])("reports values that the type excludes: %j", (schema, count) => {
    expect(read({ schema }).codes).toEqual(Array(count).fill("json-schema/impossible-value"));
  });

  it("keeps bounds that a double would round", () => {
    writeFileSync(join(directory, "b.json"), '{"type": "integer", "maximum": 18446744073709551615}');
    const sink = createDiagnosticSink();
    const documents = createDocumentSet(directory, sink);
    const root = documents.read("b.json")?.root;
    const type = root && createSchemaReader({ documents, sink, dialect: "2020-12" }).read(root);
    expect(type).toMatchObject({ maximum: 18446744073709551615n, representation: "bigint" });
  });

  it.each([
    ["2020-12", { type: ["string", "null"] }],
    ["openapi-3.0", { type: "string", nullable: true }],
  ] as const)("reads what may be null in the spelling of %s", (dialect, schema) => {
    expect(read({ schema }, dialect).type).toMatchObject({
      kind: "union",
      members: [{ kind: "string" }, { kind: "null" }],
    });
  });

  it("turns OpenAPI 3.0's flags into exclusive bounds", () => {
    const { type } = read(
      { schema: { type: "number", minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: false } },
      "openapi-3.0",
    );
    expect(type).toMatchObject({ exclusiveMinimum: 1, maximum: 2 });
    expect(type).not.toHaveProperty("minimum");
    const given = read({ schema: { type: "number", minimum: 0, exclusiveMinimum: 1 } }, "openapi-3.0");
    expect(given).toMatchObject({ type: { minimum: 0, exclusiveMinimum: 1 }, codes: [] });
  });

  it("declares what is referred to, once, also when it refers to itself", () => {
    const { type, declarations } = read({
      schema: { type: "array", items: { $ref: "#/$defs/tree" } },
      $defs: { tree: { type: "object", properties: { left: { $ref: "#/$defs/tree" } } } },
    });
    expect(type).toMatchObject({ kind: "list", element: { kind: "reference", target: "Tree" } });
    expect(declarations.map(({ name, originalName }) => [name, originalName])).toEqual([["Tree", "tree"]]);
  });

  it("takes what is next to a reference as a further condition, and ignores it where OpenAPI 3.0 does", () => {
    const document = { schema: { $ref: "#/$defs/a", minLength: 3 }, $defs: { a: { type: "string" } } };
    expect(read(document).type).toMatchObject({
      kind: "intersection",
      members: [{ kind: "reference" }, { kind: "string", minLength: 3 }],
    });
    expect(read(document, "openapi-3.0").type).toMatchObject({ kind: "reference", target: "A" });
  });

  it("keeps alternatives apart by how many may match", () => {
    const alternatives = [{ type: "string" }, { type: "boolean" }];
    expect(read({ schema: { oneOf: alternatives } }).type).toMatchObject({ kind: "union", mode: "one-of" });
    expect(read({ schema: { anyOf: alternatives } }).type).toMatchObject({ kind: "union", mode: "any-of" });
    expect(read({ schema: { allOf: alternatives } }).type).toMatchObject({ kind: "intersection" });
  });

  it("says which type it takes a schema without a type for", () => {
    const { type, codes } = read({ schema: { properties: { a: { type: "string" } } } });
    expect(type).toMatchObject({ kind: "record", isKindImplied: true });
    expect(codes).toEqual(["json-schema/implied-type"]);
  });

  it("follows references to files next to a document, whatever the document calls itself", () => {
    mkdirSync(join(directory, "parts"), { recursive: true });
    writeFileSync(
      join(directory, "parts/b c.json"),
      '{"$defs": {"B": {"type": "string"}, "C": {"$ref": "../a.json#/own"}}}',
    );
    const refer = (name: string) => ({ $ref: `parts/b%20c.json#/$defs/${name}` });
    const schema = { $id: "https://api.example/a", properties: { b: refer("B"), c: refer("C") }, type: "object" };
    for (const document of [
      { schema, own: true },
      { schema: { ...schema, $id: undefined }, own: true },
    ]) {
      const { codes, declarations } = read(document);
      expect(codes).toEqual([]);
      expect(declarations.map(({ name }) => name)).toEqual(["B", "C", "Own"]);
    }
    expect(read({ schema: { $id: "https://api.example/a", $ref: "nowhere.json" } }).codes).toEqual([
      "source/file-not-found",
    ]);
  });
});

describe("what a reference leads to in the end", () => {
  it("is the same each time it is resolved, and for every schema on the way", () => {
    const sink = createDiagnosticSink();
    const documents = createDocumentSet(directory, sink);
    const name = "https://api.example/chain.json";
    documents.register(
      name,
      JSON.stringify({ a: { $ref: "#/b" }, b: { $ref: "#/c" }, c: { type: "string" }, circle: { $ref: "#/circle" } }),
    );
    const root = documents.read(name)?.root;
    const schemas = createSchemaReader({ documents, sink, dialect: "2020-12" });
    const pointers = ["a", "a", "b", "c", "circle", "circle"].map((member) => {
      const place = root?.member(member);
      return place && schemas.resolve(place)?.pointer;
    });
    expect(pointers).toEqual(["/c", "/c", "/c", "/c", undefined, undefined]);
  });
});
