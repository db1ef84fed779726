import {
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
} from "graphql";
import { connectionNodeOf, type Field, isKeyName, leavesOf } from "../schema/field-names.ts";
import { hasRoleName } from "../../../inference/list-roles.ts";
import { type FieldSelection, type GivenArgument, members, type Selection, typename } from "./selection.ts";

/** Limits of a selection. */
export interface SelectionSize {
  /** Maximum nesting depth. */
  readonly depth: number;
  readonly fields: number;
}

/** Number of elements that are requested of a page of a connection. */
const pageSize = 4;
/** Maximum number of types of a union or interface that are selected by name. */
const mostPossibleTypes = 20;

/** What selections are limited by, and where the values of required arguments come from. */
interface SelectionSource {
  readonly schema: GraphQLSchema;
  readonly size: SelectionSize;
  /** Returns the arguments that a field requires; `undefined` for a field that can't be selected. */
  argumentsFor(parentType: string, field: Field, allowsSamples: boolean): readonly GivenArgument[] | undefined;
}

interface Waiting {
  readonly type: GraphQLNamedType;
  readonly into: Selection[];
  readonly depth: number;
}

interface Selector {
  readonly run: SelectionSource;
  /** Types of which every field is already selected elsewhere. */
  readonly whole: Set<string>;
  readonly waiting: Waiting[];
  left: number;
}

/**
 * Selects every field of a type and of all types below it. Each type is selected completely where it first occurs and by its identifying
 * members elsewhere, so that a selection grows with the schema, not with the number of paths through it.
 */
function selectFields(run: SelectionSource, type: GraphQLNamedType): readonly Selection[] {
  const selections: Selection[] = [];
  const waiting: Waiting[] = isCompositeType(type) ? [{ type, into: selections, depth: 1 }] : [];
  const selector: Selector = { run, whole: new Set(), waiting, left: run.size.fields };
  // The list grows during the iteration.
  for (const one of waiting) fill(selector, one);
  return selections;
}

/** Selects the fields of a type, and for an abstract type those of its possible types. */
function fill(selector: Selector, { type, into, depth }: Waiting): void {
  const isAbstract = isAbstractType(type);
  const possible = isAbstract ? selector.run.schema.getPossibleTypes(type).slice(0, mostPossibleTypes) : [];
  const shapes = new Map<string, string>();
  // First, since the rest depends on it.
  if (isAbstract) into.push(typename);
  if (isObjectType(type) || isInterfaceType(type)) into.push(...fieldsOf(selector, type, depth, shapes));
  const common = new Map(isAbstract ? shapes : []);
  for (const one of possible) {
    const selections = fieldsOf(selector, one, depth, shapes, common);
    if (selections.length > 0) into.push({ kind: "fragment", type: one.name, selections });
  }
  if (!isAbstract) into.push(typename);
}

/**
 * Selects the fields of one type, except for those in `common`. Fields that another type has with another shape get an alias (section
 * 5.3.2). `shapes`: field → type of the selection under its name.
 */
function fieldsOf(
  selector: Selector,
  type: GraphQLObjectType | GraphQLInterfaceType,
  depth: number,
  shapes: Map<string, string>,
  common: ReadonlyMap<string, string> = new Map(),
): readonly FieldSelection[] {
  const isKnown = selector.whole.has(type.name);
  selector.whole.add(type.name);
  return (isKnown ? identityOf(type) : Object.values(type.getFields())).flatMap((field) => {
    const shape = String(field.type);
    if (common.get(field.name) === shape) return [];
    const selection = selectField(selector, type.name, field, depth);
    if (selection === undefined) return [];
    const known = shapes.get(field.name) ?? shape;
    shapes.set(field.name, known);
    return [known === shape ? selection : { ...selection, alias: `${field.name}Of${type.name}` }];
  });
}

function selectField(selector: Selector, parentType: string, field: Field, depth: number): FieldSelection | undefined {
  const type = getNamedType(field.type);
  const isLeaf = !isCompositeType(type);
  if (selector.left <= 0 || (!isLeaf && depth >= selector.run.size.depth)) return undefined;
  const required = selector.run.argumentsFor(parentType, field, false);
  if (required === undefined) return undefined;
  selector.left -= 1;
  const selections: Selection[] = [];
  if (!isLeaf) selector.waiting.push({ type, into: selections, depth: depth + 1 });
  return selectionOf(field, required, selections);
}

/** Returns a field with its complete selection; for a connection, with a page of limited size. */
export function selectFully(source: SelectionSource, field: Field, given: readonly GivenArgument[]): FieldSelection {
  return selectionOf(field, given, selectFields(source, getNamedType(field.type)));
}

/** Returns the selection of a field; of a connection with a page size, which many servers require. */
function selectionOf(
  { name, type, args }: Field,
  given: readonly GivenArgument[],
  selections: readonly Selection[],
): FieldSelection {
  const isPaged =
    connectionNodeOf(getNamedType(type)) !== undefined && !given.some((one) => hasRoleName("limit", one.name));
  const first = isPaged ? args.filter((one) => one.name === "first") : [];
  const sizes = first.map((one) => ({ name: one.name, type: one.type, value: pageSize }));
  return { kind: "field", name, arguments: [...given, ...sizes], selections };
}

/** Returns the fields that identify an object: at most three. */
export function identityOf(type: GraphQLNamedType): readonly Field[] {
  const leaves = leavesOf(type);
  const keys = leaves.filter(({ name }) => isKeyName(name));
  return (keys.length > 0 ? keys : leaves.filter(({ type: leaf }) => !isListType(getNullableType(leaf)))).slice(0, 3);
}

/** Returns the identifying fields of objects: enough for a request that is refused. */
export function smallSelection({ field }: { readonly field: Field }): readonly Selection[] {
  const type = getNamedType(field.type);
  const [identity = typename] = members(identityOf(type));
  return isCompositeType(type) ? [identity] : [];
}
