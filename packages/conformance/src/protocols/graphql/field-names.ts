import {
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
} from "graphql";
import { plainName } from "../../compare/volatile-names.ts";

/** A field of an object type or an interface, with any resolver. */
export type Field = GraphQLField<unknown, unknown>;

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
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined;
  const edges = type.getFields()["edges"];
  const edge = edges === undefined ? undefined : getNamedType(edges.type);
  if (edges === undefined || !isListType(getNullableType(edges.type)) || !isObjectType(edge)) return undefined;
  const node = edge.getFields()["node"];
  return node === undefined ? undefined : getNamedType(node.type);
}

/** Returns whether a field returns one object or value rather than several. */
export function isSingle({ type }: Field): boolean {
  return !isListType(getNullableType(type)) && connectionNodeOf(getNamedType(type)) === undefined;
}
