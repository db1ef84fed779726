import {
  additionalOf,
  type ApiModel,
  type JsonValue,
  type Operation,
  type RecordMember,
  type RecordNode,
  type TypeDeclaration,
  type TypeNode,
} from "@nodewright/model";

// Hand-made models for tests, and the JSON Schema that is equivalent to a type node.

export const source = { file: "document.yaml", line: 1, column: 1, start: 0, end: 0, pointer: "" };

/** A type node without its location. */
export type Sketch<Node extends TypeNode = TypeNode> = Node extends TypeNode ? Omit<Node, "source"> : never;

export function node(sketch: Sketch): TypeNode {
  return { ...sketch, source } as TypeNode;
}

export const anything: TypeNode = node({ kind: "any" });
export const nothing: TypeNode = node({ kind: "never" });
export const text: TypeNode = node({ kind: "string" });
export const nullNode: TypeNode = node({ kind: "null" });

export function numberNode(facts: Partial<Sketch<Extract<TypeNode, { kind: "number" }>>> = {}): TypeNode {
  return node({ kind: "number", integer: false, representation: "number", ...facts });
}

export function reference(target: string): TypeNode {
  return node({ kind: "reference", target });
}

export function list(element: TypeNode, facts: Partial<Sketch<Extract<TypeNode, { kind: "list" }>>> = {}): TypeNode {
  return node({ kind: "list", prefix: [], element, ...facts });
}

export function union(...members: readonly TypeNode[]): TypeNode {
  return node({ kind: "union", mode: "any-of", members });
}

export function field(name: string, type: TypeNode, required = true): RecordMember {
  return { name, type, required, access: "read-write", arguments: [], source };
}

export function record(fields: readonly RecordMember[], facts: Partial<Sketch<RecordNode>> = {}): TypeNode {
  return node({ kind: "record", members: fields, additional: anything, patterns: [], ...facts });
}

export function declaration(name: string, type: TypeNode, facts: Partial<TypeDeclaration> = {}): TypeDeclaration {
  return { name, originalName: name, role: "value", type, implements: [], source, ...facts };
}

export function model(declarations: readonly TypeDeclaration[], facts: Partial<ApiModel> = {}): ApiModel {
  return {
    name: "example",
    protocol: "http",
    title: "Example",
    version: "1",
    document: "document.yaml",
    declarations,
    operations: [],
    documents: [],
    security: [],
    ...facts,
  };
}

export function operation(name: string, facts: Partial<Operation> = {}): Operation {
  return {
    name,
    origin: `GET /${name}`,
    binding: { kind: "http", method: "GET", path: `/${name}` },
    tags: [],
    parameters: [],
    successes: [{ status: 200, headers: [], description: "", source }],
    failures: [],
    examples: [],
    links: [],
    extensions: { disabledByDefault: false, nodeControl: false, units: 1 },
    source,
    documentation: {},
    ...facts,
  };
}

/** JSON Schema, draft 2020-12. */
type Schema = boolean | { readonly [keyword: string]: unknown };

/** Keyword with the name of a promise's method; a constant, so that linters do not mistake the object for a promise. */
const thenKeyword = "then";

/** Returns the schema of a model's declarations, as `$defs`. */
export function schemaOfModel({ declarations }: ApiModel): { readonly [keyword: string]: unknown } {
  return { $id: "model", $defs: Object.fromEntries(declarations.map(({ name, type }) => [name, schemaOf(type)])) };
}

export function schemaOf(type: TypeNode): Schema {
  switch (type.kind) {
    case "any":
      return true;
    case "never":
      return false;
    case "null":
    case "boolean":
      return { type: type.kind };
    case "string":
      return { ...kindSchema(type, "string"), ...pick(type, ["minLength", "maxLength", "pattern"]) };
    case "bytes":
      throw new Error("JSON Schema knows no bytes");
    case "number":
      return { ...kindSchema(type, type.integer ? "integer" : "number"), ...pick(type, numberKeywords) };
    case "enumeration":
      return type.values.length === 1 ? { const: type.values[0] } : { enum: type.values };
    case "list":
      return {
        ...kindSchema(type, "array"),
        ...(type.prefix === undefined || type.prefix.length === 0 ? {} : { prefixItems: type.prefix.map(schemaOf) }),
        ...(type.element.kind === "any" && type.evaluatesAll !== true ? {} : { items: schemaOf(type.element) }),
        ...(type.contains === undefined
          ? {}
          : {
              contains: schemaOf(type.contains.type),
              minContains: type.contains.minimum,
              ...(type.contains.maximum === undefined ? {} : { maxContains: type.contains.maximum }),
            }),
        ...pick(type, ["minItems", "maxItems", "uniqueItems"]),
      };
    case "record":
      return {
        ...kindSchema(type, "object"),
        properties: Object.fromEntries(type.members.map((member) => [member.name, schemaOf(member.type)])),
        required: type.members.filter((member) => member.required).map((member) => member.name),
        patternProperties: Object.fromEntries(
          (type.patterns ?? []).map((member) => [member.pattern, schemaOf(member.type)]),
        ),
        ...(additionalOf(type).kind === "any" && type.evaluatesAll !== true
          ? {}
          : { additionalProperties: schemaOf(additionalOf(type)) }),
        ...(type.names === undefined ? {} : { propertyNames: schemaOf(type.names) }),
        ...(type.dependencies === undefined
          ? {}
          : {
              allOf: type.dependencies.map(({ property, type: dependency }) => ({
                dependentSchemas: Object.fromEntries([[property, schemaOf(dependency)]]),
              })),
            }),
        ...pick(type, ["minProperties", "maxProperties"]),
      };
    case "union":
      return { [type.mode === "any-of" ? "anyOf" : "oneOf"]: type.members.map(schemaOf) };
    case "intersection":
      return { allOf: type.members.map(schemaOf) };
    case "not":
      return { not: schemaOf(type.type) };
    case "conditional":
      return {
        if: schemaOf(type.condition),
        [thenKeyword]: schemaOf(type.consequence),
        else: schemaOf(type.alternative),
      };
    case "unevaluated":
      return {
        allOf: [schemaOf(type.base)],
        ...(type.members === undefined ? {} : { unevaluatedProperties: schemaOf(type.members) }),
        ...(type.elements === undefined ? {} : { unevaluatedItems: schemaOf(type.elements) }),
      };
    case "reference":
      return { $ref: `model#/$defs/${type.target}` };
    default:
      return type satisfies never;
  }
}

/** Returns the `type` of a schema; nothing where the kind is implied. */
function kindSchema(type: TypeNode, kind: string): { readonly [keyword: string]: unknown } {
  return "isKindImplied" in type && type.isKindImplied === true ? {} : { type: kind };
}

const numberKeywords = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"] as const;

function pick<Value extends object>(
  value: Value,
  keywords: readonly (keyof Value)[],
): { readonly [keyword: string]: unknown } {
  return Object.fromEntries(
    keywords.flatMap((keyword) => {
      const given: unknown = value[keyword];
      if (given === undefined) return [];
      return [[keyword, typeof given === "bigint" ? Number(given) : given]];
    }),
  );
}

/** Returns an object with these members as own properties, including `__proto__`. */
export function objectOf(members: readonly (readonly [string, JsonValue])[]): JsonValue {
  const result: { [name: string]: JsonValue } = {};
  for (const [name, value] of members) {
    Object.defineProperty(result, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return result;
}
