import { isRecord } from "@nodewright/api-model";
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { type Finding, finding, uniqueFindings } from "../../contract/finding.ts";
import type { Rule } from "../../contract/rule.ts";
import { type RequestedDocument, fieldOf, fieldsBelow } from "./collect-fields.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { ResponseError, GraphqlResponse } from "./read-response.ts";

/** The field that an error belongs to. */
interface FailedField {
  readonly parentType: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
  readonly nodes: readonly FieldNode[];
}

/** Returns the field that an error of a response belongs to; `undefined` when its path does not lead to a field. */
export function failedField(
  requested: RequestedDocument,
  error: ResponseError,
  data: unknown,
): FailedField | undefined {
  return followPath(requested, error, data)?.failed;
}

/** Destination of an error's path. */
interface FollowedPath {
  readonly failed?: FailedField | undefined;
  /** The part of the path up to the first null, by keys and positions; `undefined` without a null, empty for data itself. */
  readonly nullAt: string | undefined;
  /** The part of the path up to the place that must be null according to the types; `undefined` when these are unknown. */
  readonly naturalAt?: string;
  /** The path by fields, since keys may be aliases of this request only: `/ships/0/name`. */
  readonly words: string;
  /** Whether each step names a selected field, or a position of a list. */
  readonly isKnown: boolean;
}

/** Checks the errors of a response against its data: a failed field is null, and no more than necessary is null. */
export function walkErrors(requested: RequestedDocument, response: GraphqlResponse): readonly Finding[] {
  if (!response.hasData) return [];
  const followed = response.errors.map((error) => ({ error, way: followPath(requested, error, response.data) }));
  const natural = new Set(followed.map(({ way }) => way?.naturalAt));
  const areAllPlaced = !natural.has(undefined);
  const findings: Finding[] = [];
  for (const { error, way } of followed) {
    const note = (rule: Rule, message: string): void => {
      findings.push(finding(rule, message, way === undefined ? error.message : `${way.words}: ${error.message}`));
    };
    if (way === undefined) {
      if (isRecord(response.data)) note(graphqlRules.errorWithoutPath, "An error next to data has no path");
      continue;
    }
    const { isKnown, nullAt, naturalAt = "" } = way;
    const isTooHigh = nullAt !== undefined && nullAt.length < naturalAt.length && !natural.has(nullAt);
    if (!isKnown) note(graphqlRules.errorPath, "An error's path names what was not selected");
    else if (nullAt === undefined) note(graphqlRules.errorPath, "An error's path leads to a value that is not null");
    if (areAllPlaced && isTooHigh)
      note(graphqlRules.propagation, "An error made more null than the nearest that can be");
    if (isKnown && !error.isLocated) note(graphqlRules.errorLocations, "An error of a field has no locations");
  }
  return uniqueFindings(findings);
}

function followPath(requested: RequestedDocument, { path }: ResponseError, data: unknown): FollowedPath | undefined {
  if (path === undefined || path.length === 0) return undefined;
  let value = data;
  let at = "";
  let nullAt = data === null ? at : undefined;
  let naturalAt = at;
  let type: GraphQLOutputType = requested.root;
  let failed: FailedField | undefined;
  let words = "";
  for (const step of path) {
    at += `/${step}`;
    const list: GraphQLOutputType = getNullableType(type);
    if (typeof step === "string") {
      const found: FailedField | undefined = isListType(list)
        ? undefined
        : fieldUnder(requested, type, failed?.nodes, step, value);
      if (found === undefined) return { nullAt, words: `${words}/${step}`, isKnown: false };
      failed = found;
      type = found.field.type;
      words += `/${found.field.name}`;
      value = isRecord(value) ? value[step] : undefined;
    } else {
      words += `/${step}`;
      if (!isListType(list)) return { nullAt, words, isKnown: false };
      type = list.ofType;
      value = Array.isArray(value) ? value[step] : undefined;
    }
    if (nullAt === undefined && value === null) nullAt = at;
    if (!isNonNullType(type)) naturalAt = at;
    // The list does not have this position.
    if (nullAt === undefined && value === undefined) return { nullAt, words, isKnown: true };
  }
  return { nullAt, naturalAt, words, isKnown: true, failed };
}

/** Returns the field that is selected under a key of an object, whose type is in its `__typename`, or may be any possible type. */
function fieldUnder(
  requested: RequestedDocument,
  type: GraphQLOutputType,
  below: readonly FieldNode[] | undefined,
  key: string,
  object: unknown,
): FailedField | undefined {
  const named = getNamedType(type);
  const types = isAbstractType(named) ? requested.schema.getPossibleTypes(named) : isObjectType(named) ? [named] : [];
  const own = isRecord(object) ? types.filter(({ name }) => name === object["__typename"]) : [];
  for (const parentType of own.length > 0 ? own : types) {
    const nodes = fieldsBelow(requested, parentType, below).get(key) ?? [];
    const field = fieldOf(requested, parentType, nodes[0]?.name.value ?? "");
    if (field !== undefined) return { parentType, field, nodes };
  }
  return undefined;
}
