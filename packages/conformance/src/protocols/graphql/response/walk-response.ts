import { isRecord } from "@nodewright/api-model";
import { violationsOf } from "@nodewright/api-values";
import {
  type FieldNode,
  type GraphQLAbstractType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  TypeNameMetaFieldDef,
  valueFromASTUntyped,
} from "graphql";
import { showValue } from "../../../compare/show-value.ts";
import { formlessTexts } from "../../../compare/text-formats.ts";
import { type Finding, finding, uniqueFindings } from "../../../contract/finding.ts";
import type { Rule } from "../../../contract/rule.ts";
import type { Input } from "../../../properties/operation.ts";
import type { GraphqlSuite } from "../../../suite/suite.ts";
import { graphqlRules } from "../contract/graphql-rules.ts";
import { placeOf } from "../contract/place-of.ts";
import { inputTypeOf, withInt32 } from "../schema/field-types.ts";
import { type RequestedDocument, type Members, type SelectedField, selectedFields } from "./selected-fields.ts";

/** A field of a response, as it was reached. */
export interface MetField extends SelectedField {
  readonly parent: Members;
  readonly value: unknown;
  /** Number of objects between the root and `parent`. */
  readonly depth: number;
}

/** Returns the arguments of a field, with null for variables that are not in `variables`. */
export function inputAt({ nodes: [node] }: MetField, variables: RequestedDocument["variables"]): Input {
  const given = (node.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)]);
  return Object.fromEntries(given.map(([name, value]) => [name, value ?? null]));
}

/** Maximum number of reported findings for one response. */
const mostFindings = 15;

interface Walker {
  readonly requested: RequestedDocument;
  readonly suite: GraphqlSuite;
  /** Fields, in the order of the document. */
  readonly met: MetField[];
  readonly findings: Finding[];
}

/** Path to a place in the data: fields, and positions in lists. */
type Spot = readonly (number | Pick<SelectedField, "key" | "field">)[];

/** Validates the data of a response against the schema: exactly the selected fields, each of its type. */
export function walkResponse(
  requested: RequestedDocument,
  suite: GraphqlSuite,
  data: unknown,
): Pick<Walker, "met" | "findings"> {
  const walker: Walker = { requested, suite, met: [], findings: [] };
  if (isRecord(data)) walkObject(walker, requested.root, undefined, data, []);
  return { met: walker.met, findings: uniqueFindings(walker.findings).slice(0, mostFindings) };
}

function walkObject(
  walker: Walker,
  type: GraphQLObjectType,
  below: readonly FieldNode[] | undefined,
  value: Members,
  spot: Spot,
): void {
  const selected = selectedFields(walker.requested, type, below);
  const depth = spot.filter((step) => typeof step !== "number").length;
  for (const [key, one] of selected) {
    const { field, nodes } = one;
    const inner = [...spot, one];
    if (!Object.hasOwn(value, key)) {
      note(walker, inner, [graphqlRules.keys, "is missing, although it was selected"]);
    } else if (field !== TypeNameMetaFieldDef) {
      walker.met.push({ ...one, parent: value, value: value[key], depth });
      walkValue(walker, field.type, nodes, value[key], inner);
    } else if (value[key] !== type.name) {
      note(walker, inner, [graphqlRules.typename, `is not ${type.name}`], value[key]);
    }
  }
  // Names from the server are not part of the message, which must stay the same.
  const given = Object.keys(value);
  for (const key of given)
    if (!selected.has(key)) note(walker, spot, [graphqlRules.keys, "has a key that was not selected"], key);
  const present = [...selected.keys()].filter((key) => Object.hasOwn(value, key));
  if (given.filter((key) => selected.has(key)).some((key, index) => key !== present[index]))
    // Reported once for all objects of a target, since it has one cause.
    walker.findings.push(
      finding(graphqlRules.order, "The keys of an object are in another order than selected", textOf(spot)),
    );
}

function walkValue(
  walker: Walker,
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
  value: unknown,
  spot: Spot,
): void {
  const problem = problemOf(walker.suite, type, value);
  const nullable: GraphQLOutputType = getNullableType(type);
  if (problem !== undefined) {
    note(walker, spot, problem, value ?? undefined);
  } else if (isListType(nullable) && Array.isArray(value)) {
    for (const [index, element] of value.entries())
      walkValue(walker, nullable.ofType, nodes, element, [...spot, index]);
  } else if (isCompositeType(nullable) && isRecord(value)) {
    const runtimeType = isObjectType(nullable) ? nullable : possibleTypeOf(walker, nullable, nodes, value, spot);
    if (runtimeType !== undefined) walkObject(walker, runtimeType, nodes, value, spot);
  }
}

