import { escapeSegment, isRecord } from "@nodewright/api-model";
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
  isSpecifiedScalarType,
} from "graphql";
import { showValue } from "../../compare/show-value.ts";
import { formlessTexts } from "../../compare/text-formats.ts";
import { type Finding, uniqueFindings } from "../../contract/finding.ts";
import type { Rule } from "../../contract/rule.ts";
import type { SuiteType, SuiteTypes } from "../../suite/suite-type.ts";
import { withPlace } from "../../suite/with-place.ts";
import { violationsOf } from "../../types/violations.ts";
import { type AskedDocument, fieldOf, fieldsBelow, rootTypeOf } from "./collect-fields.ts";
import { graphqlRules } from "./graphql-rules.ts";
import { scalarTypeOf, withInt32 } from "./input-type.ts";
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

/** What a response is walked with. */
export interface AnswerWalk {
  readonly asked: AskedDocument;
  /** Custom scalar → what its values are in JSON. */
  readonly scalars: Readonly<Record<string, SuiteType>>;
  readonly types: SuiteTypes;
  /** Hears of each field, an object's fields before those of the next. */
  readonly onField?: (met: MetField) => void;
}

/** Findings of one response that are reported. */
const mostFindings = 15;

interface Walker extends AnswerWalk {
  readonly findings: Finding[];
}

/** A step from a value to one within it: by a key, with the name of its field, or by a position. */
type Step = number | { readonly key: string; readonly name: string };

/** Where the walk is. */
interface Spot {
  readonly steps: readonly Step[];
  readonly field: GraphQLField<unknown, unknown> | undefined;
  readonly depth: number;
}

/** Checks the data of a response against the schema: exactly what was selected, each of its type. */
export function walkAnswer(walk: AnswerWalk, data: unknown): readonly Finding[] {
  const root = rootTypeOf(walk.asked);
  if (root === undefined || !isRecord(data)) return [];
  const walker: Walker = { ...walk, findings: [] };
  walkObject(walker, root, undefined, data, { steps: [], field: undefined, depth: 0 });
  return uniqueFindings(walker.findings).slice(0, mostFindings);
}

