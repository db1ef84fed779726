import { escapeSegment, isRecord } from "@nodewright/api-model";
import { withPlace } from "../../suite/with-place.ts";
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isAbstractType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from "graphql";
import { type Finding, uniqueFindings } from "../../contract/finding.ts";
import type { Rule } from "../../contract/rule.ts";
import { showValue } from "../../compare/show-value.ts";
import { formlessTexts } from "../../compare/text-formats.ts";
import type { SuiteType, SuiteTypes } from "../../suite/suite-type.ts";
import { violationsOf } from "../../types/violations.ts";
import { type AskedDocument, collectFields, responseKeyOf, selectionSetsOf } from "./collect-fields.ts";
import { graphqlRules } from "./graphql-rules.ts";
import { placeOf } from "./place-of.ts";

/** A field of an answer, as it was come by. */
export interface MetField {
  readonly parentType: GraphQLObjectType;
  readonly parent: Readonly<Record<string, unknown>>;
  readonly field: GraphQLField<unknown, unknown>;
  readonly node: FieldNode;
  readonly key: string;
  readonly value: unknown;
  /** Objects between the root and `parent`. */
  readonly depth: number;
}

/** What an answer is walked with. */
export interface AnswerWalk {
  readonly asked: AskedDocument;
  /** Custom scalar → what its values are in JSON. */
  readonly scalars: Readonly<Record<string, SuiteType>>;
  readonly types: SuiteTypes;
  /** Hears of each field, an object's fields before those of the next. */
  readonly onField?: (met: MetField) => void;
}

/** Findings of one answer that are told. */
const toldFindings = 15;
/** Types that an object is tried as, where it does not tell its own. */
const triedTypes = 4;

interface Walker extends AnswerWalk {
  readonly findings: Finding[];
}

/**
 * Where the walk is. `pointer` leads there in the response, by its keys, with `*` for positions. `path` and `position` name fields instead,
 * as keys may be aliases that nobody but the request knows: with `*`, and with the true positions.
 */
interface Spot {
  readonly pointer: string;
  readonly path: string;
  readonly position: string;
  readonly field: GraphQLField<unknown, unknown> | undefined;
  readonly depth: number;
}

const rootSpot: Spot = { pointer: "", path: "", position: "", field: undefined, depth: 0 };

/** Holds the data of an answer against the schema: exactly what was selected, each of its type. */
export function walkAnswer(walk: AnswerWalk, data: unknown): readonly Finding[] {
  const root = rootTypeOf(walk.asked);
  if (root === undefined || !isRecord(data)) return [];
  const walker: Walker = { ...walk, findings: [] };
  walkObject(walker, root, [walk.asked.operation.selectionSet], data, rootSpot);
  return uniqueFindings(walker.findings).slice(0, toldFindings);
}

/** The type that the operation's selection is of. */
export function rootTypeOf({ schema, operation }: AskedDocument): GraphQLObjectType | undefined {
  return schema.getRootType(operation.operation) ?? undefined;
}

/** A field of a type, those that every type or the root has by itself included. `__typename` has none. */
export function fieldOf(
  asked: AskedDocument,
  type: GraphQLObjectType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  const field = type.getFields()[name];
  if (field !== undefined) return field;
  if (type !== asked.schema.getQueryType()) return undefined;
  if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
  return name === TypeMetaFieldDef.name ? TypeMetaFieldDef : undefined;
}

function walkObject(
  walker: Walker,
  type: GraphQLObjectType,
  selectionSets: readonly SelectionSetNode[],
  value: Readonly<Record<string, unknown>>,
  spot: Spot,
): void {
  const collected = collectFields(walker.asked, type, selectionSets);
  for (const [key, nodes] of collected) {
    const [node] = nodes;
    if (node === undefined) continue;
    const field = fieldOf(walker.asked, type, node.name.value);
    const inner = innerSpot(spot, key, node.name.value, field);
    if (!Object.hasOwn(value, key)) {
      note(walker, graphqlRules.keys, inner, "is missing, although it was selected", undefined);
    } else if (field !== undefined) {
      walker.onField?.({ parentType: type, parent: value, field, node, key, value: value[key], depth: spot.depth });
      walkValue(walker, field.type, nodes, value[key], inner);
    } else if (node.name.value === "__typename" && value[key] !== type.name) {
      note(walker, graphqlRules.typename, inner, `is not ${type.name}`, value[key]);
    }
  }
  walkKeys(walker, collected.keys(), value, spot);
}

