import { isRecord } from "@nodewright/api-model";
import {
  type FieldNode,
  type GraphQLOutputType,
  getNullableType,
  isCompositeType,
  isListType,
  isNonNullType,
} from "graphql";
import { type Finding, finding, uniqueFindings } from "../../../contract/finding.ts";
import type { Rule } from "../../../contract/rule.ts";
import { graphqlRules } from "../contract/graphql-rules.ts";
import { findingAt } from "../contract/place-of.ts";
import type { Field } from "../schema/field-names.ts";
import type { ResponseError, GraphqlResponse } from "../response/read-response.ts";
import {
  type RequestedDocument,
  runtimeTypesOf,
  type SelectedField,
  selectedFields,
} from "../response/selected-fields.ts";

/** Returns the field that an error of a response belongs to; `undefined` when its path does not lead to a field. */
export function failedField(
  requested: RequestedDocument,
  error: ResponseError,
  data: unknown,
): SelectedField | undefined {
  return followPath(requested, error, data)?.failed;
}

/** Returns a finding when a response with data has an error without a path: it must belong to a field. */
export function pathlessErrors({ name, astNode }: Field, { data, errors }: GraphqlResponse): readonly Finding[] {
  if (!isRecord(data) || errors.every(({ path }) => path !== undefined)) return [];
  const message = `${name}: The error of a field that failed has no path`;
  return [findingAt(astNode, graphqlRules.failedFieldPath, message)];
}

/** Destination of an error's path. */
interface FollowedPath {
  readonly failed?: SelectedField | undefined;
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
  let type: GraphQLOutputType | undefined = requested.root;
  let failed: SelectedField | undefined;
  let words = "";
  for (const step of path) {
    at += `/${step}`;
    const outer: GraphQLOutputType = getNullableType(type);
    if (typeof step === "string") {
      const found: SelectedField | undefined = selectedUnder(requested, outer, failed?.nodes, step, value);
      words += `/${found?.field.name ?? step}`;
      type = found?.field.type;
      failed = found;
      value = isRecord(value) ? value[step] : undefined;
    } else {
      words += `/${step}`;
      type = isListType(outer) ? outer.ofType : undefined;
      value = Array.isArray(value) ? value[step] : undefined;
    }
    if (type === undefined) return { nullAt, words, isKnown: false };
    if (nullAt === undefined && value === null) nullAt = at;
    if (!isNonNullType(type)) naturalAt = at;
    // The list does not have this position.
    if (nullAt === undefined && value === undefined) return { nullAt, words, isKnown: true };
  }
  return { nullAt, naturalAt, words, isKnown: true, failed };
}

/** Returns the field that is selected under a key of an object, of one of the types that it can have. */
function selectedUnder(
  requested: RequestedDocument,
  type: GraphQLOutputType,
  below: readonly FieldNode[] | undefined,
  key: string,
  object: unknown,
): SelectedField | undefined {
  if (!isCompositeType(type)) return undefined;
  const types = runtimeTypesOf(requested, type, object);
  return types.map((one) => selectedFields(requested, one, below).get(key)).find((one) => one !== undefined);
}
