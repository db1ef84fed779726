import { withPlace } from "../suite/with-place.ts";
import {
  type ASTNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isUnionType,
  parseValue,
  print,
  specifiedDirectives,
  specifiedScalarTypes,
} from "graphql";
import type { Finding } from "../contract/finding.ts";
import type { Rule } from "../contract/rule.ts";
import { graphqlRules } from "./graphql-rules.ts";
import { placeOf } from "./place-of.ts";
import { writeLiteral } from "./selection.ts";
import type { ServedField, ServedSchema, ServedType, ServedValue } from "./served-schema.ts";

/** Types and fields that servers add for gateways (Apollo Federation). */
const tolerated: ReadonlySet<string> = new Set([
  "_Service",
  "_Entity",
  "_Any",
  "_FieldSet",
  "FieldSet",
  "link__Import",
  "link__Purpose",
  "federation__FieldSet",
  "federation__Scope",
  "_service",
  "_entities",
]);

/** Where documents, and not schemas, have directives. */
const executableLocations: ReadonlySet<string> = new Set([
  "QUERY",
  "MUTATION",
  "SUBSCRIPTION",
  "FIELD",
  "FRAGMENT_DEFINITION",
  "FRAGMENT_SPREAD",
  "INLINE_FRAGMENT",
  "VARIABLE_DEFINITION",
]);

/** Findings of each kind that are told. */
const toldFindings = 40;

class SchemaFindings {
  readonly all: Finding[] = [];

  note(rule: Rule, message: string, node: ASTNode | null | undefined, detail?: string): void {
    if (this.all.length >= toldFindings) return;
    this.all.push({ rule, message, ...(detail === undefined ? {} : { detail }), ...withPlace(placeOf(node)) });
  }
}

/** What a served schema lacks, has otherwise, and has beyond the description. */
export function schemaFindings(schema: GraphQLSchema, served: ServedSchema): readonly Finding[] {
  const found = new SchemaFindings();
  for (const root of ["query", "mutation", "subscription"] as const) {
    const type = {
      query: schema.getQueryType(),
      mutation: schema.getMutationType(),
      subscription: schema.getSubscriptionType(),
    }[root];
    if (type != null && served.roots[root] !== type.name) {
      found.note(graphqlRules.schemaType, `The ${root} type is not ${type.name}`, type.astNode, served.roots[root]);
    } else if (type == null && served.roots[root] !== undefined) {
      found.note(graphqlRules.schemaMore, `There is a ${root} type, which the description does not have`, undefined);
    }
  }
  const described = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type));
  for (const type of described) {
    const other = served.types.get(type.name);
    // Scalars that nothing uses need not be there.
    if (other === undefined && (isBuiltIn(type) || tolerated.has(type.name))) continue;
    if (other === undefined) found.note(graphqlRules.schemaType, `The type ${type.name} is missing`, type.astNode);
    else compareType(found, type, other);
    if (isInterfaceType(type) && other?.kind === "INTERFACE") comparePossible(found, schema, type, other);
  }
  compareDirectives(found, schema, served);
  const known = new Set(described.map(({ name }) => name));
  for (const name of served.types.keys()) {
    if (known.has(name) || name.startsWith("__") || tolerated.has(name) || isBuiltInName(name)) continue;
    found.note(graphqlRules.schemaMore, `There is a type ${name}, which the description does not have`, undefined);
  }
  return found.all;
}

/** What an interface may be is told twice: by the types that implement it, and by itself. */
function comparePossible(
  found: SchemaFindings,
  schema: GraphQLSchema,
  type: GraphQLInterfaceType,
  served: ServedType,
): void {
  for (const { name, astNode } of schema.getPossibleTypes(type)) {
    if (served.possibleTypes.has(name)) continue;
    found.note(graphqlRules.schemaValue, `${name} is missing from the types of ${type.name}`, astNode);
  }
}

function isBuiltIn(type: GraphQLNamedType): boolean {
  return isBuiltInName(type.name);
}

function isBuiltInName(name: string): boolean {
  return specifiedScalarTypes.some((scalar) => scalar.name === name);
}

