import { escapeSegment, isRecord } from "@nodewright/api-model";
import {
  type FieldNode,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
} from "graphql";
import { showValue } from "../../compare/show-value.ts";
import { formlessTexts } from "../../compare/text-formats.ts";
import { type Finding, finding, uniqueFindings } from "../../contract/finding.ts";
import type { Rule } from "../../contract/rule.ts";
import type { GraphqlSuite } from "../../suite/suite.ts";
import { violationsOf } from "@nodewright/api-values";
import { type AskedDocument, fieldOf, fieldsBelow } from "./collect-fields.ts";
import { inputTypeOf, withInt32 } from "./field-types.ts";
import { graphqlRules } from "./graphql-rules.ts";
import { placeOf } from "./place-of.ts";

/** A field of a response, as it was reached. */
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

/** The data of a response as it was walked. */
interface WalkedAnswer {
  /** An object's fields before those of the next. */
  readonly met: readonly MetField[];
  readonly findings: readonly Finding[];
}

/** Findings of one response that are reported. */
const mostFindings = 15;

interface Walker {
  readonly asked: AskedDocument;
  readonly suite: GraphqlSuite;
  readonly met: MetField[];
  readonly findings: Finding[];
}

/** A place in the data. */
interface Spot {
  /** By names of fields, with `*` for positions. Keys may be aliases that nobody but the request knows. */
  readonly path: string;
  /** By names of fields and positions. */
  readonly position: string;
  /** By keys, with `*` for positions. */
  readonly pointer: string;
  readonly field?: GraphQLField<unknown, unknown> | undefined;
  readonly depth: number;
}

/** Checks the data of a response against the schema: exactly what was selected, each of its type. */
export function walkAnswer(asked: AskedDocument, suite: GraphqlSuite, data: unknown): WalkedAnswer {
  const walker: Walker = { asked, suite, met: [], findings: [] };
  if (isRecord(data))
    walkObject(walker, asked.root, undefined, data, { path: "", position: "", pointer: "", depth: 0 });
  return { met: walker.met, findings: uniqueFindings(walker.findings).slice(0, mostFindings) };
}

function walkObject(
  walker: Walker,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[] | undefined,
  value: Readonly<Record<string, unknown>>,
  spot: Spot,
): void {
  const selected = fieldsBelow(walker.asked, type, nodes);
  for (const [key, own] of selected) {
    const [node] = own;
    if (node === undefined) continue;
    const name = node.name.value;
    const field = fieldOf(walker.asked, type, name);
    const inner = { ...memberSpot(spot, key, name), field: field ?? spot.field };
    if (!Object.hasOwn(value, key)) {
      note(walker, graphqlRules.keys, inner, "is missing, although it was selected");
    } else if (field !== undefined) {
      walker.met.push({ parentType: type, parent: value, field, node, key, value: value[key], depth: spot.depth });
      walkValue(walker, field.type, own, value[key], inner);
    } else if (name === "__typename" && value[key] !== type.name) {
      note(walker, graphqlRules.typename, inner, `is not ${type.name}`, value[key]);
    }
  }
  // What the server made up is no part of the message, so that it stays the same.
  const given = Object.keys(value);
  for (const key of given)
    if (!selected.has(key)) note(walker, graphqlRules.keys, spot, "has a key that was not selected", key);
  const present = [...selected.keys()].filter((key) => Object.hasOwn(value, key));
  if (given.filter((key) => selected.has(key)).some((key, index) => key !== present[index]))
    // One cause for all objects of a target.
    walker.findings.push(
      finding(graphqlRules.order, "The keys of an object are in another order than selected", spot.position),
    );
}

function memberSpot(spot: Spot, key: string, name: string): Spot {
  const { path, position, pointer } = spot;
  return {
    ...spot,
    path: `${path}/${name}`,
    position: `${position}/${name}`,
    pointer: `${pointer}/${escapeSegment(key)}`,
  };
}

