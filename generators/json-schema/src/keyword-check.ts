import { type SourceValue, type Report, type SourceNode, withArticle } from "@nodewright/source";
import { editDistanceAtMost } from "@nodewright/terminal-text";
import type { jsonSchemaDiagnostics } from "./json-schema-diagnostics.ts";
import { annotatingKeywords, assertingKeywords, isKnownKeyword, type KeywordShape } from "./keywords.ts";
import type { DialectFacts } from "./schema-dialect.ts";

type SchemaReport = Report<typeof jsonSchemaDiagnostics>;

/** Description of the expected value of each keyword shape, for messages. */
const expectations: Readonly<Record<KeywordShape, string>> = {
  schema: "a schema",
  "schema-or-schemas": "a schema",
  schemas: "a list of schemas",
  "schemas-by-name": "an object of schemas",
  "schemas-or-names-by-name": "an object of schemas or lists of names",
  "names-by-name": "an object of lists of names",
  names: "a list of names",
  types: "a type or a list of types",
  list: "a list",
  text: "a string",
  anchor: "a name of letters, digits, -, _ and .",
  flag: "true or false",
  "flags-by-name": "an object of true and false",
  number: "a number",
  "number-or-flag": "a number",
  "positive-number": "a number above 0",
  count: "an integer of at least 0",
  object: "an object",
  anything: "anything",
};

/** Reports every keyword of one schema that has an invalid value, and every unknown keyword. Subschemas are checked separately. */
export function checkKeywords(schema: SourceValue, dialect: DialectFacts, report: SchemaReport): void {
  if (schema.node.kind !== "object") return;
  for (const [keyword, { node }] of schema.node.members) {
    const asserting = assertingKeywords.get(keyword);
    const shape = asserting ?? annotatingKeywords.get(keyword);
    if (shape === undefined) {
      reportUnknown(keyword, schema, dialect, report);
      continue;
    }
    if (isOfShape(node, shape, dialect)) continue;
    // The resolver reports a reference that is not a string.
    if (keyword === "$ref") continue;
    const member = schema.member(keyword);
    if (member === undefined) continue;
    const { place, found } = culprit(member, shape);
    const facts = { keyword, expected: expectations[shape], found };
    if (asserting === undefined) report("wrong-annotation", place.source, facts);
    else report("wrong-keyword-value", place.source, facts);
  }
}

function isOfShape(node: SourceNode, shape: KeywordShape, dialect: DialectFacts): boolean {
  switch (shape) {
    case "anything":
    // The schema reader reports a subschema or type that is invalid.
    case "schema":
    case "schema-or-schemas":
      return true;
    case "types":
      return node.kind !== "array" || node.items.length > 0;
    case "schemas":
      return node.kind === "array" && node.items.length > 0;
    case "list":
      return node.kind === "array";
    case "names":
      return areNames(node);
    case "schemas-by-name":
    case "object":
    case "schemas-or-names-by-name":
      return node.kind === "object";
    case "names-by-name":
      return node.kind === "object" && [...node.members.values()].every((member) => areNames(member.node));
    case "flags-by-name":
      return node.kind === "object" && [...node.members.values()].every((member) => isScalar(member.node, "boolean"));
    case "text":
      return isScalar(node, "string");
    case "anchor":
      return node.kind === "scalar" && typeof node.value === "string" && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(node.value);
    case "flag":
      return isScalar(node, "boolean");
    case "number":
      return isScalar(node, "number");
    case "number-or-flag":
      // Many documents give the bound itself where a flag is expected, as later dialects do.
      return isScalar(node, "number") || (dialect.hasExclusiveFlags && isScalar(node, "boolean"));
    case "positive-number":
      return node.kind === "scalar" && typeof node.value === "number" && node.value > 0;
    case "count":
      return node.kind === "scalar" && Number.isInteger(node.value) && Number(node.value) >= 0;
    default:
      return shape satisfies never;
  }
}

function isScalar(node: SourceNode, type: "string" | "number" | "boolean"): boolean {
  return node.kind === "scalar" && typeof node.value === type;
}

function areNames(node: SourceNode): boolean {
  return node.kind === "array" && node.items.every((item) => isScalar(item, "string"));
}

/** Returns the invalid element of a list whose other elements are valid, and its type. */
function culprit(member: SourceValue, shape: KeywordShape): { readonly place: SourceValue; readonly found: string } {
  const wrong = shape === "names" ? member.items.find(({ string }) => string === undefined) : undefined;
  const place = wrong ?? member;
  const isEmpty = place.node.kind === "array" && (shape === "schemas" || shape === "types");
  return { place, found: isEmpty ? "an empty one" : foundAs(place, shape) };
}

function foundAs(place: SourceValue, shape: KeywordShape): string {
  const showsValue = shape === "count" || shape === "positive-number" || shape === "anchor";
  return showsValue && place.node.kind === "scalar" ? JSON.stringify(place.node.value) : withArticle(place.typeName);
}

function reportUnknown(keyword: string, schema: SourceValue, dialect: DialectFacts, report: SchemaReport): void {
  if (keyword.startsWith("x-") || (keyword === "id" && dialect.idKeyword === "id")) return;
  report("unknown-keyword", schema.keySource(keyword), { keyword, suggestion: suggestionFor(keyword) });
}

const suggestions = new Map<string, string>();

/** Returns ` (did you mean "X"?)` for a keyword that differs from a known one in case or by one or two letters. */
function suggestionFor(keyword: string): string {
  const known = suggestions.get(keyword);
  if (known !== undefined) return known;
  const all = [...assertingKeywords.keys(), ...annotatingKeywords.keys()];
  const near = all.find(
    (name) => isKnownKeyword(name) && editDistanceAtMost(name.toLowerCase(), keyword.toLowerCase(), 2),
  );
  const suggestion = near === undefined ? "" : ` (did you mean "${near}"?)`;
  if (suggestions.size < 1000) suggestions.set(keyword, suggestion);
  return suggestion;
}
