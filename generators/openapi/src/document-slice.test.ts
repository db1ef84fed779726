import { readdirSync, readFileSync } from "node:fs";
import { createDiagnosticSink, createDocumentSet } from "@nodewright/source";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findPathChange } from "./document-change.ts";
import { outlineOf, shiftOutline } from "./document-outline.ts";
import { type DocumentSlice, type DocumentSlices, sliceDocument } from "./document-slice.ts";
import { readOpenApi } from "./read-openapi.ts";
import { outlineText, rootOf } from "./testing/outline-text.ts";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonObject = { [name: string]: Json };

const component = (kind: string, name: string): JsonObject => ({ $ref: `#/components/${kind}/${name}` });
const schema = (name: string): JsonObject => component("schemas", name);

/** Returns slices of two texts, or the reason why they cannot be cut. */
function slicesOf(before: string, after: string): DocumentSlices | { readonly doubt: string } {
  const outline = outlineText(before);
  const change = findPathChange(before, after, outline);
  return "doubt" in change ? change : sliceDocument(before, after, outline, change);
}

/** Returns the slices of a document whose operation `GET /pets` had no description. */
function sliced(get: JsonObject, others: JsonObject = {}, item: JsonObject = {}): DocumentSlices {
  const textOf = (operation: JsonObject): string =>
    JSON.stringify({
      openapi: "3.1.0",
      paths: { "/first": { get: {} }, "/pets": { ...item, get: operation, put: {} }, "/last": {} },
      ...others,
    });
  const slices = slicesOf(textOf(get), textOf({ description: "Changed.", ...get }));
  if ("doubt" in slices) throw new Error(slices.doubt);
  return slices;
}

function componentsIn({ text }: DocumentSlice): unknown {
  return JSON.parse(text).components;
}

