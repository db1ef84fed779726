/** The types of JSON Schema 2020-12 (validation vocabulary, section 6.1.1). */
export const schemaTypes = ["null", "boolean", "string", "number", "integer", "array", "object"] as const;

export type SchemaType = (typeof schemaTypes)[number];

/** Keywords that speak of one type only. `integer` shares those of `number`, which imply the wider of the two. */
export const keywordsOfType: Readonly<Record<SchemaType, readonly string[]>> = {
  null: [],
  boolean: [],
  string: ["minLength", "maxLength", "pattern"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  integer: [],
  array: ["items", "prefixItems", "minItems", "maxItems", "uniqueItems"],
  object: ["properties", "required", "additionalProperties", "patternProperties", "minProperties", "maxProperties"],
};

/** Keywords that take a list of schemas. */
export const applicatorKeywords = ["allOf", "anyOf", "oneOf"] as const;

const annotationKeywords = [
  "$id",
  "$schema",
  "$anchor",
  "$comment",
  "$defs",
  "definitions",
  "title",
  "description",
  "default",
  "deprecated",
  "readOnly",
  "writeOnly",
  "example",
  "examples",
  "format",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
  "discriminator",
  "xml",
  "externalDocs",
  "nullable",
];

export const knownKeywords: ReadonlySet<string> = new Set([
  "$ref",
  "type",
  "enum",
  "const",
  ...applicatorKeywords,
  ...Object.values(keywordsOfType).flat(),
  ...annotationKeywords,
]);

/** Keywords that change what matches and that the model has no node for. */
export const unsupportedKeywords: ReadonlySet<string> = new Set([
  "not",
  "if",
  "then",
  "else",
  "contains",
  "minContains",
  "maxContains",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "additionalItems",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
  "$dynamicRef",
  "$dynamicAnchor",
  "$recursiveRef",
]);
