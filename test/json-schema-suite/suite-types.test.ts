// The same tests for the runner of conformance suites, which holds answers against types as data: schemas through the reader, values
// against what it made of them.
import { createSchemaReader, type SchemaDialect } from "@nodewright/json-schema";
import { createDiagnosticSink, createDocumentSet } from "@nodewright/source";
import { describe, expect, it } from "vitest";
import type { SuiteType, SuiteTypes } from "../../packages/conformance/src/suite/suite-type.ts";
import { isValueOf, violationsOf } from "../../packages/conformance/src/types/violations.ts";
import { suiteTypeOf, suiteTypesOf } from "../support/suite-type-of.ts";
import { root } from "../support/workspace.ts";
import { fetchSuite, readGroups, readRemotes, type SuiteGroup, suiteFiles } from "./suite.ts";

const suite = await fetchSuite();
const directory = "directory" in suite ? suite.directory : undefined;
if ("missing" in suite) console.warn(suite.missing);
const remotes = directory === undefined ? new Map<string, string>() : readRemotes(directory);

interface ReadType {
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
  const type = suiteTypeOf(schemas.read(document.root));
  return { type, types: suiteTypesOf({ declarations: schemas.declarations() }) };
}

function failuresOf(group: SuiteGroup, dialect: SchemaDialect): readonly string[] {
  const found = read(group.schema, dialect);
  if (found === undefined) return [`${group.description}: not read`];
  return group.tests.flatMap(({ data, valid, description }) => {
    const isValid = isValueOf(found.type, data, found.types, "answer");
    const violations = violationsOf(found.type, data, found.types, "answer");
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
