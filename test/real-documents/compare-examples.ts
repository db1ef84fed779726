// Holds every example of a document against ajv and against the generated validators. Prints one JSON value.
//
//   compare-examples.ts DOCUMENT GENERATED-DIRECTORY
//
// Of the changed samples of a large document some are tried, from all of its declarations; all of them where NODEWRIGHT_LONG is 1.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { contractNames, predicateName, violationsName } from "@nodewright/emit-contract/names";
import { parse } from "yaml";
import { ajvSchemas } from "./ajv-schemas.ts";
import { type DocumentedExample, openapiExamples, openrpcExamples } from "./documented-examples.ts";
import { mutationCount, mutations } from "./mutations.ts";
import { readTriedModel } from "./read-tried-model.ts";
import { sampleValue } from "./sample-value.ts";

/** What `compare-examples.ts` prints. */
export interface Comparison {
  /** Examples on which both give the same verdict. */
  readonly accepted: number;
  readonly refused: number;
  /** Examples whose schema ajv cannot compile. */
  readonly unchecked: number;
  /** Values that were made from samples of the declarations by changing one place of each. */
  readonly mutations: number;
  readonly different: readonly { readonly schema: string; readonly ajv: boolean; readonly value: string }[];
}

/** Changed samples of one document that are tried, unless all are. */
const mutationsWanted = process.env["NODEWRIGHT_LONG"] === "1" ? Number.POSITIVE_INFINITY : 20_000;

interface Validators {
  readonly [name: string]: (value: unknown) => unknown;
}

const [documentFile = "", directory = ""] = process.argv.slice(2);
const text = readFileSync(documentFile, "utf8");
const document: unknown = documentFile.endsWith(".yaml") ? parse(text, { merge: true }) : JSON.parse(text);
const model = await readTriedModel(documentFile, text);
const validators = (await import(pathToFileURL(join(directory, "validators.ts")).href)) as Validators;
console.log(JSON.stringify(compare()));

/** Each place is changed in ten ways: a step that shares no factor with ten meets all of them. */
function stepThrough(count: number): number {
  let step = Math.max(1, Math.ceil(count / mutationsWanted));
  while (step % 2 === 0 || step % 5 === 0) step += 1;
  return step;
}

function isOpenRpc(value: unknown): boolean {
  return typeof value === "object" && value !== null && "openrpc" in value;
}

function compare(): Comparison {
  const schemas = ajvSchemas(document, "response");
  const requestSchemas = ajvSchemas(document, "request");
  const operations = new Map(model.operations.map((operation) => [operation.origin, operation]));
  // Of a schema that is declared twice, for requests and for answers, the one of answers has the schema's own name.
  const declarations = new Map(
    model.declarations
      .toSorted((left, right) => right.name.length - left.name.length)
      .map((declaration) => [declaration.source.pointer, declaration] as const),
  );
  const result = {
    accepted: 0,
    refused: 0,
    unchecked: 0,
    mutations: 0,
    different: [] as Comparison["different"][number][],
  };
  for (const example of isOpenRpc(document) ? openrpcExamples(document) : openapiExamples(document)) {
    const ours = verdictOf(example);
    const theirs = (example.of.kind === "body" ? requestSchemas : schemas).verdict(example.schema, example.value);
    if (ours === undefined || theirs === undefined) result.unchecked += 1;
    else if (ours === theirs) result[ours ? "accepted" : "refused"] += 1;
    else report(example.schema, theirs, example.value);
  }
  const samples = [...declarations]
    .filter(([pointer]) => schemas.verdict(pointer, null) !== undefined)
    .map(([pointer, { name, type }]) => ({ pointer, name, sample: sampleValue(type, model, 1) }));
  const step = stepThrough(samples.reduce((sum, { sample }) => sum + mutationCount(sample), 0));
  let index = 0;
  for (const { pointer, name, sample } of samples) {
    for (const value of mutations(sample)) {
      index += 1;
      if (value !== sample && index % step !== 0) continue;
      const ours = validators[predicateName(name)]?.(value) === true;
      const theirs = schemas.verdict(pointer, value) === true;
      result.mutations += 1;
      if (ours !== theirs) report(pointer, theirs, value);
    }
  }
  return result;

  function report(schema: string, ajv: boolean, value: unknown): void {
    result.different.push({ schema, ajv, value: JSON.stringify(value).slice(0, 300) });
  }

  function verdictOf({ of, schema, value }: DocumentedExample): boolean | undefined {
    if (of.kind === "declaration") {
      const name = declarations.get(schema)?.name;
      return name === undefined ? undefined : validators[predicateName(name)]?.(value) === true;
    }
    const operation = operations.get(of.origin);
    if (operation === undefined) return undefined;
    const names = contractNames(model).of(operation);
    if (of.kind === "response") return validators[predicateName(names.output)]?.(value) as boolean | undefined;
    const violations = validators[violationsName(names.input)]?.({ body: value });
    if (!Array.isArray(violations)) return undefined;
    // The example is of the body alone: that parameters are missing says nothing of it.
    return !violations.some(({ pointer }: { readonly pointer: string }) => /^\/body(\/|$)/.test(pointer));
  }
}
