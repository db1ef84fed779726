import {
  type DescribedFacts,
  describedFactsOf,
  describedOrderOf,
  includesBound,
  mentionsByChance,
  statesExcerpt,
} from "@nodewright/api-model";
import {
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isScalarType,
  isSpecifiedScalarType,
} from "graphql";
import { type Field, fieldsOf } from "./field-names.ts";
import { isNamedByChance } from "../../../inference/name-meaning.ts";
import type { Parameter } from "../../../inference/list-roles.ts";
import { opaqueFormat } from "../../../inference/opaque.ts";
import type { OperationDescription } from "../../../properties/operation.ts";
import type { RecordMember, SuiteType, SuiteTypes } from "../../../suite/suite-type.ts";
import { withPlace } from "../../../suite/with-place.ts";
import type { GraphqlSuite } from "../../../suite/suite.ts";
import { placeOf } from "../contract/place-of.ts";

/** A schema, and the types of its custom scalars. */
interface DescribedSchema {
  readonly schema: GraphQLSchema;
  readonly suite: Pick<GraphqlSuite, "scalars" | "types">;
}

/** Returns whether a field returns a random choice. */
export function isByChance({ name, description }: Field): boolean {
  return isNamedByChance(name) || mentionsByChance([description]);
}

/** Returns the arguments of a field as parameters of properties. */
export function parametersOf({ args, description }: Field): readonly Parameter[] {
  return args.map((argument) => ({
    name: argument.name,
    property: argument.name,
    required: isRequiredArgument(argument),
    type: inputTypeOf(argument.type),
    ...(argument.defaultValue === undefined ? {} : { default: argument.defaultValue }),
    ...factsOf(argument, description),
    ...withPlace(placeOf(argument.astNode)),
  }));
}

/** Returns the description of a field for properties: its arguments are the parameters. */
export function describeField(
  served: DescribedSchema,
  parentType: string,
  field: Field,
): Omit<OperationDescription, "result"> {
  const order = describedOrderOf([field.description]);
  return {
    ...(parentType === served.schema.getQueryType()?.name ? {} : { subject: `${parentType}.${field.name}` }),
    typeNames: field.name,
    ...(order === undefined ? {} : { order }),
    parameters: parametersOf(field),
    types: typesOf(served),
    ...withPlace(placeOf(field.astNode)),
  };
}

const knownTypes = new WeakMap<GraphQLSchema, SuiteTypes>();

/** Returns the output types of a schema for properties: members without required arguments; for abstract types, their possible types. */
export function typesOf({ schema, suite }: DescribedSchema): SuiteTypes {
  const known = knownTypes.get(schema);
  if (known !== undefined) return known;
  const own = Object.values(schema.getTypeMap()).flatMap((type): readonly (readonly [string, SuiteType])[] => {
    if (isScalarType(type) && !isSpecifiedScalarType(type))
      return [[scalarTarget(type.name), suite.scalars[type.name] ?? customTypeOf(type.name)]];
    if (isAbstractType(type))
      return [[type.name, { kind: "union", mode: "any-of", members: schema.getPossibleTypes(type).map(typeOf) }]];
    if (!isObjectType(type)) return [];
    const members = Object.values(type.getFields())
      .filter(({ args }) => !args.some(isRequiredArgument))
      .map((field) => ({ ...memberOf(field), required: false, ...withPlace(placeOf(field.astNode)) }));
    return [[type.name, { kind: "record", members: [typenameOf([type]), ...members] }]];
  });
  const types = { ...suite.types, ...Object.fromEntries(own) };
  knownTypes.set(schema, types);
  return types;
}

function memberOf({ name, type: given, description }: Field): Omit<RecordMember, "required"> {
  const type = typeOf(given);
  const isExcerpt = type.kind === "list" && statesExcerpt([description]);
  return { name, type: isExcerpt ? { ...type, isExcerpt } : type, ...describedFactsOf(name, type, [description]) };
}

