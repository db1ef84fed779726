import { type AnySchema, Ajv, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { isObject } from "./json-tree.ts";

/** Schemas of one document, compiled once each. */
export interface SchemaBook {
  compile(schema: unknown): ValidateFunction;
  /** The schema behind references, one step at a time. */
  resolve(schema: unknown): Readonly<Record<string, unknown>>;
}

/** Reads the schemas of a document; `nullable` of OpenAPI 3.0 is understood. */
export function createSchemaBook(document: unknown): SchemaBook {
  const options: Options = { strict: false, allErrors: true };
  const isOld = isObject(document) && String(document["openapi"]).startsWith("3.0");
  const ajv = isOld ? new Ajv(options) : new Ajv2020(options);
  (addFormats as unknown as (target: unknown) => void)(ajv);
  ajv.addSchema(withNullable(document) as AnySchema, "document");
  const compiled = new Map<string, ValidateFunction>();
  return {
    compile: (schema) => {
      const text = JSON.stringify(withNullable(schema)).replaceAll('"$ref":"#', '"$ref":"document#');
      const known = compiled.get(text) ?? ajv.compile(JSON.parse(text) as AnySchema);
      compiled.set(text, known);
      return known;
    },
    resolve: (schema) => {
      let found: unknown = schema;
      while (isObject(found) && typeof found["$ref"] === "string") {
        found = found["$ref"]
          .slice(2)
          .split("/")
          .reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), document);
      }
      return isObject(found) ? found : {};
    },
  };
}

function withNullable(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withNullable);
  }
  if (!isObject(value)) {
    return value;
  }
  const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withNullable(item)]));
  if (copy["nullable"] === true && typeof copy["type"] === "string") {
    const { nullable: _nullable, type, ...rest } = copy;
    return { ...rest, type: [type, "null"] };
  }
  return copy;
}