function walkKeys(
  walker: Walker,
  selected: Iterable<string>,
  value: Readonly<Record<string, unknown>>,
  spot: Spot,
): void {
  const wanted = [...selected];
  const known = new Set(wanted);
  const given = Object.keys(value);
  for (const key of given) {
    if (known.has(key)) continue;
    // What the server made up is no part of the message, so that it stays the same.
    note(walker, graphqlRules.keys, spot, "has a key that was not selected", key);
  }
  const shared = given.filter((key) => known.has(key));
  const present = wanted.filter((key) => Object.hasOwn(value, key));
  if (shared.some((key, index) => key !== present[index])) {
    note(walker, graphqlRules.order, spot, "has its keys in another order than they were selected in", undefined);
  }
}

function walkValue(
  walker: Walker,
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
  value: unknown,
  spot: Spot,
): void {
  if (isNonNullType(type)) {
    if (value === null) note(walker, graphqlRules.nonNull, spot, "is null, and can't be", undefined);
    else walkValue(walker, type.ofType, nodes, value, spot);
    return;
  }
  if (value === null) return;
  if (isListType(type)) {
    if (!Array.isArray(value)) {
      note(walker, graphqlRules.list, spot, "is no list", value);
      return;
    }
    for (const [index, element] of value.entries()) {
      const inner = {
        ...spot,
        pointer: `${spot.pointer}/*`,
        path: `${spot.path}/*`,
        position: `${spot.position}/${index}`,
      };
      walkValue(walker, type.ofType, nodes, element, inner);
    }
    return;
  }
  if (Array.isArray(value) && !isCustomScalar(type)) {
    note(walker, graphqlRules.list, spot, "is a list, and should not be", value);
    return;
  }
  if (isLeafType(type)) {
    walkLeaf(walker, type, value, spot);
    return;
  }
  if (!isRecord(value)) {
    note(walker, graphqlRules.object, spot, "is no object", value);
    return;
  }
  const runtimeType = runtimeTypeOf(walker, type, nodes, value, spot);
  if (runtimeType === undefined) return;
  walkObject(walker, runtimeType, selectionSetsOf(nodes), value, { ...spot, depth: spot.depth + 1 });
}

function isCustomScalar(type: GraphQLNamedType): boolean {
  return isLeafType(type) && !isEnumType(type) && !builtInScalars.has(type.name);
}

const builtInScalars: ReadonlySet<string> = new Set(["Int", "Float", "String", "Boolean", "ID"]);

function walkLeaf(walker: Walker, type: GraphQLLeafType, value: unknown, spot: Spot): void {
  if (isEnumType(type)) {
    const isValue = typeof value === "string" && type.getValue(value) != null;
    if (!isValue) note(walker, graphqlRules.leaf, spot, `is no value of the enum ${type.name}`, value);
    return;
  }
  if (builtInScalars.has(type.name)) {
    if (!isBuiltInValue(type.name, value)) note(walker, graphqlRules.leaf, spot, `is no ${type.name}`, value);
    return;
  }
  const scalar = walker.scalars[type.name];
  if (scalar === undefined) return;
  const [violation] = violationsOf(scalar, value, walker.types, "answer");
  const [formless] = violation === undefined ? formlessTexts(scalar, value, walker.types) : [];
  if (formless?.isSure === true)
    note(walker, graphqlRules.scalar, spot, `is no ${formless.format} (${type.name})`, value);
  if (violation === undefined) return;
  const message = `${scalarClause(violation.pointer, violation.message)} (${type.name})`;
  note(walker, graphqlRules.scalar, spot, message, value);
}