export function typeOf(type: GraphQLOutputType): SuiteType {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return { kind: "list", element: typeOf(nullable.ofType) };
  if (!isLeafType(nullable)) return { kind: "reference", target: nullable.name };
  return nullable.name === "ID" ? { kind: "string", format: opaqueFormat } : leafTypeOf(nullable);
}

/**
 * Returns the members of an element that can be selected without arguments, and those of nested objects, except for members that change by
 * themselves.
 */
export function elementTypeOf(
  { schema, restless }: Pick<DescribedSchema, "schema"> & { readonly restless: ReadonlySet<string> },
  type: GraphQLNamedType,
  depth = 0,
): SuiteType {
  if (isLeafType(type)) return typeOf(type);
  const members = Object.values(fieldsOf(type)).flatMap((field): readonly RecordMember[] => {
    const named = getNamedType(field.type);
    const isList = isListType(getNullableType(field.type));
    const isFollowed = isLeafType(named) || (depth === 0 && !isList);
    if (!isFollowed || field.args.length > 0 || restless.has(field.name)) return [];
    const own = elementTypeOf({ schema, restless }, named, depth + 1);
    return [{ name: field.name, required: true, type: isList ? { kind: "list", element: own } : own }];
  });
  return {
    kind: "record",
    members: isAbstractType(type) ? [typenameOf(schema.getPossibleTypes(type)), ...members] : members,
  };
}

function typenameOf(types: readonly GraphQLNamedType[]): RecordMember {
  return { name: "__typename", required: true, type: { kind: "enumeration", values: types.map(({ name }) => name) } };
}

/** Maximum nesting depth of input objects. */
const deepestInput = 4;

/** Returns the JSON type of an input type, without null: the type of an argument for properties. */
export function inputTypeOf(type: GraphQLInputType, depth = 0): SuiteType {
  if (isNonNullType(type)) return inputTypeOf(type.ofType, depth);
  if (isListType(type)) return { kind: "list", element: inputTypeOf(type.ofType, depth) };
  if (!isInputObjectType(type)) return leafTypeOf(type);
  if (depth >= deepestInput) return { kind: "any" };
  const members = Object.values(type.getFields()).map((field) => ({
    name: field.name,
    required: isRequiredInputField(field) || type.isOneOf,
    type: inputTypeOf(field.type, depth + 1),
    ...factsOf(field, type.description),
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

const largestInt = 2 ** 31 - 1;

/**
 * Returns a type with integers limited to 32 bits (specification, section 3.5.1): greater ones are invalid, and the bounds are those of the
 * type, not limits of a server.
 */
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

/**
 * Returns the constraints that descriptions state for an input, in addition to its type: those of the field or input object apply when they
 * name a bound.
 */
function factsOf(
  { name, description, type }: Pick<GraphQLInputField, "name" | "description" | "type">,
  whole: string | null | undefined,
): DescribedFacts & { readonly includesBound?: boolean } {
  const isIncluded = includesBound(name, { own: [description], whole: [whole] });
  const own = getNullableType(type);
  const facts = isLeafType(own) ? describedFactsOf(name, leafTypeOf(own), [description]) : {};
  return isIncluded === undefined ? facts : { ...facts, includesBound: isIncluded };
}

/**
 * Returns the JSON type of an enum or a scalar (specification, sections 3.5 and 3.9); two members with the same custom scalar get the same
 * type.
 */
function leafTypeOf(type: GraphQLLeafType): SuiteType {
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

function scalarTarget(name: string): string {
  return `scalar ${name}`;
}

/** Returns the type of an unknown custom scalar: strings when it is named after a time, else any JSON. */
function customTypeOf(name: string): SuiteType {
  if (/date-?time|timestamp/i.test(name)) return { kind: "string", format: "date-time" };
  return /date/i.test(name) ? { kind: "string", format: "date" } : { kind: "any" };
}
