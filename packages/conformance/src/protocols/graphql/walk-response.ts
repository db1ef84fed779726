import { escapeSegment, isRecord } from "@nodewright/api-model";
import {
  type FieldNode,
  type GraphQLAbstractType,
  type GraphQLField,
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
} from "graphql";
import { showValue } from "../../compare/show-value.ts";
import { formlessTexts } from "../../compare/text-formats.ts";
import { type Finding, finding, uniqueFindings } from "../../contract/finding.ts";
import type { Rule } from "../../contract/rule.ts";
import type { GraphqlSuite } from "../../suite/suite.ts";
import { violationsOf } from "@nodewright/api-values";
import { type RequestedDocument, fieldOf, fieldsBelow } from "./collect-fields.ts";
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
  /** Number of objects between the root and `parent`. */
  readonly depth: number;
}

/** Result of walking the data of a response. */
interface WalkedResponse {
  /** Fields, all of an object before those of the next. */
  readonly met: readonly MetField[];
  readonly findings: readonly Finding[];
}

/** Maximum number of reported findings for one response. */
const mostFindings = 15;

interface Walker {
  readonly requested: RequestedDocument;
  readonly suite: GraphqlSuite;
  readonly met: MetField[];
  readonly findings: Finding[];
}

/** Member of an object, or position in a list. Keys may be aliases of this request only. */
type Step = number | { readonly key: string; readonly name: string; readonly field: MetField["field"] | undefined };

/** Path to a place in the data, from the root. */
type Spot = readonly Step[];

/** Validates the data of a response against the schema: exactly the selected fields, each of its type. */
export function walkResponse(requested: RequestedDocument, suite: GraphqlSuite, data: unknown): WalkedResponse {
  const walker: Walker = { requested, suite, met: [], findings: [] };
  if (isRecord(data)) walkObject(walker, requested.root, undefined, data, []);
  return { met: walker.met, findings: uniqueFindings(walker.findings).slice(0, mostFindings) };
}

function walkObject(
  walker: Walker,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[] | undefined,
  value: Readonly<Record<string, unknown>>,
  spot: Spot,
): void {
  const selected = fieldsBelow(walker.requested, type, nodes);
  const depth = spot.filter((step) => typeof step !== "number").length;
  for (const [key, own] of selected) {
    const [node] = own;
    if (node === undefined) continue;
    const name = node.name.value;
    const field = fieldOf(walker.requested, type, name);
    const inner = [...spot, { key, name, field }];
    if (!Object.hasOwn(value, key)) {
      note(walker, inner, [graphqlRules.keys, "is missing, although it was selected"]);
    } else if (field !== undefined) {
      walker.met.push({ parentType: type, parent: value, field, node, key, value: value[key], depth });
      walkValue(walker, field.type, own, value[key], inner);
    } else if (name === "__typename" && value[key] !== type.name) {
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
      finding(graphqlRules.order, "The keys of an object are in another order than selected", textOf(spot, "name")),
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
  value: Readonly<Record<string, unknown>>,
  spot: Spot,
): GraphQLObjectType | undefined {
  const possible = walker.requested.schema.getPossibleTypes(type);
  // Only where it is selected for all types.
  const typename = nodes
    .flatMap(({ selectionSet }) => selectionSet?.selections ?? [])
    .find((one): one is FieldNode => one.kind === Kind.FIELD && one.name.value === "__typename");
  const key = typename?.alias?.value ?? "__typename";
  if (typename !== undefined && Object.hasOwn(value, key)) {
    const found = possible.find((one) => one.name === value[key]);
    const inner = [...spot, { key, name: "__typename", field: undefined }];
    const problem: ValueProblem = [graphqlRules.typename, `names no possible type of ${type.name}`];
    if (found === undefined) note(walker, inner, problem, value[key]);
    return found;
  }
  const distanceOf = (one: GraphQLObjectType): number => {
    const keys = fieldsBelow(walker.requested, one, nodes);
    const missing = [...keys.keys()].filter((name) => !Object.hasOwn(value, name));
    return missing.length + Object.keys(value).filter((name) => !keys.has(name)).length;
  };
  const distances = new Map(possible.map((one) => [one, distanceOf(one)]));
  return possible.toSorted((left, right) => (distances.get(left) ?? 0) - (distances.get(right) ?? 0))[0];
}

/** Returns a place as a path of names or keys, with positions or `*` in place of them. */
function textOf(spot: Spot, by: "key" | "name", index?: "*"): string {
  return spot.map((step) => `/${typeof step === "number" ? (index ?? step) : escapeSegment(step[by])}`).join("");
}

/** Adds a finding at a place. */
function note({ findings }: Walker, spot: Spot, [rule, clause]: ValueProblem, value?: unknown): void {
  const [path, position] = [textOf(spot, "name", "*"), textOf(spot, "name")];
  const detail = value === undefined ? position : `${position}: ${showValue(value)}`;
  const fields = spot.flatMap((step) => (typeof step === "number" ? [] : (step.field ?? [])));
  const place = placeOf(fields.at(-1)?.astNode);
  findings.push(
    finding(rule, `${path === "" ? "data" : path} ${clause}`, detail, { pointer: textOf(spot, "key", "*"), place }),
  );
}
