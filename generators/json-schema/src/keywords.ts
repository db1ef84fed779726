import type { SourceValue } from "@nodewright/source";

/** Types of JSON Schema 2020-12 (validation vocabulary, section 6.1.1). */
export const schemaTypes = ["null", "boolean", "string", "number", "integer", "array", "object"] as const;

export type SchemaType = (typeof schemaTypes)[number];

/** Types that have keywords of their own. */
export type KeywordKind = "string" | "number" | "array" | "object";

/** Keywords that apply to one type of value and ignore all others. */
export const keywordsOfKind: Readonly<Record<KeywordKind, readonly string[]>> = {
  string: ["minLength", "maxLength", "pattern"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  array: ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"],
  object: [
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "minProperties",
    "maxProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
  ],
};

/** Expected value of a keyword. */
export type KeywordShape =
  | "schema"
  | "schema-or-schemas"
  | "schemas"
  | "schemas-by-name"
  | "schemas-or-names-by-name"
  | "names-by-name"
  | "names"
  | "types"
  | "list"
  | "text"
  | "anchor"
  | "flag"
  | "flags-by-name"
  | "number"
  | "number-or-flag"
  | "positive-number"
  | "count"
  | "object"
  | "anything";

/** Keywords that affect validation or define reference targets, with the values they take. */
export const assertingKeywords: ReadonlyMap<string, KeywordShape> = new Map([
  ["$id", "text"],
  ["$schema", "text"],
  ["$ref", "text"],
  ["$anchor", "anchor"],
  ["$dynamicRef", "text"],
  ["$dynamicAnchor", "anchor"],
  ["$recursiveRef", "text"],
  ["$recursiveAnchor", "flag"],
  ["$vocabulary", "flags-by-name"],
  ["$defs", "schemas-by-name"],
  ["definitions", "schemas-by-name"],
  ["type", "types"],
  ["enum", "list"],
  ["const", "anything"],
  ["allOf", "schemas"],
  ["anyOf", "schemas"],
  ["oneOf", "schemas"],
  ["not", "schema"],
  ["if", "schema"],
  ["then", "schema"],
  ["else", "schema"],
  ["minLength", "count"],
  ["maxLength", "count"],
  ["pattern", "text"],
  ["format", "text"],
  ["minimum", "number"],
  ["maximum", "number"],
  ["exclusiveMinimum", "number-or-flag"],
  ["exclusiveMaximum", "number-or-flag"],
  ["multipleOf", "positive-number"],
  ["items", "schema-or-schemas"],
  ["prefixItems", "schemas"],
  ["additionalItems", "schema"],
  ["unevaluatedItems", "schema"],
  ["contains", "schema"],
  ["minContains", "count"],
  ["maxContains", "count"],
  ["minItems", "count"],
  ["maxItems", "count"],
  ["uniqueItems", "flag"],
  ["properties", "schemas-by-name"],
  ["patternProperties", "schemas-by-name"],
  ["additionalProperties", "schema"],
  ["unevaluatedProperties", "schema"],
  ["propertyNames", "schema"],
  ["required", "names"],
  ["minProperties", "count"],
  ["maxProperties", "count"],
  ["dependentRequired", "names-by-name"],
  ["dependentSchemas", "schemas-by-name"],
  ["dependencies", "schemas-or-names-by-name"],
  ["contentSchema", "schema"],
  ["discriminator", "object"],
  ["nullable", "flag"],
] satisfies [string, KeywordShape][]);

/** Annotation keywords for people; an invalid value has no effect. */
export const annotatingKeywords: ReadonlyMap<string, KeywordShape> = new Map([
  ["$comment", "text"],
  ["title", "text"],
  ["description", "text"],
  ["default", "anything"],
  ["deprecated", "flag"],
  ["readOnly", "flag"],
  ["writeOnly", "flag"],
  ["example", "anything"],
  ["examples", "list"],
  ["contentEncoding", "text"],
  ["contentMediaType", "text"],
  ["xml", "object"],
  ["externalDocs", "object"],
] satisfies [string, KeywordShape][]);

/** Keywords of the validation vocabulary. They have no effect under a metaschema without that vocabulary (2020-12, section 8.1.2). */
export const validationKeywords: ReadonlySet<string> = new Set(
  (
    "type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems " +
    "minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired"
  ).split(" "),
);

/** Returns whether a keyword is known. */
export function isKnownKeyword(name: string): boolean {
  return assertingKeywords.has(name) || annotatingKeywords.has(name);
}

/** Returns the direct subschemas of a schema, in document order. Targets of `$ref` are not included. */
export function subschemas(schema: SourceValue): readonly SourceValue[] {
  if (schema.node.kind !== "object") return [];
  const found: SourceValue[] = [];
  for (const keyword of schema.node.members.keys()) {
    const member = isSubschemaKeyword(keyword) ? schema.member(keyword) : undefined;
    if (member !== undefined) found.push(...schemasIn(member, assertingKeywords.get(keyword)));
  }
  return found;
}

function isSubschemaKeyword(keyword: string): boolean {
  return assertingKeywords.get(keyword)?.startsWith("schema") === true;
}

function schemasIn(member: SourceValue, shape: KeywordShape | undefined): readonly SourceValue[] {
  if (shape === "schema") return [member];
  if (member.node.kind === "array") return member.items;
  if (shape === "schema-or-schemas") return [member];
  return member.members.map(([, schema]) => schema);
}