/** Violation by a value itself, without its members: the rule and the message. */
type ValueProblem = readonly [rule: Rule, clause: string];

function problemOf(suite: GraphqlSuite, type: GraphQLOutputType, value: unknown): ValueProblem | undefined {
  const nullable = getNullableType(type);
  if (value === null) return isNonNullType(type) ? [graphqlRules.nonNull, "is null, and can't be"] : undefined;
  const isOwn = isScalarType(nullable) && !isSpecifiedScalarType(nullable);
  if (isListType(nullable) !== Array.isArray(value) && !isOwn)
    return [graphqlRules.list, isListType(nullable) ? "is not a list" : "is a list, and should not be"];
  if (isCompositeType(nullable)) return isRecord(value) ? undefined : [graphqlRules.object, "is not an object"];
  if (!isLeafType(nullable)) return undefined;
  const { scalars, types } = suite;
  const { name } = nullable;
  const own = isOwn ? scalars[name] : withInt32(inputTypeOf(nullable));
  const [violation] = own === undefined ? [] : violationsOf(own, value, types, "response");
  if (violation === undefined) {
    const [formless] = formlessTexts(own, value, types);
    return formless?.isSure === true ? [graphqlRules.scalar, `is no ${formless.format} (${name})`] : undefined;
  }
  const part = violation.pointer === "" ? "" : "has a part that ";
  return isOwn
    ? [graphqlRules.scalar, `${part}${violation.message} (${name})`]
    : [graphqlRules.leaf, `is no ${isEnumType(nullable) ? "value of the enum " : ""}${name}`];
}

/** Returns the type of an object: from its `__typename`, else the one whose fields match its keys best. */
function possibleTypeOf(
  walker: Walker,
  type: GraphQLAbstractType,
  nodes: readonly FieldNode[],
  value: Members,
  spot: Spot,
): GraphQLObjectType | undefined {
  const possible = walker.requested.schema.getPossibleTypes(type);
  // Only where it is selected for all types.
  const typename = nodes
    .flatMap(({ selectionSet }) => selectionSet?.selections ?? [])
    .find((one): one is FieldNode => one.kind === Kind.FIELD && one.name.value === TypeNameMetaFieldDef.name);
  const key = typename?.alias?.value ?? TypeNameMetaFieldDef.name;
  if (typename !== undefined && Object.hasOwn(value, key)) {
    const found = possible.find((one) => one.name === value[key]);
    const problem: ValueProblem = [graphqlRules.typename, `names no possible type of ${type.name}`];
    if (found === undefined) note(walker, [...spot, { key, field: TypeNameMetaFieldDef }], problem, value[key]);
    return found;
  }
  // `Set.symmetricDifference` is newer than the library that users of the sources compile with.
  const given = Object.keys(value);
  const distances = possible.map((one) => {
    const keys = selectedFields(walker.requested, one, nodes);
    const common = given.filter((key) => keys.has(key)).length;
    return { one, distance: given.length + keys.size - 2 * common };
  });
  return distances.toSorted((left, right) => left.distance - right.distance)[0]?.one;
}

/** Returns a place as a path by the names of fields or by keys, which may be aliases of this request only. */
function textOf(spot: Spot, { byKeys = false, index = "" } = {}): string {
  const names = spot.map((step) => (typeof step === "number" ? index || step : byKeys ? step.key : step.field.name));
  return names.map((name) => `/${name}`).join("");
}

/** Adds a finding at a place. */
function note({ findings }: Walker, spot: Spot, [rule, clause]: ValueProblem, value?: unknown): void {
  const [path, pointer] = [textOf(spot, { index: "*" }), textOf(spot, { index: "*", byKeys: true })];
  const detail = value === undefined ? textOf(spot) : `${textOf(spot)}: ${showValue(value)}`;
  const described = spot.findLast((step) => typeof step === "object" && step.field.astNode != null);
  const place = typeof described === "object" ? placeOf(described.field.astNode) : undefined;
  findings.push(finding(rule, `${path === "" ? "data" : path} ${clause}`, detail, { pointer, place }));
}
