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
import { readTriedModel } from "./read-tried-model.ts";

/** What `compare-examples.ts` prints. */
export interface Comparison {
  /** Examples on which both give the same verdict. */
  readonly accepted: number;
  readonly refused: number;
  /** Examples whose schema ajv cannot compile. */
  readonly unchecked: number;
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
  const schemas = ajvSchemas(document);
  const operations = new Map(model.operations.map((operation) => [operation.origin, operation]));
  const declarations = new Map(model.declarations.map(({ source, name }) => [source.pointer, name]));
  const result = { accepted: 0, refused: 0, unchecked: 0, different: [] as Comparison["different"][number][] };
  for (const example of isOpenRpc(document) ? openrpcExamples(document) : openapiExamples(document)) {
    const ours = verdictOf(example);
    const theirs = schemas.verdict(example.schema, example.value);
    if (ours === undefined || theirs === undefined) result.unchecked += 1;
    else if (ours === theirs) result[ours ? "accepted" : "refused"] += 1;
    else
      result.different.push({
        schema: example.schema,
        ajv: theirs,
        value: JSON.stringify(example.value).slice(0, 200),
      });
  }
  return result;

  function verdictOf({ of, schema, value }: DocumentedExample): boolean | undefined {
    if (of.kind === "declaration") {
      const name = declarations.get(schema);
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