function kindOf(type: GraphQLNamedType): string {
  if (isScalarType(type)) return "SCALAR";
  if (isObjectType(type)) return "OBJECT";
  if (isInterfaceType(type)) return "INTERFACE";
  if (isUnionType(type)) return "UNION";
  return isEnumType(type) ? "ENUM" : "INPUT_OBJECT";
}

function compareType(found: SchemaFindings, type: GraphQLNamedType, served: ServedType): void {
  if (served.kind !== kindOf(type)) {
    found.note(graphqlRules.schemaType, `The type ${type.name} is of another kind`, type.astNode, served.kind);
    return;
  }
  if (isObjectType(type) || isInterfaceType(type)) {
    compareFields(found, type.name, Object.values(type.getFields()), served.fields);
    for (const { name } of type.getInterfaces()) {
      if (served.interfaces.has(name)) continue;
      found.note(graphqlRules.schemaValue, `${type.name} does not implement ${name}`, type.astNode);
    }
  }
  if (isEnumType(type)) compareEnum(found, type.name, type.getValues(), served);
  if (isUnionType(type)) {
    const names = new Set(type.getTypes().map(({ name }) => name));
    for (const name of names) {
      if (!served.possibleTypes.has(name))
        found.note(graphqlRules.schemaValue, `${name} is missing from the union ${type.name}`, type.astNode);
    }
    for (const name of served.possibleTypes) {
      if (!names.has(name))
        found.note(
          graphqlRules.schemaMoreValues,
          `The union ${type.name} has ${name}, which the description does not have`,
          type.astNode,
        );
    }
  }
  if (isInputObjectType(type)) {
    compareInputs(found, type.name, Object.values(type.getFields()), served.inputFields, type.astNode);
  }
}

function compareFields(
  found: SchemaFindings,
  owner: string,
  fields: readonly GraphQLField<unknown, unknown>[],
  served: ReadonlyMap<string, ServedField>,
): void {
  for (const field of fields) {
    if (tolerated.has(field.name)) continue;
    const other = served.get(field.name);
    const name = `${owner}.${field.name}`;
    if (other === undefined) {
      found.note(graphqlRules.schemaField, `The field ${name} is missing`, field.astNode);
      continue;
    }
    const type = String(field.type);
    if (other.type !== type) {
      const rule = isStricter(other.type, type) ? graphqlRules.schemaStricter : graphqlRules.schemaField;
      found.note(rule, `The field ${name} is of another type`, field.astNode, `${other.type} instead of ${type}`);
    }
    if (other.isDeprecated !== (field.deprecationReason != null)) {
      const message = other.isDeprecated ? "is deprecated, and should not be" : "is not deprecated, and should be";
      found.note(graphqlRules.schemaDeprecation, `The field ${name} ${message}`, field.astNode);
    }
    compareInputs(found, name, field.args, other.args, field.astNode);
  }
  const known = new Set(fields.map(({ name }) => name));
  for (const name of served.keys()) {
    if (known.has(name) || tolerated.has(name)) continue;
    found.note(
      graphqlRules.schemaMore,
      `There is a field ${owner}.${name}, which the description does not have`,
      undefined,
    );
  }
}

/** Answers of the served type are answers of the described one: it only says more often that something is not null. */
function isStricter(served: string, described: string): boolean {
  return served.replaceAll("!", "") === described.replaceAll("!", "") && covers(served, described);
}

/** Whether `stricter` has each exclamation mark that `looser` has. */
function covers(stricter: string, looser: string): boolean {
  const marks = (text: string): string => text.replaceAll(/[^!\]]/g, "");
  const left = marks(stricter).split("]");
  const right = marks(looser).split("]");
  return right.every((mark, index) => mark === "" || left[index] === "!");
}

