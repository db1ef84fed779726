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

/** A field of an object type or an interface, whatever resolves it. */
export type Field = GraphQLField<unknown, unknown>;

/** Names of members that tell an object from others of its type. */
export function isKeyName(name: string): boolean {
  return /^(?:id|uuid|guid|hash|txid|key|slug|code|number|height|address|login|username|isbn|sku|_id)$/.test(
    name === "_id" ? name : plainName(name),
  );
}

/** Names of members that are of one object for ever. */
export function isLastingKeyName(name: string): boolean {
  return /^(?:id|uuid|guid|hash|txid)$/.test(plainName(name)) || /(?:hash|uuid)$/.test(plainName(name));
}

/** The type of a connection's nodes (Relay cursor connections): it has `edges` with `node`. */
export function connectionNodeOf(type: GraphQLNamedType): GraphQLNamedType | undefined {
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined;
  const edges = type.getFields()["edges"];
  const edge = edges === undefined ? undefined : getNamedType(edges.type);
  if (edges === undefined || !isListType(getNullableType(edges.type)) || !isObjectType(edge)) return undefined;
  const node = edge.getFields()["node"];
  return node === undefined ? undefined : getNamedType(node.type);
}

/** Whether a field answers one object or value rather than several. */
export function isSingle({ type }: Field): boolean {
  return !isListType(getNullableType(type)) && connectionNodeOf(getNamedType(type)) === undefined;
}
