// https://spec.openapis.org/: "The JSON Schema of OpenAPI documents", one for each version.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { ErrorObject } from "ajv";
import type { OpenApiVersion } from "./reading.ts";

/** Validates a document against the official schema. Returns no errors when it is valid. */
export type OfficialCheck = (document: unknown) => readonly ErrorObject[];

const require = createRequire(import.meta.url);

type Schema = { [keyword: string]: unknown };

const checks = new Map<OpenApiVersion, Promise<OfficialCheck>>();

/** Returns the check against the official schema of a version. The schema is compiled on the first call. */
export function officialCheck(version: OpenApiVersion): Promise<OfficialCheck> {
  const known = checks.get(version);
  if (known !== undefined) return known;
  const check = createOfficialCheck(version);
  checks.set(version, check);
  return check;
}

/**
 * Compiles the official schema of a version, without the parts for which our own readers report better errors. Alternatives are
 * distinguished, so that the errors of the intended one are reported instead of "no alternative matches".
 */
async function createOfficialCheck(version: OpenApiVersion): Promise<OfficialCheck> {
  const schema = JSON.parse(readFileSync(fileOf(version), "utf8")) as Schema;
  const prepared = version === "3.0" ? prepareOldSchema(schema) : prepareSchema(schema);
  const { Ajv2020 } = await import("ajv/dist/2020.js");
  const ajv = new Ajv2020({
    allErrors: true,
    // Messages use the schema that the value does not match.
    verbose: true,
    strict: false,
    // The schema is known to be valid.
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

/** Returns the path of the schema as the OpenAPI Initiative publishes it (Apache-2.0), in a package that follows its releases. */
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

/** Prepares the schema of 3.1 or 3.2. */
function prepareSchema(schema: Schema): Schema {
  const { $defs } = schema as {
    $defs: { parameter: Schema; header: Schema; link: { properties: Schema }; components: Schema; responses: Schema };
  };
  const { parameter, header, link, components, responses } = $defs;
  // Read by json-schema, which reports more.
  Object.assign($defs, { schema: {} });
  // Reported by the reader of each.
  for (const owner of [parameter, header, link as Schema]) delete owner["oneOf"];
  delete schema["anyOf"];
  for (const keyword of ["if", "then"]) delete responses[keyword];
  delete components["patternProperties"];
  // Section 4.8.20.1 allows any value.
  link.properties["parameters"] = { type: "object" };
  return simplified(schema, "#/$defs/reference") as Schema;
}

/** Prepares the schema of 3.0, which is written in draft 4: without its Schema Object, nothing in it is specific to that draft. */
function prepareOldSchema(schema: Schema): Schema {
  const { definitions } = schema as { definitions: Record<string, Schema> };
  // Read by json-schema, which reports more.
  definitions["Schema"] = {};
  definitions["ParameterLocation"] = {};
  definitions["SchemaXORContent"] = {};
  delete definitions["HTTPSecurityScheme"]?.["oneOf"];
  const schemes = definitions["SecurityScheme"]?.["oneOf"] as readonly { readonly $ref: string }[];
  definitions["SecurityScheme"] = { type: "object", allOf: schemes.map((scheme) => ofItsType(scheme, definitions)) };
  return simplified(schema, "#/definitions/Reference") as Schema;
}

/** Returns a schema that validates a security scheme against the schema of its own type. */
function ofItsType(scheme: { readonly $ref: string }, definitions: Record<string, Schema>): Schema {
  const definition = definitions[scheme.$ref.replace("#/definitions/", "")] as { properties: { type: Schema } };
  const { type } = definition.properties;
  return conditional({ properties: { type }, required: ["type"] }, scheme);
}

/** Returns `if`, `then` and `else`. They are added by name, because an object literal with a `then` would be taken for a promise. */
function conditional(...parts: readonly [condition: Schema, consequence: Schema, alternative?: Schema]): Schema {
  return Object.fromEntries(["if", "then", "else"].map((keyword, index) => [keyword, parts[index] ?? {}]));
}

/** Pattern of component names in the schema. The readers check the names themselves. */
const componentNames = "^[a-zA-Z0-9\\.\\-_]+$";

/**
 * Returns the schema without formats, which are hints, and without `uniqueItems`, which takes quadratic time. An object and a reference to
 * it are distinguished by `$ref`.
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
  // An absent member would satisfy any condition on it, which is not intended.
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