function compareInputs(
  found: SchemaFindings,
  owner: string,
  inputs: readonly (GraphQLArgument | GraphQLInputField)[],
  served: ReadonlyMap<string, ServedValue>,
  node: ASTNode | null | undefined,
): void {
  for (const input of inputs) {
    const other = served.get(input.name);
    const name = `${owner}(${input.name})`;
    if (other === undefined) {
      found.note(graphqlRules.schemaArgument, `The input ${name} is missing`, input.astNode);
      continue;
    }
    const type = String(input.type);
    if (other.type !== type) {
      // What takes more than it has to is no harm to those who send what is described.
      const rule = isStricter(type, other.type) ? graphqlRules.schemaStricter : graphqlRules.schemaArgument;
      found.note(rule, `The input ${name} is of another type`, input.astNode, `${other.type} instead of ${type}`);
    }
    compareDefault(found, name, input, other);
  }
  const known = new Set(inputs.map(({ name }) => name));
  for (const [name, { type, defaultValue }] of served) {
    if (known.has(name)) continue;
    const isRequired = type.endsWith("!") && defaultValue === null;
    const rule = isRequired ? graphqlRules.schemaArgument : graphqlRules.schemaMore;
    const clause = isRequired
      ? "is required, and the description does not have it"
      : "is there, which the description does not have";
    found.note(rule, `The input ${owner}(${name}) ${clause}`, node);
  }
}

function compareDefault(
  found: SchemaFindings,
  name: string,
  input: GraphQLArgument | GraphQLInputField,
  { defaultValue }: ServedValue,
): void {
  const described = input.astNode?.defaultValue;
  const text = described == null ? null : plainLiteral(print(described));
  const served = defaultValue === null ? null : plainLiteral(defaultValue);
  // A default of null is no other than none for those who ask.
  if (text === served || (text ?? "null") === (served ?? "null")) return;
  const detail = `${served ?? "none"} instead of ${text ?? "none"}`;
  found.note(graphqlRules.schemaArgument, `The input ${name} has another default`, input.astNode, detail);
}

/** A literal in one spelling: numbers of one value, members in one order. */
function plainLiteral(text: string): string {
  try {
    return plainNode(parseValue(text));
  } catch {
    return text;
  }
}

function plainNode(node: ReturnType<typeof parseValue>): string {
  switch (node.kind) {
    case "ListValue":
      return `[${node.values.map(plainNode).join(", ")}]`;
    case "ObjectValue":
      return `{${node.fields
        .map(({ name, value }) => `${name.value}: ${plainNode(value)}`)
        .toSorted()
        .join(", ")}}`;
    case "IntValue":
    case "FloatValue":
      return String(Number(node.value));
    case "StringValue":
      return writeLiteral(undefined, node.value);
    default:
      return print(node);
  }
}

function compareEnum(
  found: SchemaFindings,
  owner: string,
  values: readonly {
    readonly name: string;
    readonly deprecationReason: string | null | undefined;
    readonly astNode: ASTNode | null | undefined;
  }[],
  served: ServedType,
): void {
  for (const { name, deprecationReason, astNode } of values) {
    const other = served.enumValues.get(name);
    if (other === undefined) {
      found.note(graphqlRules.schemaValue, `The value ${name} is missing from the enum ${owner}`, astNode);
    } else if (other.isDeprecated !== (deprecationReason != null)) {
      const message = other.isDeprecated ? "is deprecated, and should not be" : "is not deprecated, and should be";
      found.note(graphqlRules.schemaDeprecation, `The value ${owner}.${name} ${message}`, astNode);
    }
  }
  const known = new Set(values.map(({ name }) => name));
  for (const name of served.enumValues.keys()) {
    if (known.has(name)) continue;
    found.note(
      graphqlRules.schemaMoreValues,
      `The enum ${owner} has ${name}, which the description does not have`,
      undefined,
    );
  }
}

function compareDirectives(found: SchemaFindings, schema: GraphQLSchema, served: ServedSchema): void {
  const specified = new Set(specifiedDirectives.map(({ name }) => name));
  for (const directive of schema.getDirectives()) {
    const { name, locations, args, astNode } = directive;
    const isForDocuments = locations.some((one) => executableLocations.has(one));
    const other = served.directives.get(name);
    if (other === undefined) {
      // Servers made from code do not know what schemas are written with.
      if (isForDocuments) found.note(graphqlRules.schemaDirective, `The directive @${name} is missing`, astNode);
      else if (!specified.has(name))
        found.note(graphqlRules.schemaMore, `The directive @${name} is not shown`, astNode);
      continue;
    }
    if (!isForDocuments || specified.has(name)) continue;
    for (const location of locations) {
      if (!other.locations.has(location))
        found.note(graphqlRules.schemaDirective, `The directive @${name} can't be at ${location}`, astNode);
    }
    compareInputs(found, `@${name}`, args, other.args, astNode);
  }
}
