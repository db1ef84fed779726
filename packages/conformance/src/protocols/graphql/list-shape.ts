import { type DescribedFacts, describedFactsOf, isRecord } from "@nodewright/api-model";
import {
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from "graphql";
import { listNames } from "../../compare/list-of.ts";
import { plainName } from "../../compare/volatile-names.ts";
import { isCount, isPageName } from "../../inference/page-members.ts";
import { type Field, connectionNodeOf } from "./field-names.ts";
import { identityOf } from "./select-fields.ts";
import { member, type Selection } from "./selection.ts";

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
  readonly counter?: { readonly name: string; readonly isExactTo: number } | undefined;
}

/** Returns the list of objects in a type; `undefined` when it has none. */
export function listShapeOf(type: GraphQLOutputType): ListShape | undefined {
  const named = getNamedType(type);
  if (isListType(getNullableType(type))) return isCompositeType(named) ? plainShape(named) : undefined;
  const node = connectionNodeOf(named);
  const list = node === undefined ? listOfPage(named) : fieldsOf(named).find(({ name }) => name === "edges");
  if (list === undefined) return undefined;
  const [element, whole] = [getNamedType(list.type), { name: list.name, beside: siblingsOf(named, list.name) }];
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

/** Returns the total of all pages that a value has next to its elements, as far as it is exact. */
export function totalOf({ counter }: ListShape, value: unknown): number | undefined {
  const total = counter === undefined || !isRecord(value) ? undefined : value[counter.name];
  return counter !== undefined && isCount(total) && total < counter.isExactTo ? total : undefined;
}

/** Returns the field that is named as a total, or described as one. */
function counterOf(type: GraphQLNamedType): ListShape["counter"] {
  const fields = fieldsOf(type).filter((one) => one.args.length === 0 && isLeafType(getNamedType(one.type)));
  const found = fields.find(({ name }) => isPageName("total", name)) ?? fields.find((one) => factsOf(one).isTotal);
  return found === undefined
    ? undefined
    : { name: found.name, isExactTo: factsOf(found).isExactTo ?? Number.POSITIVE_INFINITY };
}

function factsOf({ name, description }: Field): DescribedFacts {
  return describedFactsOf(name, { kind: "number" }, [description]);
}

function fieldsOf(type: GraphQLNamedType): readonly Field[] {
  return isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
}

/** Returns the members of a page next to its list; of further lists of the elements, the identifying members. */
function siblingsOf(type: GraphQLNamedType, list: string): readonly Selection[] {
  return fieldsOf(type).flatMap((field): readonly Selection[] => {
    const [{ name }, named] = [field, getNamedType(field.type)];
    if (field.args.length > 0 || name === list) return [];
    if (isLeafType(named)) return isPageMember(name) || name === counterOf(type)?.name ? [member(name)] : [];
    if (name === "nodes" && isObjectType(named))
      return [
        member(
          name,
          identityOf(named).map((key) => member(key.name)),
        ),
      ];
    const inner = fieldsOf(named).filter((one) => isLeafType(getNamedType(one.type)) && one.args.length === 0);
    return plainName(name) === "pageinfo"
      ? [
          member(
            name,
            inner.map((one) => member(one.name)),
          ),
        ]
      : [];
  });
}

function isPageMember(name: string): boolean {
  return (["total", "more", "next"] as const).some((role) => isPageName(role, name));
}

/** Returns the list of a page like `{ items, total }`: the only list of objects in a type with page members. */
function listOfPage(type: GraphQLNamedType): Field | undefined {
  const fields = isObjectType(type) ? fieldsOf(type) : [];
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
