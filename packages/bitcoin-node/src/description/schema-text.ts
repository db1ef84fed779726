import { type JsonSchema, jsonTypes, type SchemaResolver } from "./json-schema.ts";

/** Maximum depth of rendered members: no result of the interface is deeper. */
const deepestLevel = 8;
const indentation = "  ";

/** A schema with the references on the path to it, so that none is followed twice. */
interface Place {
  readonly schema: JsonSchema;
  readonly resolve: SchemaResolver;
  readonly path: ReadonlySet<string>;
  readonly level: number;
}

/** Describes the possible values in words: their types and, where they are few, the values. */
export function schemaFacts(schema: JsonSchema, resolve: SchemaResolver): string {
  const target = resolved(schema, resolve);
  const values = target.enum ?? ("const" in target ? [target.const] : undefined);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(" or ");
  const types = jsonTypes(schema, resolve);
  if (types.length === 0) return "any value";
  return types
    .map((type) => (type === "array" && types.length === 1 ? arrayFacts(target, resolve) : type))
    .join(" or ");
}

/** Returns the members of objects in a value, one per line and indented below their parent. */
export function memberLines(schema: JsonSchema, resolve: SchemaResolver): readonly string[] {
  return linesBelow({ schema, resolve, path: new Set(), level: 1 });
}

function arrayFacts({ items }: JsonSchema, resolve: SchemaResolver): string {
  if (items === undefined) return "array";
  return `array of ${schemaFacts(items, resolve)}`;
}

function linesBelow(place: Place): readonly string[] {
  const { schema, resolve, path, level } = place;
  if (level > deepestLevel) return [];
  if (schema.$ref !== undefined) {
    if (path.has(schema.$ref)) return [];
    return linesBelow({ ...place, schema: resolve(schema.$ref), path: new Set([...path, schema.$ref]) });
  }
  if (schema.oneOf !== undefined) return alternativeLines(place, schema.oneOf);
  if (schema.items !== undefined) return linesBelow({ ...place, schema: schema.items });
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    linesOfMember({ ...place, schema: member }, name, schema.required?.includes(name) === true),
  );
  const { additionalProperties: others } = schema;
  return typeof others === "object"
    ? [...members, ...linesOfMember({ ...place, schema: others }, "<name>", true)]
    : members;
}

/** Returns the lines of alternatives. The types alone describe one without members. */
function alternativeLines(place: Place, alternatives: readonly JsonSchema[]): readonly string[] {
  const described = alternatives.filter((schema) => linesBelow({ ...place, schema }).length > 0);
  const [only] = described;
  if (only === undefined || described.length === 1)
    return only === undefined ? [] : linesBelow({ ...place, schema: only });
  return described.flatMap((schema) => {
    const target = resolved(schema, place.resolve);
    const description = oneLine(target.description ?? schemaFacts(target, place.resolve));
    return [
      `${indentation.repeat(place.level)}Either: ${description}`,
      ...linesBelow({ ...place, schema, level: place.level + 1 }),
    ];
  });
}

function linesOfMember(place: Place, name: string, required: boolean): readonly string[] {
  const { schema, resolve, level } = place;
  const facts = [schemaFacts(schema, resolve), ...(required ? [] : ["optional"])].join(", ");
  const description = schema.description ?? resolved(schema, resolve).description ?? "";
  const line = `${indentation.repeat(level)}${name}  (${facts})  ${oneLine(description)}`.trimEnd();
  return [line, ...linesBelow({ ...place, level: level + 1 })];
}

function resolved(schema: JsonSchema, resolve: SchemaResolver): JsonSchema {
  return schema.$ref === undefined ? schema : resolved(resolve(schema.$ref), resolve);
}

/** Returns a description in one line. */
export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, " ");
}
