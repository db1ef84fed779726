import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/** A known difference from another node, as it stands in btcd-differences.json or core-differences.json. */
export interface ListedDifference {
  readonly id: string;
  readonly methods: readonly string[];
  readonly arguments?: JsonSchema;
  readonly kind: string;
  readonly outcome?: { readonly theirs: ListedOutcome; readonly ours: ListedOutcome };
  readonly members?: readonly string[];
  readonly theirs?: ListedSide;
  readonly ours?: ListedSide;
  readonly renamed?: string;
  readonly relation?: Relation;
  /** The member that names an item of a list. */
  readonly reordered?: string;
  /** Whether it hangs on the time or on chance, and does not show in each run. */
  readonly sometimes?: true;
  readonly reason: string;
  readonly source: string;
}

export interface ListedOutcome {
  readonly result?: JsonSchema;
  readonly code?: number | readonly number[];
  readonly message?: string;
  readonly none?: "connection closed" | "empty line";
}

export type ListedSide = "absent" | JsonSchema;

export type Relation =
  | "same members"
  | "same members once"
  | "same to 16 digits"
  | "same hexadecimal number"
  | "same script"
  | "same but for version and sequences"
  | "known chain tips"
  | "another unconfirmed transaction";

export interface DifferencesFile {
  readonly differences: readonly ListedDifference[];
  readonly uncompared: readonly UncomparedCalls[];
}

/** Methods of the other node that are not compared, or calls of them. */
export interface UncomparedCalls {
  readonly methods: readonly string[];
  readonly arguments?: JsonSchema;
  readonly reason: string;
}

type JsonSchema = boolean | Readonly<Record<string, unknown>>;

/** Reads a file of differences beside this one. Throws where it does not match its schema, or where two entries have one id. */
export function readDifferences(name: string): DifferencesFile {
  const file = readJson(name);
  const ajv = createAjv();
  const isValid = ajv.compile(readJson("differences.schema.json") as JsonSchema & object);
  if (!isValid(file)) throw new Error(`${name}: ${ajv.errorsText(isValid.errors)}`);
  const read = file as DifferencesFile;
  const seen = new Set<string>();
  for (const { id } of read.differences) {
    if (seen.has(id)) throw new Error(`${name}: two entries are called ${id}`);
    seen.add(id);
  }
  return read;
}

/** Whether values are of a schema of the list; schemas are compiled once. */
export function createSchemaCheck(): (schema: JsonSchema, value: unknown) => boolean {
  const ajv = createAjv();
  const compiled = new Map<JsonSchema, ValidateFunction>();
  return (schema, value) => {
    if (typeof schema === "boolean") return schema;
    let isOf = compiled.get(schema);
    if (isOf === undefined) {
      isOf = ajv.compile(schema);
      compiled.set(schema, isOf);
    }
    return isOf(JSON.parse(JSON.stringify(value)));
  };
}

function createAjv(): Ajv2020 {
  return new Ajv2020({ allErrors: false, strict: false, formats: { regex: isPattern } });
}

function isPattern(text: string): boolean {
  return RegExp(text, "u") !== undefined;
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
}
