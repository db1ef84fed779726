import { canonicalText, referencesOfType } from "@nodewright/api-model";
import { isOfType, type JsonValue, type TypeNode } from "@nodewright/model";
import type { SourceValue, Report } from "@nodewright/source";
import type { jsonSchemaDiagnostics } from "./json-schema-diagnostics.ts";

/**
 * Returns the values of `const` and `enum` that the other keywords of the schema allow, as types. Returns undefined if the schema has
 * neither keyword. `isNullable`: whether the caller adds null.
 */
export function readEnumeration(
  schema: SourceValue,
  conditions: readonly TypeNode[],
  { isNullable, report }: { readonly isNullable: boolean; readonly report: Report<typeof jsonSchemaDiagnostics> },
): readonly TypeNode[] | undefined {
  const places = listedValues(schema, report);
  if (places === undefined) return undefined;
  const { source } = schema.member("const") ?? schema.member("enum") ?? schema;
  const undecided = conditions.filter(containsReference);
  const decided = conditions.filter((condition) => !undecided.includes(condition));
  const values: JsonValue[] = [];
  for (const place of places) {
    const value = place.value as JsonValue;
    // References matter only inside an object or an array.
    const deciding = isStructure(value) ? decided : conditions;
    if (deciding.every((condition) => isOfType(value, condition, noDeclarations))) values.push(value);
    else if (!isNullable || value !== null) reportImpossible(place, schema, report);
  }
  if (values.length === 0) return [{ kind: "never", source }];
  return [{ kind: "enumeration", values, source }, ...(values.some(isStructure) ? undecided : [])];
}

const noDeclarations = { declarations: [] };

/** Returns the values of `enum`; with `const`, its value alone, unless `enum` excludes it. */
function listedValues(
  schema: SourceValue,
  report: Report<typeof jsonSchemaDiagnostics>,
): readonly SourceValue[] | undefined {
  const constant = schema.member("const");
  const listed = schema.member("enum");
  const values = listed?.node.kind === "array" ? listed.items : undefined;
  if (values?.length === 0 && listed !== undefined) report("empty-enumeration", listed.source, {});
  if (constant === undefined) return values;
  const wanted = canonicalText(constant.value as JsonValue);
  const isListed = values === undefined || values.some(({ value }) => canonicalText(value as JsonValue) === wanted);
  return isListed ? [constant] : [];
}

/**
 * Reports a value whose type the schema excludes. Values out of bounds are not reported: bounds may exclude some of the listed values on
 * purpose.
 */
function reportImpossible(place: SourceValue, schema: SourceValue, report: Report<typeof jsonSchemaDiagnostics>): void {
  const types = schema.member("type");
  if (types === undefined) return;
  const names = types.node.kind === "array" ? types.items.map(({ string }) => string) : [types.string];
  const { value, source } = place;
  if (typeNamesOf(value).some((name) => names.includes(name))) return;
  report("impossible-value", source, { value: shown(value), types: names.join(" or ") });
}

/** Maximum length of a value in a diagnostic, in characters. */
const shownLength = 60;

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}

/** Returns the names of JSON Schema for the type of a value. */
function typeNamesOf(value: unknown): readonly string[] {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  return Number.isInteger(value) ? ["integer", "number"] : [typeof value];
}

function isStructure(value: JsonValue): boolean {
  return typeof value === "object" && value !== null;
}

/** Returns whether a value may match a type. Types with references count as a match, because not all declarations have been read yet. */
export function mayMatch(value: JsonValue, type: TypeNode): boolean {
  return containsReference(type) || isOfType(value, type, noDeclarations);
}

/** Returns whether a type contains references to declarations, which may not all have been read yet. */
function containsReference(type: TypeNode): boolean {
  return referencesOfType(type).size > 0;
}
