import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
  isSpecifiedScalarType,
} from "graphql";
import { isNamedByChance } from "../../inference/name-meaning.ts";
import type { Parameter } from "../../inference/list-roles.ts";
import { opaqueFormat } from "../../inference/opaque.ts";
import { saysByChance, saysExcerpt } from "../../suite/described-facts.ts";
import type { RecordMember, SuiteType, SuiteTypes } from "../../suite/suite-type.ts";
import { withPlace } from "../../suite/with-place.ts";
import type { GraphqlRun } from "./graphql-run.ts";
import { boundOf, inputTypeOf, scalarTypeOf, scalarTypesOf } from "./input-type.ts";
import { placeOf } from "./place-of.ts";

/** Whether a field returns what is chosen by chance. */
export function isByChance({ name, description }: GraphQLField<unknown, unknown>): boolean {
  return isNamedByChance(name) || saysByChance([description]);
}

/** The arguments of a field as properties see them. */
export function parametersOf({ args, description }: GraphQLField<unknown, unknown>): readonly Parameter[] {
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

/** The custom scalars of the schema. */
function scalarNames({ schema }: GraphqlRun): readonly string[] {
  return Object.values(schema.getTypeMap()).flatMap((type) =>
    isScalarType(type) && !isSpecifiedScalarType(type) ? [type.name] : [],
  );
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
    const typename = {
      name: "__typename",
      required: true,
      type: { kind: "enumeration", values: [type.name] },
    } as const;
    return [[type.name, { kind: "record", members: [typename, ...members] }]];
  });
  const types = { ...scalarTypesOf(run.suite, scalarNames(run)), ...Object.fromEntries(own) };
  knownTypes.set(run.schema, types);
  return types;
}

function memberTypeOf({ type, description }: GraphQLField<unknown, unknown>): SuiteType {
  const own = typeOf(type);
  return own.kind === "list" && saysExcerpt([description]) ? { ...own, isExcerpt: true } : own;
}

export function typeOf(type: GraphQLOutputType): SuiteType {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return { kind: "list", element: typeOf(nullable.ofType) };
  return isLeafType(nullable) ? leafTypeOf(nullable) : { kind: "reference", target: nullable.name };
}

/** Members of an element that can be selected without arguments, and those of objects that it leads to; not what changes by itself. */
export function elementTypeOf(run: GraphqlRun, type: GraphQLNamedType, depth = 0): SuiteType {
  if (isLeafType(type)) return leafTypeOf(type);
  const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
  const members = fields.flatMap((field): readonly RecordMember[] => {
    const named = getNamedType(field.type);
    const isList = isListType(getNullableType(field.type));
    const isFollowed = isLeafType(named) || (depth === 0 && !isList);
    if (!isFollowed || field.args.length > 0 || run.restless.has(field.name)) return [];
    const own = elementTypeOf(run, named, depth + 1);
    return [{ name: field.name, required: true, type: isList ? { kind: "list", element: own } : own }];
  });
  if (isObjectType(type) || !isAbstractType(type)) return { kind: "record", members };
  const possible = run.schema.getPossibleTypes(type).map(({ name }) => name);
  const typename: RecordMember = {
    name: "__typename",
    required: true,
    type: { kind: "enumeration", values: possible },
  };
  return { kind: "record", members: [typename, ...members] };
}

function leafTypeOf(type: GraphQLNamedType): SuiteType {
  return isEnumType(type)
    ? { kind: "enumeration", values: type.getValues().map(({ name }) => name) }
    : type.name === "ID"
      ? { kind: "string", format: opaqueFormat }
      : scalarTypeOf(type.name);
}
