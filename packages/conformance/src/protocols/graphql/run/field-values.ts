import { type GraphQLSchema, getNamedType, isCompositeType, isLeafType } from "graphql";
import { isScalar, type Leaf, type Scope } from "../../../live/leaves.ts";
import { plainName } from "../../../live/names.ts";
import type { LinkedOperation } from "../../../live/slots.ts";
import { connectionNodeOf, fieldsOf } from "../schema/field-names.ts";
import { parametersOf } from "../schema/field-types.ts";
import type { MetField } from "../response/walk-response.ts";

/** Amount added to the rank of less certain values. */
export const farther = 0.5;
/** Maximum number of elements that are taken from a list of leaves. */
const mostElements = 12;

/** Returns the fields of a schema that have leaf arguments, as operations for which values are searched. */
export function linkedFields(schema: GraphQLSchema): readonly LinkedOperation[] {
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (type.name.startsWith("__")) return [];
    return Object.values(fieldsOf(type)).flatMap((field): readonly LinkedOperation[] => {
      const args = field.args.filter((one) => isLeafType(getNamedType(one.type)));
      const named = getNamedType(field.type);
      const parameters = parametersOf({ ...field, args }).map((one) => ({ ...one, location: "argument" }) as const);
      const linked = { name: `${type.name}.${field.name}`, method: field.name, parameters, links: [], examples: [] };
      const typeName = isCompositeType(named) ? plainName((connectionNodeOf(named) ?? named).name) : undefined;
      return args.length === 0 ? [] : [{ ...linked, ...(typeName === undefined ? {} : { typeName }) }];
    });
  });
}

/** Nesting depth from which on values are less certain. */
const deepest = 2;

/**
 * Returns the leaves of a response by the objects that have them, with the first objects of each type as the most certain. Those far from
 * the root, or in a response with a failure, are less certain.
 */
export function typedScopes(met: readonly MetField[], isComplete: boolean): readonly Scope[] {
  const turns = new Map<string, number>();
  return [...Map.groupBy(met, ({ parent }) => parent).values()].map((fields) => {
    const [{ parentType: type, depth } = { parentType: { name: "" }, depth: 0 }] = fields;
    const turn = turns.get(type.name) ?? 0;
    turns.set(type.name, turn + 1);
    const distance = (isComplete && depth <= deepest ? 0 : farther) + Math.min(turn, 40) / 100;
    return { parent: undefined, leaves: fields.flatMap((one) => leavesOf(one, distance)) };
  });
}

function leavesOf({ field, parentType, value }: MetField, distance: number): readonly Leaf[] {
  // Introspection returns the schema, not data.
  if (!isLeafType(getNamedType(field.type)) || parentType.name.startsWith("__")) return [];
  const own = {
    name: plainName(field.name),
    typeNames: [parentType, ...parentType.getInterfaces()].map(({ name }) => plainName(name)),
    remoteTypeNames: [],
    isOfSchema: true,
    isPlain: false,
    distance,
  };
  const values: readonly unknown[] = Array.isArray(value) ? value.slice(0, mostElements) : [value];
  return values.filter(isScalar).map((one) => ({ ...own, value: one }));
}