function walkValue(
  walker: Walker,
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
  value: unknown,
  spot: Spot,
): void {
  if (isNonNullType(type)) {
    if (value === null) note(walker, graphqlRules.nonNull, spot, "is null, and can't be");
    else walkValue(walker, type.ofType, nodes, value, spot);
  } else if (value === null) {
    return;
  } else if (isListType(type) && Array.isArray(value)) {
    const { path, position, pointer } = spot;
    for (const [index, element] of value.entries()) {
      const inner = { ...spot, path: `${path}/*`, position: `${position}/${index}`, pointer: `${pointer}/*` };
      walkValue(walker, type.ofType, nodes, element, inner);
    }
  } else if (isListType(type)) {
    note(walker, graphqlRules.list, spot, "is no list", value);
  } else if (Array.isArray(value) && !isCustomScalar(type)) {
    note(walker, graphqlRules.list, spot, "is a list, and should not be", value);
  } else if (isLeafType(type)) {
    walkLeaf(walker, type, value, spot);
  } else if (isRecord(value)) {
    const runtimeType = isObjectType(type) ? type : possibleTypeOf(walker, type, nodes, value, spot);
    if (runtimeType !== undefined) walkObject(walker, runtimeType, nodes, value, { ...spot, depth: spot.depth + 1 });
  } else {
    note(walker, graphqlRules.object, spot, "is no object", value);
  }
}

function isCustomScalar(type: GraphQLNamedType): boolean {
  return isScalarType(type) && !isSpecifiedScalarType(type);
}

function walkLeaf(walker: Walker, type: GraphQLLeafType, value: unknown, spot: Spot): void {
  const { scalars, types } = walker.suite;
  const { name } = type;
  const isCustom = isCustomScalar(type);
  const own = isCustom ? scalars[name] : withInt32(inputTypeOf(type));
  if (own === undefined) return;
  const [violation] = violationsOf(own, value, types, "answer");
  const [formless] = violation === undefined ? formlessTexts(own, value, types) : [];
  if (formless?.isSure === true) note(walker, graphqlRules.scalar, spot, `is no ${formless.format} (${name})`, value);
  if (violation === undefined) return;
  const part = violation.pointer === "" ? "" : "has a part that ";
  if (isCustom) note(walker, graphqlRules.scalar, spot, `${part}${violation.message} (${name})`, value);
  else note(walker, graphqlRules.leaf, spot, `is no ${isEnumType(type) ? "value of the enum " : ""}${name}`, value);
}

/** Returns the type of an object: the one that it names itself, or else the one whose fields match its keys best. */
function possibleTypeOf(
  walker: Walker,
  type: GraphQLAbstractType,
  nodes: readonly FieldNode[],
  value: Readonly<Record<string, unknown>>,
  spot: Spot,
): GraphQLObjectType | undefined {
  const possible = walker.asked.schema.getPossibleTypes(type);
  // Only where it is selected whatever the type is.
  const typename = nodes
    .flatMap(({ selectionSet }) => selectionSet?.selections ?? [])
    .find((one): one is FieldNode => one.kind === Kind.FIELD && one.name.value === "__typename");
  const key = typename?.alias?.value ?? "__typename";
  if (typename !== undefined && Object.hasOwn(value, key)) {
    const found = possible.find((one) => one.name === value[key]);
    const message = `names no possible type of ${type.name}`;
    if (found === undefined)
      note(walker, graphqlRules.typename, memberSpot(spot, key, "__typename"), message, value[key]);
    return found;
  }
  const distanceOf = (one: GraphQLObjectType): number => {
    const keys = fieldsBelow(walker.asked, one, nodes);
    const missing = [...keys.keys()].filter((name) => !Object.hasOwn(value, name));
    return missing.length + Object.keys(value).filter((name) => !keys.has(name)).length;
  };
  const distances = new Map(possible.map((one) => [one, distanceOf(one)]));
  return possible.find((one) => distances.get(one) === Math.min(...distances.values()));
}

/** Adds a finding at a place. */
function note({ findings }: Walker, rule: Rule, spot: Spot, clause: string, value?: unknown): void {
  const { path, position, pointer, field } = spot;
  const detail = value === undefined ? position : `${position}: ${showValue(value)}`;
  const place = placeOf(field?.astNode);
  findings.push(finding(rule, `${path === "" ? "data" : path} ${clause}`, detail, { pointer, place }));
}
