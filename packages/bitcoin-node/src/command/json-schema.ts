/** As much of a JSON Schema as is said to people. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly JsonSchema[];
  readonly default?: unknown;
}

/** Names of the JSON types that a schema allows, each once, `integer` apart from `number`; none when it allows every value. */
export function jsonTypes(schema: JsonSchema, resolve: (reference: string) => JsonSchema): readonly string[] {
  if (schema.type !== undefined) return [schema.type];
  const target = schema.$ref === undefined ? [] : jsonTypes(resolve(schema.$ref), resolve);
  const alternatives = (schema.oneOf ?? []).flatMap((alternative) => jsonTypes(alternative, resolve));
  return [...new Set([...target, ...alternatives])];
}
