import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
} from "graphql";
import { plainName } from "../../../compare/volatile-names.ts";

/** A field of an object type or an interface, with any resolver. */
export type Field = GraphQLField<unknown, unknown>;

/** Returns the fields of an object type or an interface by name; other types have none. */
export function fieldsOf(type: GraphQLNamedType | null | undefined): Readonly<Record<string, Field>> {
  return isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
}

/** Returns the leaves of an object type or an interface that need no arguments. */
export function leavesOf(type: GraphQLNamedType): readonly Field[] {
  return Object.values(fieldsOf(type)).filter(
    (field) => isLeafType(getNamedType(field.type)) && !field.args.some(isRequiredArgument),
  );
}

/** Returns whether a member's name identifies an object among others of its type. */
export function isKeyName(name: string): boolean {
  return /^(?:id|uuid|guid|hash|txid|key|slug|code|number|height|address|login|username|isbn|sku|_id)$/.test(
    name === "_id" ? name : plainName(name),
  );
}

/** Returns whether a member's name identifies one object permanently. */
export function isPermanentKeyName(name: string): boolean {
  return /^(?:id|uuid|guid|hash|txid)$/.test(plainName(name)) || /(?:hash|uuid)$/.test(plainName(name));
}

/** Returns the node type of a connection (Relay cursor connections), which has `edges` with `node`. */
export function connectionNodeOf(type: GraphQLNamedType): GraphQLNamedType | undefined {
  const { edges } = fieldsOf(type);
  if (edges === undefined || !isListType(getNullableType(edges.type))) return undefined;
  const { node } = fieldsOf(getNamedType(edges.type));
  return node && getNamedType(node.type);
}

/** Returns whether a field returns one object or value rather than several. */
export function isSingle({ type }: Field): boolean {
  return !isListType(getNullableType(type)) && connectionNodeOf(getNamedType(type)) === undefined;
}

/** Returns whether a value of an input type has to name something, so that not every one will do: a string, an ID or a custom scalar. */
export function isNaming(type: GraphQLInputType): boolean {
  const leaf = getNamedType(type);
  return isScalarType(leaf) && !["Int", "Float", "Boolean"].includes(leaf.name);
}