describe("sliceDocument", () => {
  it("cuts out the changed operation as it was and is, with what its path shares", () => {
    const head = { info: { title: "Pets", version: "1" }, security: [], webhooks: { one: {} }, "x-team": "birds" };
    const { before, after } = sliced({ responses: {} }, head, { summary: "Pets." });
    const rest = { openapi: "3.1.0", info: head.info, security: [] };
    expect(JSON.parse(before.text)).toEqual({
      ...rest,
      paths: { "/pets": { summary: "Pets.", get: { responses: {} } } },
      components: {},
    });
    expect(JSON.parse(after.text)).toEqual({
      ...rest,
      paths: { "/pets": { summary: "Pets.", get: { description: "Changed.", responses: {} } } },
      components: {},
    });
  });

  const any = { type: "object" };

  it.each<readonly [what: string, get: JsonObject, components: JsonObject, kept: JsonObject]>([
    ["nothing", {}, { schemas: { Pet: any }, responses: { Gone: any }, examples: {} }, {}],
    [
      "a schema, a parameter and a response, of each that one",
      { a: [schema("Pet"), component("parameters", "limit")], b: { c: component("responses", "Gone") } },
      { schemas: { Cat: any, Pet: any }, parameters: { limit: any, page: any }, responses: { Gone: any, Pet: any } },
      { schemas: { Pet: any }, parameters: { limit: any }, responses: { Gone: any } },
    ],
    [
      "a component that refers to others, in circles",
      { a: schema("A") },
      { schemas: { A: { a: schema("B") }, B: { b: [schema("A"), schema("C")] }, C: any, D: schema("A") } },
      { schemas: { A: { a: schema("B") }, B: { b: [schema("A"), schema("C")] }, C: any } },
    ],
    [
      "a part of a component",
      { $ref: "#/components/schemas/Pet/properties/name" },
      { schemas: { Pet: any, name: any } },
      { schemas: { Pet: any } },
    ],
    [
      "names that references escape",
      { a: schema("a~1b"), b: schema("c%20d"), c: schema("e%") },
      { schemas: { "a/b": any, "c d": any, "e%": any, "a~1b": any } },
      { schemas: { "a/b": any, "c d": any } },
    ],
    [
      "a kind, a component that is not there, and a name alone",
      { a: { $ref: "#/components/schemas" }, b: schema("Dog"), c: "Pet", d: "see #/components/schemas/Pet" },
      { schemas: { Pet: any } },
      {},
    ],
    [
      "a component in a list",
      { a: ["#/components/schemas/Pet"] },
      { schemas: { Pet: any } },
      { schemas: { Pet: any } },
    ],
    [
      "values that are no objects",
      { a: null, b: 1, c: [true, null, schema("Pet")], mapping: null },
      { schemas: { Pet: any } },
      { schemas: { Pet: any } },
    ],
    [
      "a component of another kind with the same name",
      { a: component("examples", "Pet") },
      { schemas: { Pet: any }, examples: { Pet: any } },
      { examples: { Pet: any } },
    ],
    [
      "nothing: every security scheme may be meant",
      {},
      { schemas: { Pet: any }, securitySchemes: { key: any, login: any } },
      { securitySchemes: { key: any, login: any } },
    ],
    [
      "schemas with a mapping, by name and by reference",
      { mapping: { cat: "Cat", dog: "#/components/schemas/Dog" } },
      { schemas: { Cat: any, Dog: any, Bird: any } },
      { schemas: { Cat: any, Dog: any } },
    ],
    [
      "a discriminator: the whole family of schemas counts",
      { discriminator: {} },
      {
        schemas: { Cat: { allOf: [schema("Pet")] }, Pet: any, Bird: { discriminator: {} }, Stone: any },
        responses: { Gone: { allOf: [] } },
      },
      { schemas: { Cat: { allOf: [schema("Pet")] }, Pet: any, Bird: { discriminator: {} } } },
    ],
    [
      "a component with a discriminator: the same",
      { a: schema("Pet") },
      { schemas: { Cat: { allOf: [schema("Tail")] }, Pet: { discriminator: {} }, Tail: any, Stone: any } },
      { schemas: { Cat: { allOf: [schema("Tail")] }, Pet: { discriminator: {} }, Tail: any } },
    ],
    [
      "no discriminator: the family does not count",
      { a: schema("Pet") },
      { schemas: { Cat: { allOf: [schema("Pet")] }, Pet: any, Bird: { discriminator: {} } } },
      { schemas: { Pet: any } },
    ],
  ])("takes the components along for what refers to %s", (_what, get, components, kept) => {
    const { before, after } = sliced(get, { components });
    expect(componentsIn(before)).toEqual(kept);
    expect(componentsIn(after)).toEqual(kept);
  });

  it("takes along what the operation referred to, what it refers to, and what its path shares refers to", () => {
    const components = { schemas: { Old: {}, New: {}, Shared: {}, Other: {} } };
    const textOf = (name: string): string =>
      JSON.stringify({
        openapi: "3.1.0",
        paths: { "/pets": { parameters: [schema("Shared")], get: schema(name), put: schema("Other") } },
        components,
      });
    const slices = slicesOf(textOf("Old"), textOf("New"));
    if ("doubt" in slices) throw new Error(slices.doubt);
    const kept = { schemas: { Old: {}, New: {}, Shared: {} } };
    expect([slices.before, slices.after].map(componentsIn)).toEqual([kept, kept]);
  });

  it("says where each segment comes from in its own document", () => {
    const components = { schemas: { Pet: { type: "object", title: "Ä" } }, securitySchemes: { key: {} } };
    const paths = (get: JsonObject): JsonObject => ({ "/pets": { summary: "Pets.", get }, "/last": {} });
    for (const order of ["components before", "components after"]) {
      const textOf = (get: JsonObject): string =>
        JSON.stringify(
          order === "components before"
            ? { info: {}, components, paths: paths(get) }
            : { paths: paths(get), components, info: {} },
          null,
          1,
        );
      const [before, after] = [
        textOf(schema("Pet")),
        textOf({ ...schema("Pet"), summary: "Much longer than before." }),
      ];
      const slices = slicesOf(before, after);
      if ("doubt" in slices) throw new Error(slices.doubt);
      for (const [slice, text] of [
        [slices.before, before],
        [slices.after, after],
      ] as const) {
        expect(slice.segments).toHaveLength(5);
        for (const { at, length, from } of slice.segments)
          expect(slice.text.slice(at, at + length)).toBe(text.slice(from, from + length));
        // Each segment is a complete value.
        const values = slice.segments.map(({ at, length }) => JSON.parse(slice.text.slice(at, at + length)));
        expect(values).toEqual([
          {},
          "Pets.",
          JSON.parse(text).paths["/pets"].get,
          components.schemas.Pet,
          components.securitySchemes.key,
        ]);
      }
    }
  });

  it.each([
    ["more than a megabyte that is most of the document", 1_100_000, 0, true],
    ["more than a megabyte of a much larger document", 1_100_000, 3_000_000, false],
    ["less than a megabyte that is most of the document", 900_000, 0, false],
  ])("doubts whether to read %s", (_what, referred, other, isDoubted) => {
    const components = { schemas: { Pet: { title: "a".repeat(referred) }, Other: { title: "a".repeat(other) } } };
    const textOf = (get: JsonObject): string => JSON.stringify({ paths: { "/pets": { get } }, components });
    const slices = slicesOf(textOf(schema("Pet")), textOf({ ...schema("Pet"), deprecated: true }));
    const doubt = { doubt: "the operation refers to most of the document" };
    if (isDoubted) expect(slices).toEqual(doubt);
    else expect(slices).toHaveProperty("after");
  });
});

const golden = new URL("../../../test/golden/", import.meta.url);

/** Golden documents that have an outline when they are written as JSON. */
const goldenDocuments: readonly JsonObject[] = readdirSync(golden)
  .filter((name) => name.startsWith("openapi-"))
  .map((name) => {
    const text = readFileSync(new URL(`${name}/document.yaml`, golden), "utf8");
    return rootOf(text, "api.yaml").value as JsonObject;
  })
  .filter((document) => outlineOf(rootOf(JSON.stringify(document))) !== undefined);