function scalarClause(pointer: string, message: string): string {
  return pointer === "" ? message : `has a part that ${message}`;
}

/** Whether a JSON value is one of a scalar that every schema has (specification, section 3.5). */
function isBuiltInValue(name: string, value: unknown): boolean {
  switch (name) {
    case "Int":
      return typeof value === "number" && Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;
    case "Float":
      return typeof value === "number" || typeof value === "bigint";
    case "Boolean":
      return typeof value === "boolean";
    default:
      return typeof value === "string";
  }
}

/** The type of an object: what it says itself, or what its keys fit. */
function runtimeTypeOf(
  walker: Walker,
  type: GraphQLNamedType,
  nodes: readonly FieldNode[],
  value: Readonly<Record<string, unknown>>,
  spot: Spot,
): GraphQLObjectType | undefined {
  if (isObjectType(type)) return type;
  if (!isAbstractType(type)) return undefined;
  const { schema } = walker.asked;
  const possible = schema.getPossibleTypes(type);
  const key = typenameKeyOf(selectionSetsOf(nodes));
  if (key !== undefined) {
    const name = value[key];
    const found = possible.find((one) => one.name === name);
    if (found === undefined && Object.hasOwn(value, key)) {
      note(
        walker,
        graphqlRules.typename,
        innerSpot(spot, key, "__typename", undefined),
        `names no possible type of ${type.name}`,
        name,
      );
    }
    if (found !== undefined || Object.hasOwn(value, key)) return found;
  }
  return nearestType(walker, possible, nodes, value);
}

/** Only where it is selected whatever the type is. */
function typenameKeyOf(selectionSets: readonly SelectionSetNode[]): string | undefined {
  for (const { selections } of selectionSets) {
    for (const selection of selections) {
      if (selection.kind === "Field" && selection.name.value === "__typename") return responseKeyOf(selection);
    }
  }
  return undefined;
}

function nearestType(
  walker: Walker,
  possible: readonly GraphQLObjectType[],
  nodes: readonly FieldNode[],
  value: Readonly<Record<string, unknown>>,
): GraphQLObjectType | undefined {
  const selectionSets = selectionSetsOf(nodes);
  const distanceOf = (type: GraphQLObjectType): number => {
    const keys = new Set(collectFields(walker.asked, type, selectionSets).keys());
    const missing = [...keys].filter((key) => !Object.hasOwn(value, key)).length;
    return missing + Object.keys(value).filter((key) => !keys.has(key)).length;
  };
  const candidates = possible
    .map((type) => ({ type, distance: distanceOf(type) }))
    .toSorted((left, right) => left.distance - right.distance)
    .slice(0, triedTypes);
  const nearest = candidates.filter(({ distance }) => distance === candidates[0]?.distance);
  if (nearest.length <= 1) return nearest[0]?.type;
  const problems = nearest.map(({ type }) => {
    const trial: Walker = { asked: walker.asked, scalars: walker.scalars, types: walker.types, findings: [] };
    walkObject(trial, type, selectionSets, value, rootSpot);
    return { type, count: trial.findings.length };
  });
  return problems.toSorted((left, right) => left.count - right.count)[0]?.type;
}

function innerSpot(spot: Spot, key: string, name: string, field: GraphQLField<unknown, unknown> | undefined): Spot {
  return {
    pointer: `${spot.pointer}/${escapeSegment(key)}`,
    path: `${spot.path}/${name}`,
    position: `${spot.position}/${name}`,
    field: field ?? spot.field,
    depth: spot.depth,
  };
}

function note(walker: Walker, rule: Rule, spot: Spot, clause: string, value: unknown): void {
  const { pointer, path, position, field } = spot;
  walker.findings.push({
    rule,
    message: `${path === "" ? "data" : path} ${clause}`,
    detail: value === undefined ? position : `${position}: ${showValue(value)}`,
    pointer,
    ...withPlace(placeOf(field?.astNode)),
  });
}
