import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Difference } from "./compare-responses.ts";

/** A difference from geth's GraphQL that is known, as it stands in geth-differences.json. */
export interface ListedDifference {
  readonly id: string;
  /** `Type.field`, `(outcome)` or `(message)`. */
  readonly coordinates: readonly string[];
  /** Patterns of what queries are about; without them, any. `*` is any text. */
  readonly cases?: readonly string[];
  /** Patterns of the comparisons in which it shows; without them, any. */
  readonly over?: readonly string[];
  readonly geth?: JsonSchema;
  readonly ours?: JsonSchema;
  /** Whether it hangs on chance, and does not show in each run. */
  readonly sometimes?: true;
  readonly reason: string;
  readonly source: string;
}

export interface DifferencesFile {
  readonly differences: readonly ListedDifference[];
  readonly fields: readonly FieldOfOne[];
  readonly unordered: readonly UnorderedField[];
  readonly uncompared: readonly UncomparedFields[];
}

/** Fields that no chain of the comparison has a value for. */
interface UncomparedFields {
  readonly coordinates: readonly string[];
  readonly reason: string;
}

/** A field that only one of both has. */
interface FieldOfOne {
  readonly coordinate: string;
  readonly only: "geth" | "ours";
  readonly reason: string;
}

/** A list whose order says nothing. */
interface UnorderedField {
  readonly coordinate: string;
  /** The member that items are put in order by. */
  readonly by: string;
  readonly reason: string;
}

type JsonSchema = boolean | Readonly<Record<string, unknown>>;

/** Reads geth-differences.json. Throws where it is not as its schema says, or where two entries have one id. */
export function readDifferences(): DifferencesFile {
  const file = readJson("geth-differences.json");
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  const isValid = ajv.compile(readJson("geth-differences.schema.json") as JsonSchema & object);
  if (!isValid(file)) throw new Error(`geth-differences.json: ${ajv.errorsText(isValid.errors)}`);
  const read = file as DifferencesFile;
  const ids = read.differences.map(({ id }) => id);
  const repeated = ids.filter((id, at) => ids.indexOf(id) !== at);
  if (repeated.length > 0) throw new Error(`geth-differences.json: two entries are called ${repeated.join(", ")}`);
  return read;
}

/** Finds the entry that explains a difference; undefined when none does. */
export type ExplainDifference = (over: string, kind: string, difference: Difference) => ListedDifference | undefined;

/** Creates what explains differences by the entries of the list; the first that fits is taken. */
export function createExplainDifference({ differences }: DifferencesFile): ExplainDifference {
  const ajv = new Ajv2020({ allErrors: false, strict: false });
  const compiled = new Map<JsonSchema, ValidateFunction>();
  const isOf = (schema: JsonSchema | undefined, value: unknown): boolean => {
    if (schema === undefined || typeof schema === "boolean") return schema ?? true;
    const check = compiled.get(schema) ?? ajv.compile(schema);
    compiled.set(schema, check);
    return check(value ?? null);
  };
  const entries = differences.map((entry) => ({
    entry,
    coordinates: new Set(entry.coordinates),
    isCase: createPattern(entry.cases),
    isOver: createPattern(entry.over),
  }));
  return (over, kind, { coordinate, geth, ours }) =>
    entries.find(
      ({ entry, coordinates, isCase, isOver }) =>
        coordinates.has(coordinate) && isCase(kind) && isOver(over) && isOf(entry.geth, geth) && isOf(entry.ours, ours),
    )?.entry;
}

/** Whether a text is of one of the patterns; any text is when there are none. */
function createPattern(patterns: readonly string[] | undefined): (text: string) => boolean {
  if (patterns === undefined) return () => true;
  const alternatives = patterns.map((pattern) => pattern.split("*").map(RegExp.escape).join(".*"));
  const expression = new RegExp(`^(?:${alternatives.join("|")})$`, "su");
  return (text) => expression.test(text);
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
}
