import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/** Ajv's verdicts over the schemas of one document, by JSON Pointer. */
export interface AjvSchemas {
  /** Undefined where ajv refuses the schema itself. */
  verdict(pointer: string, value: unknown): boolean | undefined;
}

/**
 * Reads the schemas of a document as ajv's own users would: 3.0's spellings translated, formats not asserted, and with the one
 * thing that ajv does not know, that what only the other side sets is not required (OpenAPI 3.0.3, section 4.7.24.1).
 */
export function ajvSchemas(document: unknown, direction: "request" | "response"): AjvSchemas {
  const { openapi = "3.1.0" } = document as { readonly openapi?: string };
  // Its code runs a few times only: to make it short takes longer than to run it.
  const code = { optimize: false };
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false, inlineRefs: false, code });
  const schema = translated(document, { isOld: openapi.startsWith("3.0"), direction, document });
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

interface Translation {
  readonly isOld: boolean;
  readonly direction: "request" | "response";
  readonly document: unknown;
}

/** A schema in the words of JSON Schema 2020-12 (OpenAPI 3.0.3, section 4.7.24). */
function translated(value: unknown, translation: Translation): unknown {
  if (Array.isArray(value)) return value.map((item) => translated(item, translation));
  if (typeof value !== "object" || value === null) return value;
  const members = value as Readonly<Record<string, unknown>>;
  // What stands beside a reference is ignored.
  if (translation.isOld && typeof members["$ref"] === "string") return { $ref: members["$ref"] };
  const result: Record<string, unknown> = Object.fromEntries(
    Object.entries(members)
      .filter(([name]) => !["example", "examples", "nullable"].includes(name))
      .map(([name, member]) => [name, translatedMember(name, member, translation)]),
  );
  if (Array.isArray(members["required"])) result["required"] = requiredNames(members, translation);
  return translation.isOld ? translatedNull(members, result) : result;
}

function requiredNames(
  { required, properties }: Readonly<Record<string, unknown>>,
  { direction, document }: Translation,
): readonly unknown[] {
  const flag = direction === "request" ? "readOnly" : "writeOnly";
  const described = (properties ?? {}) as Readonly<Record<string, unknown>>;
  const isSetByOthers = (schema: unknown): boolean => {
    if (typeof schema !== "object" || schema === null) return false;
    const { [flag]: said, $ref: reference } = schema as Readonly<Record<string, unknown>>;
    const target =
      typeof reference === "string" && /^#\/components\/schemas\/[^/]*$/.test(reference) ? reference : undefined;
    return said === true || (target !== undefined && isSetByOthers(componentSchema(document, target.slice(21))));
  };
  return (required as readonly string[]).filter((name) => !isSetByOthers(described[name]));
}

function componentSchema(document: unknown, name: string): unknown {
  const { components } = document as { readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> } };
  return components?.schemas?.[name];
}

function translatedNull(members: Readonly<Record<string, unknown>>, result: Record<string, unknown>): unknown {
  translateBound(result, "exclusiveMinimum", "minimum");
  translateBound(result, "exclusiveMaximum", "maximum");
  if (members["nullable"] !== true) return result;
  // Where no type stands beside it, the specification gives the word no meaning, and all who write it mean the same.
  if (typeof members["type"] !== "string") return { anyOf: [result, { type: "null" }] };
  result["type"] = [members["type"], "null"];
  if (Array.isArray(members["enum"]) && !members["enum"].includes(null)) result["enum"] = [...members["enum"], null];
  return result;
}

/** Values stay as they are; names of properties and components are no keywords. */
function translatedMember(name: string, member: unknown, translation: Translation): unknown {
  if (name === "enum" || name === "default" || name === "const") return member;
  const isMap = ["properties", "schemas", "responses", "parameters", "requestBodies", "headers"].includes(name);
  if (!isMap || typeof member !== "object" || member === null || Array.isArray(member))
    return translated(member, translation);
  return Object.fromEntries(Object.entries(member).map(([key, value]) => [key, translated(value, translation)]));
}

function translateBound(schema: Record<string, unknown>, flag: string, bound: string): void {
  if (typeof schema[flag] !== "boolean") return;
  if (schema[flag]) {
    schema[flag] = schema[bound];
    delete schema[bound];
  } else delete schema[flag];
}