function walkObject(
  walker: Walker,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[] | undefined,
  value: Readonly<Record<string, unknown>>,
  spot: Spot,
): void {
  const selected = fieldsBelow(walker.asked, type, nodes);
  for (const [key, [node, ...others]] of selected) {
    if (node === undefined) continue;
    const name = node.name.value;
    const field = fieldOf(walker.asked, type, name);
    const inner = { ...spot, steps: [...spot.steps, { key, name }], field: field ?? spot.field };
    if (!Object.hasOwn(value, key)) {
      note(walker, graphqlRules.keys, inner, "is missing, although it was selected");
    } else if (field !== undefined) {
      walker.onField?.({ parentType: type, parent: value, field, node, key, value: value[key], depth: spot.depth });
      walkValue(walker, field.type, [node, ...others], value[key], inner);
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
    note(walker, graphqlRules.order, spot, "has its keys in another order than they were selected in");
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
  } else if (isListType(type)) {
    if (!Array.isArray(value)) note(walker, graphqlRules.list, spot, "is no list", value);
    else
      for (const [index, element] of value.entries())
        walkValue(walker, type.ofType, nodes, element, { ...spot, steps: [...spot.steps, index] });
  } else if (Array.isArray(value) && !isCustomScalar(type)) {
    note(walker, graphqlRules.list, spot, "is a list, and should not be", value);
  } else if (isLeafType(type)) {
    walkLeaf(walker, type, value, spot);
  } else if (isRecord(value)) {
    const runtimeType = runtimeTypeOf(walker, type, nodes, value, spot);
    if (runtimeType !== undefined) walkObject(walker, runtimeType, nodes, value, { ...spot, depth: spot.depth + 1 });
  } else {
    note(walker, graphqlRules.object, spot, "is no object", value);
  }
}

function isCustomScalar(type: GraphQLNamedType): boolean {
  return isLeafType(type) && !isEnumType(type) && !isSpecifiedScalarType(type);
}

function walkLeaf({ scalars, types, ...walker }: Walker, type: GraphQLLeafType, value: unknown, spot: Spot): void {
  const { name } = type;
  if (!isCustomScalar(type)) {
    const own: SuiteType = isEnumType(type)
      ? { kind: "enumeration", values: type.getValues().map((one) => one.name) }
      : withInt32(scalarTypeOf(name));
    if (violationsOf(own, value, types, "answer").length === 0) return;
    note(walker, graphqlRules.leaf, spot, `is no ${isEnumType(type) ? "value of the enum " : ""}${name}`, value);
    return;
  }
  const scalar = scalars[name];
  if (scalar === undefined) return;
  const [violation] = violationsOf(scalar, value, types, "answer");
  const [formless] = violation === undefined ? formlessTexts(scalar, value, types) : [];
  if (formless?.isSure === true) note(walker, graphqlRules.scalar, spot, `is no ${formless.format} (${name})`, value);
  if (violation === undefined) return;
  const part = violation.pointer === "" ? "" : "has a part that ";
  note(walker, graphqlRules.scalar, spot, `${part}${violation.message} (${name})`, value);
}

/** The type of an object: what it says itself, or else what its keys match best. */
function runtimeTypeOf(
  walker: Walker,
  type: GraphQLNamedType,
  nodes: readonly FieldNode[],
  value: Readonly<Record<string, unknown>>,
  spot: Spot,
): GraphQLObjectType | undefined {
  if (isObjectType(type)) return type;
  if (!isAbstractType(type)) return undefined;
  const possible = walker.asked.schema.getPossibleTypes(type);
  // Only where it is selected whatever the type is.
  const typename = nodes
    .flatMap(({ selectionSet }) => selectionSet?.selections ?? [])
    .find((one) => one.kind === "Field" && one.name.value === "__typename");
  const key = typename?.kind === "Field" ? (typename.alias?.value ?? typename.name.value) : undefined;
  if (key !== undefined && Object.hasOwn(value, key)) {
    const found = possible.find((one) => one.name === value[key]);
    const inner = { ...spot, steps: [...spot.steps, { key, name: "__typename" }] };
    if (found === undefined)
      note(walker, graphqlRules.typename, inner, `names no possible type of ${type.name}`, value[key]);
    return found;
  }
  const distanceOf = (one: GraphQLObjectType): number => {
    const keys = [...fieldsBelow(walker.asked, one, nodes).keys()];
    const missing = keys.filter((name) => !Object.hasOwn(value, name));
    return missing.length + Object.keys(value).filter((name) => !keys.includes(name)).length;
  };
  return possible
    .map((one) => ({ one, distance: distanceOf(one) }))
    .toSorted((left, right) => left.distance - right.distance)[0]?.one;
}

/**
 * Adds a finding. Its pointer leads through the response by keys, with `*` for positions; message and detail name fields instead, as keys
 * may be aliases that nobody but the request knows.
 */
function note(
  { findings }: Pick<Walker, "findings">,
  rule: Rule,
  { steps, field }: Spot,
  clause: string,
  value?: unknown,
): void {
  const write = (of: (step: Step) => string): string => steps.map((step) => `/${of(step)}`).join("");
  const path = write((step) => (typeof step === "number" ? "*" : step.name));
  const position = write((step) => (typeof step === "number" ? String(step) : step.name));
  findings.push({
    rule,
    message: `${path === "" ? "data" : path} ${clause}`,
    detail: value === undefined ? position : `${position}: ${showValue(value)}`,
    pointer: write((step) => (typeof step === "number" ? "*" : escapeSegment(step.key))),
    ...withPlace(placeOf(field?.astNode)),
  });
}
