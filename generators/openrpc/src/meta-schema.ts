// https://meta.open-rpc.org/ and https://meta.json-schema.tools/: the meta-schemas of OpenRPC documents and of the schemas in them; and the
// meta-schema of extensions: https://github.com/open-rpc/specification-extension-spec.
import { createRequire } from "node:module";

type JsonObject = { readonly [name: string]: unknown };

interface SpecificationTypes {
  readonly spec: {
    readonly OpenRPCSpecificationSchema1_3: JsonObject;
    readonly OpenRPCSpecificationSchema1_4: JsonObject;
  };
}

/** An extension in `x-extensions` of a document: a member that objects of the restricted definitions may have. */
interface Extension {
  readonly name: string;
  readonly schema: unknown;
  readonly restricted?: readonly string[];
}

/**
 * Returns whether a document is certainly valid against the official meta-schema, including its own extensions. Interprets the meta-schema,
 * which takes a tenth of the time that a validator takes to load and compile it. Returns false if the document is invalid, and if only a
 * validator can decide.
 */
export function certainlyMeetsMetaSchema(document: unknown): boolean {
  if (!isObject(document)) return false;
  const require = createRequire(import.meta.url);
  const { spec } = require("@open-rpc/spec-types") as SpecificationTypes;
  const { default: schemas } = require("@json-schema-tools/meta-schema") as { readonly default: JsonObject };
  const isLatest = /^1\.4(?:\..*)?$/.test(String(document["openrpc"]));
  const official = isLatest ? spec.OpenRPCSpecificationSchema1_4 : spec.OpenRPCSpecificationSchema1_3;
  const reading = new SchemaReading(new Map([["https://meta.json-schema.tools", schemas]]));
  const { "x-extensions": extensions } = document;
  if (extensions === undefined) return reading.isMet(official, document, official) && !reading.isInDoubt;
  const { metaSchema } = require("@open-rpc/specification-extension-spec") as { readonly metaSchema: JsonObject };
  const list = { type: "array", items: metaSchema };
  if (!reading.isMet(list, extensions, metaSchema) || reading.isInDoubt) return false;
  const root = withExtensions(official, extensions as readonly Extension[]);
  return root !== undefined && reading.isMet(root, document, root) && !reading.isInDoubt;
}

/**
 * Adds the members of extensions to the definitions of the meta-schema that they are restricted to. Returns undefined if an extension names
 * an unknown definition or an existing member, which the validator refuses, and for schemas that only the validator can compile.
 */
function withExtensions(root: JsonObject, extensions: readonly Extension[]): JsonObject | undefined {
  const definitions = new Map(Object.entries(root["definitions"] as Readonly<Record<string, JsonObject>>));
  for (const { name, schema, restricted } of extensions) {
    if (restricted === undefined || definitions.has(name) || !isPlainSchema(schema)) return undefined;
    for (const owner of restricted) {
      const definition = definitions.get(owner);
      const properties = definition?.["properties"];
      if (!isObject(properties) || name in properties) return undefined;
      definitions.set(owner, { ...definition, properties: { ...properties, [name]: schema } });
    }
    if (restricted.length > 0) definitions.set(name, schema);
  }
  return {
    ...root,
    properties: { ...(root["properties"] as JsonObject), "x-extensions": true },
    definitions: Object.fromEntries(definitions),
  };
}

/** Returns whether a schema, itself valid against its meta-schema, has only keywords that `SchemaReading` interprets correctly. */
function isPlainSchema(schema: unknown): schema is JsonObject {
  if (!isObject(schema)) return false;
  return Object.entries(schema).every(([keyword, value]) => {
    switch (keyword) {
      case "title":
      case "description":
      case "type":
      case "enum":
      case "required":
        return true;
      case "items":
        return isPlainSchema(value);
      case "properties":
        return Object.values(value as JsonObject).every(isPlainSchema);
      default:
        return false;
    }
  });
}

/** Keywords that constrain nothing. */
const annotations: ReadonlySet<string> = new Set([
  "$id",
  "$schema",
  "additionalItems",
  "default",
  "definitions",
  "description",
  "title",
]);

