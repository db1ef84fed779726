// Holds every example of a document against ajv and against the generated validators. Prints one JSON value.
//
//   compare-examples.ts DOCUMENT GENERATED-DIRECTORY
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { contractNames, predicateName, violationsName } from "@nodewright/output";
import { parse } from "yaml";
import { ajvSchemas } from "./ajv-schemas.ts";
import { type DocumentedExample, openapiExamples, openrpcExamples } from "./documented-examples.ts";
import { mutations } from "./mutations.ts";
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

interface Validators {
  readonly [name: string]: (value: unknown) => unknown;
}

const [documentFile = "", directory = ""] = process.argv.slice(2);
const text = readFileSync(documentFile, "utf8");
const document: unknown = documentFile.endsWith(".yaml") ? parse(text, { merge: true }) : JSON.parse(text);
const model = await readTriedModel(documentFile, text);
const validators = (await import(pathToFileURL(join(directory, "validators.ts")).href)) as Validators;
console.log(JSON.stringify(compare()));

function isOpenRpc(value: unknown): boolean {
  return typeof value === "object" && value !== null && "openrpc" in value;
}

function compare(): Comparison {
  const schemas = ajvSchemas(document, "answer");
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
  for (const [pointer, { name, type }] of declarations) {
    if (schemas.verdict(pointer, null) === undefined) continue;
    for (const value of mutations(sampleValue(type, model, 1))) {
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
    if (of.kind === "answer") return validators[predicateName(names.output)]?.(value) as boolean | undefined;
    const violations = validators[violationsName(names.input)]?.({ body: value });
    if (!Array.isArray(violations)) return undefined;
    // The example is of the body alone: that parameters are missing says nothing of it.
    return !violations.some(({ pointer }: { readonly pointer: string }) => /^\/body(\/|$)/.test(pointer));
  }
}
