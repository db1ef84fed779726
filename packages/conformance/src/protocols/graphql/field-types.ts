import { saysByChance, saysExcerpt } from "@nodewright/api-model";
import {
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from "graphql";
import type { Field } from "./field-names.ts";
import { isNamedByChance } from "../../inference/name-meaning.ts";
import type { Parameter } from "../../inference/list-roles.ts";
import { opaqueFormat } from "../../inference/opaque.ts";
import type { OperationDescription } from "../../properties/operation.ts";
import type { RecordMember, SuiteType, SuiteTypes } from "../../suite/suite-type.ts";
import { withPlace } from "../../suite/with-place.ts";
import type { GraphqlRun } from "./graphql-run.ts";
import { boundOf, inputTypeOf, leafTypeOf, scalarTypesOf } from "./input-type.ts";
import { placeOf } from "./place-of.ts";

/** Whether a field returns what is chosen by chance. */
export function isByChance({ name, description }: Field): boolean {
  return isNamedByChance(name) || saysByChance([description]);
}

/** The arguments of a field as properties see them. */
export function parametersOf({ args, description }: Field): readonly Parameter[] {
  return args.map((argument) => ({
    name: argument.name,
    property: argument.name,
    required: isRequiredArgument(argument),
    type: inputTypeOf(argument.type),
    ...(argument.defaultValue === undefined ? {} : { default: argument.defaultValue }),
    ...boundOf(argument, description),
    ...withPlace(placeOf(argument.astNode)),
  }));
}

/** What properties know of a field: its arguments are the parameters. */
export function describeField(run: GraphqlRun, parentType: string, field: Field): Omit<OperationDescription, "result"> {
  return {
    ...(parentType === run.queryType ? {} : { subject: `${parentType}.${field.name}` }),
    things: field.name,
    parameters: parametersOf(field),
    types: typesOf(run),
    ...withPlace(placeOf(field.astNode)),
  };
}

const knownTypes = new WeakMap<GraphQLSchema, SuiteTypes>();

/** The types of a schema that are returned, as properties see them: members that need no argument; of abstract types their possible ones. */
export function typesOf(run: GraphqlRun): SuiteTypes {
  const known = knownTypes.get(run.schema);
  if (known !== undefined) return known;
  const own = Object.values(run.schema.getTypeMap()).flatMap((type): readonly (readonly [string, SuiteType])[] => {
    if (isAbstractType(type))
      return [[type.name, { kind: "union", mode: "any-of", members: run.schema.getPossibleTypes(type).map(typeOf) }]];
    if (!isObjectType(type)) return [];
    const members = Object.values(type.getFields())
      .filter(({ args }) => !args.some(isRequiredArgument))
      .map((field) => ({
        name: field.name,
        required: false,
        type: memberTypeOf(field),
        ...withPlace(placeOf(field.astNode)),
      }));
    return [[type.name, { kind: "record", members: [typenameOf([type]), ...members] }]];
  });
  const types = { ...scalarTypesOf(run.suite, run.schema), ...Object.fromEntries(own) };
  knownTypes.set(run.schema, types);
  return types;
}

function memberTypeOf({ type, description }: Field): SuiteType {
  const own = typeOf(type);
  return own.kind === "list" && saysExcerpt([description]) ? { ...own, isExcerpt: true } : own;
}

export function typeOf(type: GraphQLOutputType): SuiteType {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return { kind: "list", element: typeOf(nullable.ofType) };
  if (!isLeafType(nullable)) return { kind: "reference", target: nullable.name };
  return nullable.name === "ID" ? { kind: "string", format: opaqueFormat } : leafTypeOf(nullable);
}

/** Members of an element that can be selected without arguments, and those of objects that it leads to; not what changes by itself. */
export function elementTypeOf(run: GraphqlRun, type: GraphQLNamedType, depth = 0): SuiteType {
  if (isLeafType(type)) return typeOf(type);
  const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
  const members = fields.flatMap((field): readonly RecordMember[] => {
    const named = getNamedType(field.type);
    const isList = isListType(getNullableType(field.type));
    const isFollowed = isLeafType(named) || (depth === 0 && !isList);
    if (!isFollowed || field.args.length > 0 || run.restless.has(field.name)) return [];
    const own = elementTypeOf(run, named, depth + 1);
    return [{ name: field.name, required: true, type: isList ? { kind: "list", element: own } : own }];
  });
  return {
    kind: "record",
    members: isAbstractType(type) ? [typenameOf(run.schema.getPossibleTypes(type)), ...members] : members,
  };
}

function typenameOf(types: readonly GraphQLNamedType[]): RecordMember {
  return { name: "__typename", required: true, type: { kind: "enumeration", values: types.map(({ name }) => name) } };
}
