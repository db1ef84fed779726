import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/** Ajv's verdicts over the schemas of one document, by JSON Pointer. */
export interface AjvSchemas {
  /** Undefined where ajv refuses the schema itself. */
  verdict(pointer: string, value: unknown): boolean | undefined;
}

/** Reads the schemas of a document as ajv's own users would: 3.0's spellings translated, formats not asserted. */
export function ajvSchemas(document: unknown): AjvSchemas {
  const { openapi = "3.1.0" } = document as { readonly openapi?: string };
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
  const schema = openapi.startsWith("3.0") ? translated(document) : document;
  ajv.addSchema({ $id: "document:", ...(schema as object) }, "document:", false, false);
  const compiled = new Map<string, ValidateFunction | undefined>();
  return {
    verdict(pointer, value) {
      if (!compiled.has(pointer)) compiled.set(pointer, compile(ajv, pointer));
      return compiled.get(pointer)?.(value);
    },
  };
}

function compile(ajv: Ajv2020, pointer: string): ValidateFunction | undefined {
  try {
    return ajv.compile({ $ref: `document:#${pointer.split("/").map(encodeURIComponent).join("/")}` });
  } catch {
    return undefined;
  }
}

/** OpenAPI 3.0's schema object in the words of JSON Schema 2020-12 (OpenAPI 3.0.3, section 4.7.24). */
function translated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(translated);
  if (typeof value !== "object" || value === null) return value;
  const members = value as Readonly<Record<string, unknown>>;
  // What stands beside a reference is ignored.
  if (typeof members["$ref"] === "string") return { $ref: members["$ref"] };
  const result: Record<string, unknown> = Object.fromEntries(
    Object.entries(members)
      .filter(([name]) => name !== "example" && name !== "examples" && name !== "nullable")
      .map(([name, member]) => [name, translatedMember(name, member)]),
  );
  translateBound(result, "exclusiveMinimum", "minimum");
  translateBound(result, "exclusiveMaximum", "maximum");
  if (members["nullable"] === true && typeof members["type"] === "string") {
    result["type"] = [members["type"], "null"];
    if (Array.isArray(members["enum"]) && !members["enum"].includes(null)) result["enum"] = [...members["enum"], null];
  }
  return result;
}

/** Values stay as they are; names of properties and components are no keywords. */
function translatedMember(name: string, member: unknown): unknown {
  if (name === "enum" || name === "default" || name === "const") return member;
  const isMap = ["properties", "schemas", "responses", "parameters", "requestBodies", "headers"].includes(name);
  if (!isMap || typeof member !== "object" || member === null || Array.isArray(member)) return translated(member);
  return Object.fromEntries(Object.entries(member).map(([key, value]) => [key, translated(value)]));
}

function translateBound(schema: Record<string, unknown>, flag: string, bound: string): void {
  if (typeof schema[flag] !== "boolean") return;
  if (schema[flag]) {
    schema[flag] = schema[bound];
    delete schema[bound];
  } else delete schema[flag];
}
