/** Part of a JSON Schema that is described to people. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly oneOf?: readonly JsonSchema[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
}

/** Function that resolves a reference. Throws when it does not resolve. */
export type SchemaResolver = (reference: string) => JsonSchema;

/** Returns the names of the JSON types that a schema allows, each once, `integer` apart from `number`; none when it allows every value. */
export function jsonTypes(schema: JsonSchema, resolve: SchemaResolver): readonly string[] {
  if (schema.type !== undefined) return [schema.type];
  const target = schema.$ref === undefined ? [] : jsonTypes(resolve(schema.$ref), resolve);
  const alternatives = (schema.oneOf ?? []).flatMap((alternative) => jsonTypes(alternative, resolve));
  const values = [...(schema.enum ?? []), ...("const" in schema ? [schema.const] : [])].map(typeOfValue);
  return [...new Set([...target, ...alternatives, ...values])];
}

function typeOfValue(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
