// https://spec.openapis.org/: "The JSON Schema of OpenAPI documents", one for each version.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { ErrorObject } from "ajv";
import type { OpenApiVersion } from "./reading.ts";

/** Holds a document against the official schema; empty when it matches. */
export type OfficialCheck = (document: unknown) => readonly ErrorObject[];

const require = createRequire(import.meta.url);

type Schema = { [keyword: string]: unknown };

const checks = new Map<OpenApiVersion, Promise<OfficialCheck>>();

/** The official schema of a version, compiled when it is first asked for. */
export function officialCheck(version: OpenApiVersion): Promise<OfficialCheck> {
  const known = checks.get(version);
  if (known !== undefined) return known;
  const check = createOfficialCheck(version);
  checks.set(version, check);
  return check;
}

/**
 * Compiles the official schema of a version, but for what our own reading tells better, and with alternatives told apart:
 * where one of two may stand, the mistakes of the one that is meant are told, not that neither matches.
 */
async function createOfficialCheck(version: OpenApiVersion): Promise<OfficialCheck> {
  const schema = JSON.parse(readFileSync(fileOf(version), "utf8")) as Schema;
  const prepared = version === "3.0" ? prepareOldSchema(schema) : prepareSchema(schema);
  const { Ajv2020 } = await import("ajv/dist/2020.js");
  const ajv = new Ajv2020({
    allErrors: true,
    // Messages are made from the schema that was not met.
    verbose: true,
    strict: false,
    // The schema is known to be right.
    meta: false,
    validateSchema: false,
    code: { optimize: false },
  });
  const validate = ajv.compile(prepared);
  return (document) => {
    validate(document);
    return validate.errors ?? [];
  };
}

/** The schemas as the OpenAPI Initiative publishes them (Apache-2.0), in a package that keeps up with it. */
function fileOf(version: OpenApiVersion): string {
  switch (version) {
    case "3.0":
      return require.resolve("@seriousme/openapi-schema-validator/schemas/v3.0/schema.json");
    case "3.1":
      return require.resolve("@seriousme/openapi-schema-validator/schemas/v3.1/schema.json");
    case "3.2":
      return require.resolve("@seriousme/openapi-schema-validator/schemas/v3.2/schema.json");
    default:
      return version satisfies never;
  }
}

/** 3.1 and 3.2. */
function prepareSchema(schema: Schema): Schema {
  const { $defs } = schema as {
    $defs: { parameter: Schema; header: Schema; link: { properties: Schema }; components: Schema; responses: Schema };
  };
  const { parameter, header, link, components, responses } = $defs;
  // Read by json-schema, which says more.
  Object.assign($defs, { schema: {} });
  // Told by the readers of each.
  for (const owner of [parameter, header, link as Schema]) delete owner["oneOf"];
  delete schema["anyOf"];
  for (const keyword of ["if", "then"]) delete responses[keyword];
  delete components["patternProperties"];
  // Section 4.8.20.1 allows any value.
  link.properties["parameters"] = { type: "object" };
  return simplified(schema, "#/$defs/reference") as Schema;
}

/** 3.0, whose schema is written in draft 4: without its Schema Object, nothing in it is of that draft alone. */
function prepareOldSchema(schema: Schema): Schema {
  const { definitions } = schema as { definitions: Record<string, Schema> };
  // Read by json-schema, which says more.
  definitions["Schema"] = {};
  definitions["ParameterLocation"] = {};
  definitions["SchemaXORContent"] = {};
  delete definitions["HTTPSecurityScheme"]?.["oneOf"];
  const schemes = definitions["SecurityScheme"]?.["oneOf"] as readonly { readonly $ref: string }[];
  definitions["SecurityScheme"] = { type: "object", allOf: schemes.map((scheme) => ofItsType(scheme, definitions)) };
  return simplified(schema, "#/definitions/Reference") as Schema;
}

/** A scheme is held against the schema of its own type. */
function ofItsType(scheme: { readonly $ref: string }, definitions: Record<string, Schema>): Schema {
  const definition = definitions[scheme.$ref.replace("#/definitions/", "")] as { properties: { type: Schema } };
  const { type } = definition.properties;
  return conditional({ properties: { type }, required: ["type"] }, scheme);
}

/** `if`, `then` and `else`; put together by name, for an object that has a `then` of its own is taken for a promise. */
function conditional(...parts: readonly [condition: Schema, consequence: Schema, alternative?: Schema]): Schema {
  return Object.fromEntries(["if", "then", "else"].map((keyword, index) => [keyword, parts[index] ?? {}]));
}

/** Names under which a schema of a kind is kept by name; the names themselves are checked by the readers. */
const componentNames = "^[a-zA-Z0-9\\.\\-_]+$";

/**
 * The same schema without formats, which are hints, and without `uniqueItems`, which costs the square of the list; a thing or
 * a reference to it is told apart by its `$ref`.
 */
function simplified(value: unknown, reference: string): unknown {
  if (Array.isArray(value)) return value.map((item) => simplified(item, reference));
  if (typeof value !== "object" || value === null) return value;
  const schema = { ...(value as Schema) };
  for (const keyword of ["$schema", "id", "$id", "format", "uniqueItems"]) {
    if (typeof schema[keyword] !== "object") delete schema[keyword];
  }
  const entries = Object.entries(schema).map(([name, member]) => [name, simplified(member, reference)] as const);
  const result: Schema = Object.fromEntries(entries);
  const patterns = result["patternProperties"] as Schema | undefined;
  if (patterns !== undefined && componentNames in patterns) {
    result["additionalProperties"] = patterns[componentNames];
  }
  const condition = result["if"] as Schema | undefined;
  // What is not there meets any condition on it, which is not meant.
  if (condition?.["properties"] !== undefined && condition["required"] === undefined)
    condition["required"] = Object.keys(condition["properties"] as Schema);
  return withReferenceApart(result, reference);
}

function withReferenceApart(schema: Schema, reference: string): Schema {
  const alternatives = schema["oneOf"];
  if (!Array.isArray(alternatives) || alternatives.length !== 2) return schema;
  const { oneOf: _, ...rest } = schema;
  const other = (alternatives as readonly Schema[]).find(({ $ref }) => $ref !== reference);
  const isEither = (alternatives as readonly Schema[]).some(({ $ref }) => $ref === reference);
  if (!isEither || other === undefined) return schema;
  return { ...rest, ...conditional({ type: "object", required: ["$ref"] }, { $ref: reference }, other) };
}
