import { isRecord } from "@nodewright/api-model";
import {
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from "graphql";
import { listNames } from "../../compare/list-of.ts";
import { plainName } from "../../compare/volatile-names.ts";
import { connectionNodeOf } from "./field-names.ts";
import type { Selection } from "./selection.ts";

/** How the elements of a list, of a connection or of a page are come by. */
export interface ListShape {
  /** The type of the elements: an object, an interface or a union. */
  readonly element: GraphQLNamedType;
  /** Selects fields of the elements. */
  select(inner: readonly Selection[]): readonly Selection[];
  /** Undefined where there is no list. */
  elementsOf(value: unknown): readonly unknown[] | undefined;
  /** The member beside the elements that says how many there are on all pages. */
  readonly total: string | undefined;
  /** What says beside the elements whether more follow. */
  readonly more: Selection | undefined;
}

/** Names of members that a page has beside its elements, without separators and in lower case. */
const pageMembers =
  /^(?:total|count|totalcount|totalitems|page|pageinfo|pagenumber|pagesize|size|hasmore|hasnext|next|nextcursor|nexttoken|offset|limit|cursor)$/;

/** Names of counts of all pages: a plain `count` may be of the page. */
const totalMembers = /^(?:total|totalcount|totalitems|totalelements|totalresults|totalhits)$/;
const moreMembers = /^(?:hasmore|hasnext|hasnextpage)$/;
const nextMembers = /^next(?:page)?(?:cursor|token)$/;

/** Undefined for what is no list of objects. */
export function listShapeOf(type: GraphQLOutputType): ListShape | undefined {
  const named = getNamedType(type);
  if (isListType(getNullableType(type))) return isCompositeType(named) ? plainShape(named) : undefined;
  const node = connectionNodeOf(named);
  if (node !== undefined && isCompositeType(node)) return connectionShape(named, node);
  return pageShape(named);
}

function plainShape(element: GraphQLNamedType): ListShape {
  return {
    element,
    select: (inner) => inner,
    elementsOf: (value) => (Array.isArray(value) ? value : undefined),
    total: undefined,
    more: undefined,
  };
}

function connectionShape(connection: GraphQLNamedType, element: GraphQLNamedType): ListShape {
  return {
    element,
    total: leafNamed(connection, totalMembers, "Int"),
    more: moreInfo(connection),
    select: (inner) => [
      { kind: "field", name: "edges", selections: [{ kind: "field", name: "node", selections: inner }] },
    ],
    elementsOf: (value) => {
      const edges = isRecord(value) ? value["edges"] : undefined;
      return Array.isArray(edges)
        ? edges.map((edge: unknown) => (isRecord(edge) ? edge["node"] : undefined))
        : undefined;
    },
  };
}

/** `{ items, total }`: an object with one list of objects, and what pages have beside it. */
function pageShape(named: GraphQLNamedType): ListShape | undefined {
  if (!isObjectType(named)) return undefined;
  const fields = Object.values(named.getFields());
  const lists = fields.filter(
    ({ type, args }) =>
      isListType(getNullableType(type)) && isCompositeType(getNamedType(type)) && !args.some(isRequiredArgument),
  );
  const [list] = lists;
  if (list === undefined || lists.length > 1) return undefined;
  const name = plainName(list.name);
  const isUsual =
    listNames.has(name) || name === "nodes" || /(?:Page|List|Connection|Results?|Collection)$/.test(named.name);
  if (!isUsual || !fields.some((one) => one !== list && pageMembers.test(plainName(one.name)))) return undefined;
  return {
    element: getNamedType(list.type),
    total: leafNamed(named, totalMembers, "Int"),
    more: moreMember(named),
    select: (inner) => [{ kind: "field", name: list.name, selections: inner }],
    elementsOf: (value) => {
      const elements = isRecord(value) ? value[list.name] : undefined;
      return Array.isArray(elements) ? elements : undefined;
    },
  };
}

function moreMember(named: GraphQLNamedType): Selection | undefined {
  const name = leafNamed(named, moreMembers, "Boolean") ?? leafNamed(named, nextMembers, "String");
  return name === undefined ? undefined : { kind: "field", name, selections: [] };
}

/** `pageInfo { hasNextPage }` of a connection. */
function moreInfo(connection: GraphQLNamedType): Selection | undefined {
  const info = isObjectType(connection) ? connection.getFields()["pageInfo"] : undefined;
  const inner = info === undefined || info.args.length > 0 ? undefined : moreMember(getNamedType(info.type));
  return inner === undefined ? undefined : { kind: "field", name: "pageInfo", selections: [inner] };
}

/** The name of a member of a usual name and a type. */
function leafNamed(owner: GraphQLNamedType, usual: RegExp, leaf: string): string | undefined {
  if (!isObjectType(owner)) return undefined;
  const found = Object.values(owner.getFields()).find(
    ({ name, type, args }) =>
      usual.test(plainName(name)) && getNullableType(type).toString() === leaf && args.length === 0,
  );
  return found?.name;
}
