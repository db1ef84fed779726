import { isRecord } from "../types/is-record.ts";

/** A type as introspection writes it: `[Thing!]!`. */
type TypeText = string;

export interface ServedValue {
  readonly type: TypeText;
  /** As it is written in a document; null when there is none. */
  readonly defaultValue: string | null;
}

export interface ServedField {
  readonly type: TypeText;
  readonly args: ReadonlyMap<string, ServedValue>;
  readonly isDeprecated: boolean;
}

/** A type of a served schema, everything that belongs to it by name. */
export interface ServedType {
  readonly kind: string;
  readonly fields: ReadonlyMap<string, ServedField>;
  readonly inputFields: ReadonlyMap<string, ServedValue>;
  readonly enumValues: ReadonlyMap<string, { readonly isDeprecated: boolean }>;
  readonly interfaces: ReadonlySet<string>;
  readonly possibleTypes: ReadonlySet<string>;
}

interface ServedDirective {
  readonly locations: ReadonlySet<string>;
  readonly args: ReadonlyMap<string, ServedValue>;
}

/** A schema as a target says that it is. */
export interface ServedSchema {
  readonly roots: Readonly<Record<"query" | "mutation" | "subscription", string | undefined>>;
  readonly types: ReadonlyMap<string, ServedType>;
  readonly directives: ReadonlyMap<string, ServedDirective>;
}

type Members = Readonly<Record<string, unknown>>;

/** What is asked: the part of the standard introspection query that servers of every age know. */
export const introspectionQuery: string = `query IntrospectionQuery {
  __schema {
    queryType { name }
    mutationType { name }
    subscriptionType { name }
    types { ...FullType }
    directives { name locations args { ...InputValue } }
  }
}
fragment FullType on __Type {
  kind
  name
  fields(includeDeprecated: true) {
    name
    args { ...InputValue }
    type { ...TypeRef }
    isDeprecated
    deprecationReason
  }
  inputFields { ...InputValue }
  interfaces { ...TypeRef }
  enumValues(includeDeprecated: true) { name isDeprecated deprecationReason }
  possibleTypes { ...TypeRef }
}
fragment InputValue on __InputValue { name type { ...TypeRef } defaultValue }
fragment TypeRef on __Type {
  kind
  name
  ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } }
}`;

/** Reads the answer of `introspectionQuery`; undefined when it is not one. */
export function readServedSchema(data: Members | undefined): ServedSchema | undefined {
  const schema = data?.["__schema"];
  if (!isRecord(schema) || !Array.isArray(schema["types"])) return undefined;
  return {
    roots: {
      query: nameOf(schema["queryType"]),
      mutation: nameOf(schema["mutationType"]),
      subscription: nameOf(schema["subscriptionType"]),
    },
    types: byName(schema["types"], readType),
    directives: byName(schema["directives"], (one) => ({
      locations: namesOf(one["locations"]),
      args: byName(one["args"], readValue),
    })),
  };
}

function readType(type: Members): ServedType {
  return {
    kind: typeof type["kind"] === "string" ? type["kind"] : "",
    fields: byName(type["fields"], (field) => ({
      type: typeText(field["type"]),
      args: byName(field["args"], readValue),
      isDeprecated: field["isDeprecated"] === true,
    })),
    inputFields: byName(type["inputFields"], readValue),
    enumValues: byName(type["enumValues"], (one) => ({ isDeprecated: one["isDeprecated"] === true })),
    interfaces: new Set(list(type["interfaces"]).map((one) => nameOf(one) ?? "")),
    possibleTypes: new Set(list(type["possibleTypes"]).map((one) => nameOf(one) ?? "")),
  };
}

function readValue(value: Members): ServedValue {
  const { defaultValue } = value;
  return { type: typeText(value["type"]), defaultValue: typeof defaultValue === "string" ? defaultValue : null };
}

function typeText(type: unknown): TypeText {
  if (!isRecord(type)) return "";
  if (type["kind"] === "NON_NULL") return `${typeText(type["ofType"])}!`;
  if (type["kind"] === "LIST") return `[${typeText(type["ofType"])}]`;
  return nameOf(type) ?? "";
}

function nameOf(value: unknown): string | undefined {
  return isRecord(value) && typeof value["name"] === "string" ? value["name"] : undefined;
}

function namesOf(value: unknown): ReadonlySet<string> {
  return new Set(list(value).map(String));
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function byName<Read>(value: unknown, read: (one: Members) => Read): ReadonlyMap<string, Read> {
  const found = new Map<string, Read>();
  for (const one of list(value)) {
    const name = nameOf(one);
    if (isRecord(one) && name !== undefined) found.set(name, read(one));
  }
  return found;
}
