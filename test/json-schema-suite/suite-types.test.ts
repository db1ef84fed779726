// The same tests for the runner of conformance suites, which holds answers against types as data: schemas through the reader, values
// against what it made of them.
import { createSchemaReader, type SchemaDialect } from "@nodewright/json-schema";
import type { ApiModel, JsonValue, TypeNode } from "@nodewright/model";
import { isOfType } from "@nodewright/model";
import { createDiagnosticSink, createDocumentSet } from "@nodewright/source";
import { createSuite } from "@nodewright/emit-conformance/suite";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SuiteType, SuiteTypes } from "../../packages/conformance/src/suite/suite-type.ts";
import { isValueOf, violationsOf } from "@nodewright/api-values";
import { root } from "../support/workspace.ts";
import { fetchSuite, readGroups, readRemotes, type SuiteGroup, suiteFiles } from "./suite.ts";

const suite = await fetchSuite();
const directory = "directory" in suite ? suite.directory : undefined;
if ("missing" in suite) console.warn(suite.missing);
const remotes = directory === undefined ? new Map<string, string>() : readRemotes(directory);

interface ReadType {
  readonly node: TypeNode;
  readonly model: ApiModel;
  readonly type: SuiteType;
  readonly types: SuiteTypes;
}

function read(schema: unknown, dialect: SchemaDialect): ReadType | undefined {
  const sink = createDiagnosticSink();
  const documents = createDocumentSet(root, sink);
  for (const [uri, text] of remotes) documents.register(uri, text);
  const uri = "https://suite.example/schema.json";
  documents.register(uri, JSON.stringify(schema));
  const document = documents.read(uri);
  if (document === undefined) return undefined;
  const schemas = createSchemaReader({ documents, sink, dialect });
  const name = schemas.names.allocate("Case");
  const node = schemas.read(document.root);
  const { source } = node;
  const model: ApiModel = {
    name: "suite",
    protocol: "http",
    title: "Suite",
    version: "1",
    document: uri,
    declarations: [
      ...schemas.declarations(),
      { name, originalName: name, role: "value", type: node, implements: [], source },
    ],
    operations: [],
    documents: [],
    security: [],
  };
  return { node, model, type: { kind: "reference", target: name }, types: createSuite(model).types };
}

/** What the model says; undefined for a schema that asks the same of the same value without end. */
function expectedOf(value: JsonValue, { node, model }: ReadType): boolean | undefined {
  try {
    return isOfType(value, node, model);
  } catch (reason) {
    if (reason instanceof RangeError) return undefined;
    throw reason;
  }
}

function failuresOf(group: SuiteGroup, dialect: SchemaDialect): readonly string[] {
  const found = read(group.schema, dialect);
  if (found === undefined) return [`${group.description}: not read`];
  return group.tests.flatMap(({ data, valid, description }) => {
    const isValid = isValueOf(found.type, data, found.types, "request");
    const violations = violationsOf(found.type, data, found.types, "request");
    if (isValid === valid && (violations.length === 0) === valid) return [];
    return [`${group.description}: ${description}: ${isValid} ${JSON.stringify(violations)}`];
  });
}

/** Failing tests of a folder, and how many there are; formats are not asserted. */
function play(folder: string, dialect: SchemaDialect): { failures: readonly string[]; total: number } {
  const files = suiteFiles(directory ?? "", folder).filter((file) => !file.endsWith("/format-assertion.json"));
  const groups = files.flatMap((file) => readGroups(directory ?? "", file));
  const total = groups.reduce((sum, { tests }) => sum + tests.length, 0);
  return { failures: groups.flatMap((group) => failuresOf(group, dialect)), total };
}

describe.skipIf(directory === undefined)("the JSON-Schema-Test-Suite, as types of a suite", () => {
  it.each([
    ["draft2020-12", "2020-12", 1250],
    ["draft2020-12/optional", "2020-12", 150],
    ["draft2019-09", "2019-09", 1220],
    ["draft7", "draft-07", 910],
    ["draft6", "draft-06", 820],
    ["draft4", "draft-04", 610],
  ] as const)("has the tests of %s passed", (folder, dialect, least) => {
    const { failures, total } = play(`tests/${folder}`, dialect);
    expect(failures).toEqual([]);
    expect(total).toBeGreaterThan(least - 1);
  });
});

describe("values of types of a suite", () => {
  const numbers = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constantFrom(0.5, 1.25, 1e21, -0, 1e-7));
  const texts = fc.constantFrom("", "a", "abc", "🌍", "cat", "12", "__proto__");
  const names = fc.constantFrom("a", "b", "c", "__proto__", "x-1");
  const { value: values } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      numbers,
      texts,
      fc.constantFrom(null, true, false),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.array(fc.tuple(names, tie("value")), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
    ),
  }));
  const { schema: schemas } = fc.letrec<{ schema: unknown }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(true, false, {}, { $ref: "#" }, { type: "null" }, { enum: ["cat", 1, { a: 1 }] }),
      fc.record(
        {
          type: fc.constantFrom("string", "number", "integer", "array", "object", ["string", "null"]),
          minLength: fc.nat(3),
          maxLength: fc.nat(3),
          pattern: fc.constantFrom("^[a-c]+$", "t", "\\d"),
          minimum: numbers,
          exclusiveMaximum: numbers,
          multipleOf: fc.constantFrom(0.25, 2, 3),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          items: tie("schema"),
          prefixItems: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
          contains: tie("schema"),
          minContains: fc.nat(2),
          uniqueItems: fc.boolean(),
          maxItems: fc.nat(3),
          unevaluatedItems: tie("schema"),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          properties: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("schema"), { maxKeys: 3 }),
          required: fc.uniqueArray(names, { maxLength: 2 }),
          additionalProperties: tie("schema"),
          patternProperties: fc.dictionary(fc.constantFrom("^x-", "^_"), tie("schema"), { maxKeys: 1 }),
          propertyNames: tie("schema"),
          dependentSchemas: fc.dictionary(names, tie("schema"), { maxKeys: 1 }),
          maxProperties: fc.nat(3),
          unevaluatedProperties: tie("schema"),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
          anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
          oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
          not: tie("schema"),
          if: tie("schema"),
          // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
          then: tie("schema"),
          else: tie("schema"),
        },
        { requiredKeys: [] },
      ),
    ),
  }));

  it("are those of the model's types", () => {
    let agreed = 0;
    fc.assert(
      fc.property(schemas, fc.array(values, { minLength: 5, maxLength: 10 }), (schema, candidates) => {
        // Schemas that refer to themselves twice at one place take time that grows exponentially with their depth.
        if (JSON.stringify(schema).split("$ref").length > 2) return;
        const found = read(schema, "2020-12");
        if (found === undefined) return;
        for (const value of candidates) {
          const expected = expectedOf(value, found);
          if (expected === undefined) continue;
          expect(isValueOf(found.type, value, found.types, "request")).toBe(expected);
          expect(violationsOf(found.type, value, found.types, "request").length === 0).toBe(expected);
          if (expected) agreed += 1;
        }
      }),
      { numRuns: 500 },
    );
    expect(agreed).toBeGreaterThan(300);
  }, 120_000);
});
