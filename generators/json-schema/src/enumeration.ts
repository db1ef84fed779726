import { canonicalText, referencesOfType } from "@nodewright/api-model";
import { isOfType, type JsonValue, type TypeNode } from "@nodewright/model";
import type { Located, Report } from "@nodewright/source";
import type { jsonSchemaDiagnostics } from "./json-schema-diagnostics.ts";

/**
 * What `const` and `enum` leave of the values that the other keywords of a schema allow: the listed values that they allow, found
 * out while reading. Undefined where neither stands. `isNullable`: null is added by whoever asks.
 */
export function readEnumeration(
  schema: Located,
  conditions: readonly TypeNode[],
  { isNullable, report }: { readonly isNullable: boolean; readonly report: Report<typeof jsonSchemaDiagnostics> },
): readonly TypeNode[] | undefined {
  const places = listedValues(schema, report);
  if (places === undefined) return undefined;
  const { source } = schema.member("const") ?? schema.member("enum") ?? schema;
  const undecided = conditions.filter(holdsReference);
  const decided = conditions.filter((condition) => !undecided.includes(condition));
  const values: JsonValue[] = [];
  for (const place of places) {
    const value = place.value as JsonValue;
    // Only inside of an object or list does a reference matter.
    const deciding = isStructure(value) ? decided : conditions;
    if (deciding.every((condition) => isOfType(value, condition, noDeclarations))) values.push(value);
    else if (!isNullable || value !== null) reportImpossible(place, schema, report);
  }
  if (values.length === 0) return [{ kind: "never", source }];
  return [{ kind: "enumeration", values, source }, ...(values.some(isStructure) ? undecided : [])];
}

const noDeclarations = { declarations: [] };

/** The values of `enum`; where `const` stands, its own, if `enum` does not exclude it. */
function listedValues(schema: Located, report: Report<typeof jsonSchemaDiagnostics>): readonly Located[] | undefined {
  const constant = schema.member("const");
  const listed = schema.member("enum");
  const values = listed?.node.kind === "array" ? listed.items : undefined;
  if (values?.length === 0 && listed !== undefined) report("empty-enumeration", listed.source, {});
  if (constant === undefined) return values;
  const wanted = canonicalText(constant.value as JsonValue);
  const isListed = values === undefined || values.some(({ value }) => canonicalText(value as JsonValue) === wanted);
  return isListed ? [constant] : [];
}

/** Only a wrong type is told: bounds may cut off a part of what is listed on purpose. */
function reportImpossible(place: Located, schema: Located, report: Report<typeof jsonSchemaDiagnostics>): void {
  const types = schema.member("type");
  if (types === undefined) return;
  const names = types.node.kind === "array" ? types.items.map(({ string }) => string) : [types.string];
  const { value, source } = place;
  if (typeNamesOf(value).some((name) => names.includes(name))) return;
  report("impossible-value", source, { value: shown(value), types: names.join(" or ") });
}

/** Characters of a value that a diagnostic shows. */
const shownLength = 60;

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}

/** The names that JSON Schema has for the type of a value. */
function typeNamesOf(value: unknown): readonly string[] {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  return Number.isInteger(value) ? ["integer", "number"] : [typeof value];
}

function isStructure(value: JsonValue): boolean {
  return typeof value === "object" && value !== null;
}

/** Whether a value matches a type, as far as that can be said before all declarations are read. */
export function mayMatch(value: JsonValue, type: TypeNode): boolean {
  return holdsReference(type) || isOfType(value, type, noDeclarations);
}

/** Whether what matches a type depends on declarations, which are not all read yet. */
function holdsReference(type: TypeNode): boolean {
  return referencesOfType(type).size > 0;
}
