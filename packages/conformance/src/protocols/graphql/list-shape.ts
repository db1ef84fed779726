import { isRecord } from "@nodewright/api-model";
import {
  type GraphQLNamedType,
  type GraphQLObjectType,
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
import { member, type Selection } from "./selection.ts";

/** How the elements of a list, of a connection or of a page are reached. */
export interface ListShape {
  readonly element: GraphQLNamedType;
  readonly isConnection?: true;
  /** Selects fields of the elements, and what says next to them how many there are and whether more follow. */
  select(inner: readonly Selection[]): readonly Selection[];
  /** Undefined where there is no list. */
  elementsOf(value: unknown): readonly unknown[] | undefined;
  /** The member next to the elements that says how many there are on all pages. */
  readonly total: string | undefined;
  /** Whether something next to the elements says that more follow. */
  readonly saysMore: boolean;
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
  if (node !== undefined && isCompositeType(node) && isObjectType(named)) return connectionShape(named, node);
  return pageShape(named);
}

/** The list is all that is returned. */
export function plainShape(element: GraphQLNamedType): ListShape {
  const elementsOf = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);
  return { element, select: (inner) => inner, elementsOf, total: undefined, saysMore: false };
}

function connectionShape(connection: GraphQLObjectType, element: GraphQLNamedType): ListShape {
  const { edges, nodes, pageInfo } = connection.getFields();
  const total = leafNamed(connection, totalMembers, "Int");
  const info = pageInfo === undefined ? undefined : getNamedType(pageInfo.type);
  const infoMembers = ["hasNextPage", "hasPreviousPage", "startCursor", "endCursor"].filter(
    (name) => isObjectType(info) && info.getFields()[name] !== undefined,
  );
  const edge = edges === undefined ? undefined : getNamedType(edges.type);
  const hasCursor = isObjectType(edge) && edge.getFields()["cursor"] !== undefined;
  const hasNodes = nodes !== undefined && nodes.args.length === 0 && getNamedType(nodes.type) === element;
  return {
    element,
    isConnection: true,
    total,
    saysMore: infoMembers.includes("hasNextPage"),
    select: (inner) => [
      member("edges", [...(hasCursor ? [member("cursor")] : []), member("node", inner)]),
      ...(hasNodes ? [member("nodes", inner)] : []),
      ...(infoMembers.length > 0
        ? [
            member(
              "pageInfo",
              infoMembers.map((name) => member(name)),
            ),
          ]
        : []),
      ...(total === undefined ? [] : [member(total)]),
    ],
    elementsOf: (value) => {
      const list = isRecord(value) ? value["edges"] : undefined;
      return Array.isArray(list) ? list.map((one: unknown) => (isRecord(one) ? one["node"] : undefined)) : undefined;
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
  const total = leafNamed(named, totalMembers, "Int");
  const more = leafNamed(named, moreMembers, "Boolean") ?? leafNamed(named, nextMembers, "String");
  const beside = [total, more].filter((one) => one !== undefined);
  return {
    element: getNamedType(list.type),
    total,
    saysMore: more !== undefined,
    select: (inner) => [member(list.name, inner), ...beside.map((one) => member(one))],
    elementsOf: (value) => {
      const elements = isRecord(value) ? value[list.name] : undefined;
      return Array.isArray(elements) ? elements : undefined;
    },
  };
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