/** Returns references to the schemas of a document's components, all values under `schema`, and a string schema. */
function schemasFor(document: JsonObject): readonly Json[] {
  const found: Json[] = [
    { type: "string" },
    ...Object.keys(membersOf(membersOf(document, "components"), "schemas")).map(schema),
  ];
  const visit = (value: Json): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (name === "schema") found.push(member);
      visit(member);
    }
  };
  visit(membersOf(document, "paths"));
  return found;
}

function membersOf(value: JsonObject, name: string): JsonObject {
  return (value[name] ?? {}) as JsonObject;
}

interface Edit {
  readonly document: JsonObject;
  readonly changed: JsonObject;
}

const methods: ReadonlySet<string> = new Set(["get", "put", "post", "delete"]);

/** Edits of a golden document: one operation with another description, with a parameter or a response more, or one less. */
const edits: fc.Arbitrary<Edit> = fc.constantFrom(...goldenDocuments).chain((document) => {
  const places = Object.entries(membersOf(document, "paths")).flatMap(([path, item]) =>
    Object.keys(item as JsonObject)
      .filter((name) => methods.has(name))
      .map((name) => ({ path, name })),
  );
  const schemas = schemasFor(document);
  const changes: fc.Arbitrary<(operation: JsonObject) => JsonObject> = fc.oneof(
    fc.string().map((text) => () => ({ description: `${text}.` })),
    fc.constantFrom(...schemas).map((one) => ({ parameters = [] }) => ({
      parameters: [...(parameters as Json[]), { name: "added", in: "query", schema: one }],
    })),
    fc.constantFrom(...schemas).map((one) => (operation: JsonObject) => ({
      responses: {
        ...membersOf(operation, "responses"),
        "418": { description: "Added.", content: { "application/json": { schema: one } } },
      },
    })),
    fc.constant(() => ({ parameters: [] })),
    fc.constant(() => ({ responses: {} })),
  );
  return fc.record({ place: fc.constantFrom(...places), change: changes }).map(({ place: { path, name }, change }) => {
    const changed = structuredClone(document);
    const operation = membersOf(membersOf(membersOf(changed, "paths"), path), name);
    Object.assign(operation, change(operation));
    return { document, changed };
  });
});

/** Returns a value with source ranges reduced to their pointers: lines and offsets differ between a slice and its document. */
function withPointers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPointers);
  if (typeof value !== "object" || value === null) return value;
  if ("pointer" in value) return value.pointer;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withPointers(member)]));
}

/** Reads a document from its source text. */
async function read(text: string) {
  const sink = createDiagnosticSink();
  const documents = createDocumentSet("/", sink);
  documents.register("api.json", text);
  const model = await readOpenApi({ file: "api.json", name: "test", documents, sink });
  const operations = new Map(model?.operations.map((operation) => [operation.origin, withPointers(operation)]));
  const declarations = new Map(model?.declarations.map((declaration) => [declaration.name, withPointers(declaration)]));
  const reported = sink.diagnostics
    .filter(({ source, severity }) => severity === "error" && source.pointer.startsWith("/paths/"))
    .map(({ code, message, source }) => `${source.pointer} ${code} ${message}`);
  return { operations, declarations, reported };
}

describe("a slice of a golden document", () => {
  it("says the same of the changed operation as the whole document", async () => {
    expect(goldenDocuments.length).toBeGreaterThan(20);
    const property = fc.asyncProperty(edits, async ({ document, changed }) => {
      const [before, after] = [JSON.stringify(document, null, 1), JSON.stringify(changed, null, 1)];
      fc.pre(before !== after);
      const outline = outlineText(before);
      const change = findPathChange(before, after, outline);
      if ("doubt" in change) throw new Error(change.doubt);
      expect(shiftOutline(outline, change.end, change.delta)).toEqual(outlineText(after));
      const slices = sliceDocument(before, after, outline, change);
      if ("doubt" in slices) throw new Error(slices.doubt);
      for (const [slice, text] of [
        [slices.before, before],
        [slices.after, after],
      ] as const) {
        const [part, whole] = [await read(slice.text), await read(text)];
        const origins = change.operations.map(({ name }) => `${name.toUpperCase()} ${change.path}`);
        expect([...part.operations.keys()]).toEqual(origins);
        for (const origin of origins) expect(part.operations.get(origin)).toEqual(whole.operations.get(origin));
        for (const [name, declaration] of part.declarations) expect(declaration).toEqual(whole.declarations.get(name));
        const item = `/paths/${change.path.replaceAll("~", "~0").replaceAll("/", "~1")}/`;
        const members = change.operations.map(({ name }) => `${item}${name}`);
        const ofOperations = (lines: readonly string[]): readonly string[] =>
          lines.filter((line) => members.some((member) => line.startsWith(member)));
        expect(ofOperations(part.reported)).toEqual(ofOperations(whole.reported));
      }
    });
    await fc.assert(property, { numRuns: 60 });
  });
});
