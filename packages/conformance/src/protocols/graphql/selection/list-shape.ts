import { type DescribedFacts, describedFactsOf, isRecord } from "@nodewright/api-model";
import {
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from "graphql";
import { listNames } from "../../../compare/list-of.ts";
import { plainName } from "../../../compare/volatile-names.ts";
import { followsOf, isCount, isPageName } from "../../../inference/page-members.ts";
import type { Input, Result } from "../../../properties/operation.ts";
import { connectionNodeOf, type Field, fieldsOf, leavesOf } from "../schema/field-names.ts";
import { identityOf } from "./select-fields.ts";
import { member, members, type Selection } from "./selection.ts";

/** Location of a list of objects within a field's value. */
export interface ListShape {
  readonly element: GraphQLNamedType;
  /** Fields between the value and its elements: `edges` and `node` of a connection. */
  readonly path: readonly {
    readonly name: string;
    /** Selections next to it that count the elements or indicate whether more follow. */
    readonly beside: readonly Selection[];
  }[];
  readonly isConnection: boolean;
  /** Member that counts the elements of all pages, and up to which number it is exact. */
  readonly counter?: { readonly name: string; readonly isExactTo?: number } | undefined;
}

/** Returns the list of objects in a type; `undefined` when it has none. */
export function listShapeOf(type: GraphQLOutputType): ListShape | undefined {
  const named = getNamedType(type);
  if (isListType(getNullableType(type))) return isCompositeType(named) ? plainShape(named) : undefined;
  const node = connectionNodeOf(named);
  const list = node === undefined ? listOfPage(named) : fieldsOf(named)["edges"];
  if (list === undefined) return undefined;
  const element = getNamedType(list.type);
  const whole = { name: list.name, beside: siblingsOf(named, list.name) };
  const counter = counterOf(named);
  if (node === undefined) return { element, path: [whole], isConnection: false, counter };
  const path = [whole, { name: "node", beside: siblingsOf(element, "node") }];
  return isCompositeType(node) ? { element: node, path, isConnection: true, counter } : undefined;
}

/** Returns the shape of a value that is the list itself. */
export function plainShape(element: GraphQLNamedType): ListShape {
  return { element, path: [], isConnection: false };
}

/** Selects fields of the elements and the fields next to them. */
export function selectList({ path }: ListShape, inner: readonly Selection[]): readonly Selection[] {
  return path.reduceRight((selections, { name, beside }) => [member(name, selections), ...beside], inner);
}

/** Returns the elements of a value; `undefined` when it has no list. */
export function elementsOf(shape: ListShape | undefined, value: unknown): readonly unknown[] | undefined {
  if (shape === undefined) return undefined;
  const [list, node] = shape.path;
  const elements = list === undefined ? value : isRecord(value) ? value[list.name] : undefined;
  if (!Array.isArray(elements)) return undefined;
  return node === undefined ? elements : elements.map((one: unknown) => (isRecord(one) ? one[node.name] : undefined));
}

/** Returns the value of a field as a result for properties. */
export function resultOf(shape: ListShape | undefined, value: unknown, input: Input): Result {
  const items = elementsOf(shape, value);
  if (items === undefined) return { value };
  const total = totalOf(shape?.counter, value);
  // Pages that are counted from the end don't indicate whether more follows.
  const more = input["last"] === undefined && input["before"] === undefined ? followsOf(value) : undefined;
  return { value, page: { items, ...(total === undefined ? {} : { total }), ...(more === undefined ? {} : { more }) } };
}

/** Returns the total of all pages that a value has next to its elements, as far as it is exact. */
function totalOf(counter: ListShape["counter"], value: unknown): number | undefined {
  const total = counter === undefined || !isRecord(value) ? undefined : value[counter.name];
  return isCount(total) && total < (counter?.isExactTo ?? Number.POSITIVE_INFINITY) ? total : undefined;
}

/** Returns the field that is named as a total, or described as one. */
function counterOf(type: GraphQLNamedType): ListShape["counter"] {
  const plain = leavesOf(type).filter(({ args }) => args.length === 0);
  const leaves = plain.map((field) => ({ ...factsOf(field), name: field.name }));
  return leaves.find(({ name }) => isPageName("total", name)) ?? leaves.find(({ isTotal }) => isTotal);
}

function factsOf({ name, description }: Field): DescribedFacts {
  return describedFactsOf(name, { kind: "number" }, [description]);
}

/** Returns the members of a page next to its list; of further lists of the elements, the identifying members. */
function siblingsOf(type: GraphQLNamedType, list: string): readonly Selection[] {
  const counter = counterOf(type)?.name;
  return Object.values(fieldsOf(type)).flatMap((field): readonly Selection[] => {
    const { name, args } = field;
    const named = getNamedType(field.type);
    if (args.length > 0 || name === list) return [];
    if (isLeafType(named)) return isPageMember(name) || name === counter ? [member(name)] : [];
    if (name === "nodes" && isObjectType(named)) return [member(name, members(identityOf(named)))];
    return plainName(name) === "pageinfo" ? [member(name, members(leavesOf(named)))] : [];
  });
}

function isPageMember(name: string): boolean {
  return (["total", "more", "next"] as const).some((role) => isPageName(role, name));
}

/** Returns the list of a page like `{ items, total }`: the only list of objects in a type with page members. */
function listOfPage(type: GraphQLNamedType): Field | undefined {
  const fields = Object.values(isObjectType(type) ? type.getFields() : {});
  const [list, ...others] = fields.filter(
    (field) =>
      isListType(getNullableType(field.type)) &&
      isCompositeType(getNamedType(field.type)) &&
      !field.args.some(isRequiredArgument),
  );
  if (list === undefined || others.length > 0) return undefined;
  const isUsual =
    listNames.has(plainName(list.name)) ||
    list.name === "nodes" ||
    /(?:Page|List|Connection|Results?|Collection)$/.test(type.name);
  const isPage = fields.some(
    (one) => one !== list && (isPageMember(one.name) || one.name === "pageInfo" || isPageName("paging", one.name)),
  );
  return isUsual && isPage ? list : undefined;
}
