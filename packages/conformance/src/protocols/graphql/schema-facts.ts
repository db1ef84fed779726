import { isRecord } from "@nodewright/api-model";

type Members = Readonly<Record<string, unknown>>;

/** The parts of a schema; `member`: of a union, and an object type of an interface. */
export type FactKind =
  | "root"
  | "type"
  | "field"
  | "input"
  | "value"
  | "member"
  | "interface"
  | "directive"
  | "location";

/** A part of a schema, as introspection has it. */
export interface SchemaFact {
  readonly kind: FactKind;
  /** Names from the type, or the directive, to the part: `["Thing", "size", "unit"]`. */
  readonly path: readonly [string, ...string[]];
  /** Key of the part that it belongs to; absent for types, directives and roots. */
  readonly owner?: string;
  /** A type as it is written, `[Thing!]!`; of a type its kind. */
  readonly text: string;
  /** Of an input, as it is written in a document. */
  readonly default?: string | undefined;
  readonly isDeprecated?: boolean;
}

/** Parts of a schema by what messages call them: `field Thing.size`. */
export type SchemaFacts = ReadonlyMap<string, SchemaFact>;

/** The part of the standard introspection query that servers of every age know. */
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

/** Reads the result of `introspectionQuery`; undefined when it is none. */
export function readSchemaFacts(data: Members | undefined): SchemaFacts | undefined {
  const schema = data?.["__schema"];
  if (!isRecord(schema) || !Array.isArray(schema["types"])) return undefined;
  const facts = new Map<string, SchemaFact>();
  for (const root of ["query", "mutation", "subscription"]) {
    const name = nameOf(schema[`${root}Type`]);
    if (name !== undefined) facts.set(`${root} type`, { kind: "root", path: [name], text: name });
  }
  for (const [name, type] of named(schema["types"])) {
    if (!name.startsWith("__")) readType(facts, name, type);
  }
  for (const [name, directive] of named(schema["directives"])) {
    const owner = `directive @${name}`;
    facts.set(owner, { kind: "directive", path: [name], text: "" });
    for (const location of list(directive["locations"]))
      facts.set(`location ${String(location)} of @${name}`, {
        kind: "location",
        path: [name],
        owner,
        text: String(location),
      });
    readInputs(facts, directive["args"], [`@${name}`], owner);
  }
  return facts;
}

function readType(facts: Map<string, SchemaFact>, name: string, type: Members): void {
  const owner = `type ${name}`;
  facts.set(owner, { kind: "type", path: [name], text: String(type["kind"]) });
  for (const [fieldName, field] of named(type["fields"])) {
    const key = `field ${name}.${fieldName}`;
    facts.set(key, {
      kind: "field",
      path: [name, fieldName],
      owner,
      text: typeText(field["type"]),
      isDeprecated: field["isDeprecated"] === true,
    });
    readInputs(facts, field["args"], [name, fieldName], key);
  }
  readInputs(facts, type["inputFields"], [name], owner);
  for (const [value, { isDeprecated }] of named(type["enumValues"]))
    facts.set(`value ${name}.${value}`, {
      kind: "value",
      path: [name, value],
      owner,
      text: "",
      isDeprecated: isDeprecated === true,
    });
  for (const [other] of named(type["interfaces"]))
    facts.set(`interface ${other} of ${name}`, { kind: "interface", path: [name], owner, text: "" });
  for (const [member] of named(type["possibleTypes"]))
    facts.set(`member ${member} of ${name}`, { kind: "member", path: [name], owner, text: String(type["kind"]) });
}

function readInputs(
  facts: Map<string, SchemaFact>,
  inputs: unknown,
  path: readonly [string, ...string[]],
  owner: string,
): void {
  for (const [name, input] of named(inputs)) {
    const { defaultValue } = input;
    facts.set(`input ${path.join(".")}(${name})`, {
      kind: "input",
      path: [...path, name],
      owner,
      text: typeText(input["type"]),
      default: typeof defaultValue === "string" ? defaultValue : undefined,
    });
  }
}

function typeText(type: unknown): string {
  if (!isRecord(type)) return "";
  if (type["kind"] === "NON_NULL") return `${typeText(type["ofType"])}!`;
  if (type["kind"] === "LIST") return `[${typeText(type["ofType"])}]`;
  return nameOf(type) ?? "";
}

function nameOf(value: unknown): string | undefined {
  return isRecord(value) && typeof value["name"] === "string" ? value["name"] : undefined;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function named(value: unknown): readonly (readonly [string, Members])[] {
  return list(value).flatMap((one) => {
    const name = nameOf(one);
    return isRecord(one) && name !== undefined ? [[name, one] as const] : [];
  });
}
