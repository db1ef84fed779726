import { includesBound } from "@nodewright/api-model";
import {
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isScalarType,
  isSpecifiedScalarType,
} from "graphql";
import type { GraphqlSuite } from "../../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../../suite/suite-type.ts";

/** Input objects within each other that are followed. */
const deepestInput = 4;

/** The JSON that an input type takes, without null: what properties know of an argument. */
export function inputTypeOf(type: GraphQLInputType, depth = 0): SuiteType {
  if (isNonNullType(type)) return inputTypeOf(type.ofType, depth);
  if (isListType(type)) return { kind: "list", element: inputTypeOf(type.ofType, depth) };
  if (!isInputObjectType(type)) return leafTypeOf(type);
  if (depth >= deepestInput) return { kind: "any" };
  const members = Object.values(type.getFields()).map((field) => ({
    name: field.name,
    required: isRequiredInputField(field) || type.isOneOf,
    type: inputTypeOf(field.type, depth + 1),
    ...boundOf(field, type.description),
  }));
  const recordOf = (some: typeof members): SuiteType => ({
    kind: "record",
    members: some,
    additional: { kind: "never" },
  });
  return type.isOneOf
    ? { kind: "union", mode: "any-of", members: members.map((one) => recordOf([one])) }
    : recordOf(members);
}

/** A type that null is of as well. */
export function withNull(type: SuiteType): SuiteType {
  return { kind: "union", mode: "any-of", members: [type, { kind: "null" }] };
}

const largestInt = 2 ** 31 - 1;

/** A type whose integers have 32 bits (specification, section 3.5.1): greater ones are invalid, and those at the bounds none of a server. */
export function withInt32(type: SuiteType): SuiteType {
  switch (type.kind) {
    case "number":
      return type.integer ? { minimum: -largestInt - 1, maximum: largestInt, ...type } : type;
    case "list":
      return { ...type, element: withInt32(type.element) };
    case "union":
      return { ...type, members: type.members.map(withInt32) };
    case "record":
      return { ...type, members: type.members.map((member) => ({ ...member, type: withInt32(member.type) })) };
    default:
      return type;
  }
}

/** What descriptions say of a bound, next to its type: that of the field or input object counts where it names the bound. */
export function boundOf(
  { name, description }: { readonly name: string; readonly description?: string | null | undefined },
  whole: string | null | undefined,
): { readonly includesBound?: boolean } {
  const isIncluded = includesBound(name, { own: [description], whole: [whole] });
  return isIncluded === undefined ? {} : { includesBound: isIncluded };
}

/** The JSON of an enum or a scalar (specification, sections 3.5 and 3.9); of two members with one custom scalar, the same type. */
export function leafTypeOf(type: GraphQLLeafType): SuiteType {
  if (isEnumType(type)) return { kind: "enumeration", values: type.getValues().map(({ name }) => name) };
  switch (type.name) {
    case "Int":
      return { kind: "number", integer: true };
    case "Float":
      return { kind: "number", integer: false };
    case "String":
    case "ID":
      return { kind: "string" };
    case "Boolean":
      return { kind: "boolean" };
    default:
      return { kind: "reference", target: scalarTarget(type.name) };
  }
}

/** The types of a suite with those of the custom scalars of a schema, which `leafTypeOf` refers to. */
export function scalarTypesOf({ scalars, types }: GraphqlSuite, schema: GraphQLSchema): SuiteTypes {
  const own = Object.values(schema.getTypeMap())
    .filter((type) => isScalarType(type) && !isSpecifiedScalarType(type))
    .map(({ name }) => [scalarTarget(name), scalars[name] ?? customTypeOf(name)] as const);
  return { ...types, ...Object.fromEntries(own) };
}

function scalarTarget(name: string): string {
  return `scalar ${name}`;
}

/** Of a custom scalar that nothing is known of: texts where it is named after a time, else any JSON. */
function customTypeOf(name: string): SuiteType {
  if (/date-?time|timestamp/i.test(name)) return { kind: "string", format: "date-time" };
  return /date/i.test(name) ? { kind: "string", format: "date" } : { kind: "any" };
}