/** Patterns of strings that are certainly valid for a format. */
const plainTexts: ReadonlyMap<unknown, RegExp> = new Map([
  ["uri", /^https?:\/\/[\w./:~-]+(?:#[\w./:~-]*)?$/],
  ["uri-reference", /^[\w./:~-]*(?:#[\w./:~-]*)?$/],
]);

/** Validates values against a draft-07 schema, as far as the meta-schemas need it. Other keywords set `isInDoubt`. */
class SchemaReading {
  isInDoubt = false;
  /** Other schemas by URL, without trailing slash. */
  readonly #schemas: ReadonlyMap<string, JsonObject>;
  readonly #patterns = new Map<string, RegExp>();

  constructor(schemas: ReadonlyMap<string, JsonObject>) {
    this.#schemas = schemas;
  }

  /** Returns whether a value is valid against a schema. `root` is the schema document that contains `schema`. */
  isMet(schema: unknown, value: unknown, root: JsonObject): boolean {
    if (!isObject(schema)) return schema === true || (schema !== false && this.#doubt());
    const { $ref } = schema;
    // In draft-07, keywords next to `$ref` are ignored.
    if (typeof $ref === "string") return this.#isTargetMet($ref, value, root);
    for (const keyword in schema) if (!this.#isKeywordMet(keyword, schema, value, root)) return false;
    return true;
  }

  #isTargetMet($ref: string, value: unknown, root: JsonObject): boolean {
    const [address = "", fragment = ""] = $ref.split("#");
    const target = address === "" ? root : this.#schemas.get(address.replace(/\/$/, ""));
    let schema: unknown = target;
    for (const token of fragment.split("/").slice(1)) schema = isObject(schema) ? schema[token] : undefined;
    // A missing or invalid target leaves a doubt.
    return this.isMet(schema, value, target ?? root);
  }

  #isKeywordMet(keyword: string, schema: JsonObject, value: unknown, root: JsonObject): boolean {
    const wanted = schema[keyword];
    switch (keyword) {
      case "type":
        return typeof wanted === "string" ? isOfType(wanted, value) : this.#doubt();
      case "enum":
        return (wanted as readonly unknown[]).includes(value);
      case "oneOf":
        return (wanted as readonly unknown[]).filter((each) => this.isMet(each, value, root)).length === 1;
      case "anyOf":
        return (wanted as readonly unknown[]).some((each) => this.isMet(each, value, root));
      // Both occur next to the type of a number.
      case "minimum":
        return Number(value) >= Number(wanted);
      case "exclusiveMinimum":
        return Number(value) > Number(wanted);
      case "minLength":
      case "pattern":
      case "format":
        return typeof value !== "string" || this.#isTextMet(keyword, wanted, value);
      case "items":
      case "minItems":
      case "uniqueItems":
        return !Array.isArray(value) || this.#isListMet(keyword, wanted, value, root);
      default:
        return annotations.has(keyword) || !isObject(value) || this.#isObjectMet(keyword, schema, value, root);
    }
  }

  #isTextMet(keyword: "minLength" | "pattern" | "format", wanted: unknown, value: string): boolean {
    if (keyword === "minLength") return wanted === 1 ? value !== "" : this.#doubt();
    if (keyword === "pattern") return this.#pattern(String(wanted)).test(value);
    const isPlain = wanted === "regex" ? isPattern(value) : plainTexts.get(wanted)?.test(value);
    return isPlain === true || this.#doubt();
  }

  #isListMet(
    keyword: "items" | "minItems" | "uniqueItems",
    wanted: unknown,
    value: readonly unknown[],
    root: JsonObject,
  ): boolean {
    if (keyword === "minItems") return value.length >= Number(wanted);
    if (keyword === "items") return value.every((item) => this.isMet(wanted, item, root));
    if (value.some((item) => typeof item === "object" && item !== null)) return this.#doubt();
    return wanted !== true || new Set(value).size === value.length;
  }

  #isObjectMet(keyword: string, schema: JsonObject, value: JsonObject, root: JsonObject): boolean {
    const wanted = schema[keyword];
    switch (keyword) {
      case "required":
        return (wanted as readonly string[]).every((name) => Object.hasOwn(value, name));
      case "properties":
        // The meta-schemas allow more members than a schema has.
        return Object.keys(value).every(
          (name) =>
            !Object.hasOwn(wanted as JsonObject, name) || this.isMet((wanted as JsonObject)[name], value[name], root),
        );
      case "patternProperties":
        return Object.entries(wanted as JsonObject).every(([pattern, member]) =>
          Object.entries(value).every(
            ([name, each]) => !this.#pattern(pattern).test(name) || this.isMet(member, each, root),
          ),
        );
      case "additionalProperties":
        return Object.entries(value).every(
          ([name, each]) => this.#isKnown(name, schema) || this.isMet(wanted, each, root),
        );
      case "propertyNames":
        return Object.keys(value).every((name) => this.isMet(wanted, name, root));
      default:
        return this.#doubt();
    }
  }

  #isKnown(name: string, { properties, patternProperties }: JsonObject): boolean {
    if (isObject(properties) && Object.hasOwn(properties, name)) return true;
    return isObject(patternProperties) && Object.keys(patternProperties).some((each) => this.#pattern(each).test(name));
  }

  #pattern(source: string): RegExp {
    const known = this.#patterns.get(source);
    if (known !== undefined) return known;
    const pattern = new RegExp(source);
    this.#patterns.set(source, pattern);
    return pattern;
  }

  #doubt(): boolean {
    this.isInDoubt = true;
    return true;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isOfType(type: string, value: unknown): boolean {
  if (type === "object") return isObject(value);
  if (type === "array") return Array.isArray(value);
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

/** Returns whether a string is a valid JavaScript pattern. `\Z`, of other languages, is refused by validators. */
function isPattern(text: string): boolean {
  try {
    return !/\\Z/.test(text) && new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}
