import { isRecord } from "@nodewright/api-model";
import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { type Finding, uniqueFindings } from "../../contract/finding.ts";
import type { Rule } from "../../contract/rule.ts";
import { type AskedDocument, fieldOf, fieldsBelow, rootTypeOf } from "./collect-fields.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { AnsweredError, GraphqlResponse } from "./read-response.ts";

/** A field that an error is of. */
export interface FailedField {
  /** As `Type.field`. */
  readonly name: string;
  readonly takesArguments: boolean;
  /** Steps from the root to it; positions in lists count. */
  readonly depth: number;
}

/** The fields that the errors of a response are of. */
export function failedFields(asked: AskedDocument, response: GraphqlResponse): readonly FailedField[] {
  return response.errors.flatMap((error) => followPath(asked, error, response.data)?.failed ?? []);
}

/** Where an error's path leads. */
interface FollowedPath {
  /** The field that failed; undefined where it can't be told. */
  readonly failed?: FailedField | undefined;
  /** Steps until the first null; undefined when there is none. 0: data itself. */
  readonly nullAfter: number | undefined;
  /** Steps until the place that has to be null by the types; undefined where they can't be told. */
  readonly naturalAfter?: number;
  /** The path by fields, as keys may be aliases that nobody but the request knows: `/ships/0/name`. */
  readonly words: string;
  /** False: a step names what was not selected, or a position of what is no list. */
  readonly isKnown: boolean;
}

/** Checks the errors of a response against its data: where they say that a field failed, it is null, and no more than it has to be. */
export function walkErrors(asked: AskedDocument, response: GraphqlResponse): readonly Finding[] {
  if (!response.hasData) return [];
  const followed = response.errors.map((error) => ({ error, way: followPath(asked, error, response.data) }));
  const natural = new Set(
    followed.flatMap(({ error, way }) => (way?.naturalAfter === undefined ? [] : [prefixOf(error, way.naturalAfter)])),
  );
  const areAllPlaced = followed.every(({ way }) => way?.naturalAfter !== undefined);
  const findings = followed.flatMap(({ error, way }): readonly Finding[] => {
    if (way === undefined) {
      const message = "An error beside data has no path";
      return isRecord(response.data) ? [{ rule: graphqlRules.errorWithoutPath, message, detail: error.message }] : [];
    }
    const { isKnown, nullAfter, naturalAfter = 0 } = way;
    const finding = (rule: Rule, message: string): Finding => ({
      rule,
      message,
      detail: `${way.words}: ${error.message}`,
    });
    if (!isKnown) return [finding(graphqlRules.errorPath, "An error's path names what was not selected")];
    const isTooHigh = nullAfter !== undefined && nullAfter < naturalAfter && !natural.has(prefixOf(error, nullAfter));
    return [
      ...(nullAfter === undefined
        ? [finding(graphqlRules.errorPath, "An error's path leads to a value that is not null")]
        : []),
      ...(areAllPlaced && isTooHigh
        ? [finding(graphqlRules.propagation, "An error made more null than the nearest that can be")]
        : []),
      ...(error.isLocated ? [] : [finding(graphqlRules.errorLocations, "An error of a field has no locations")]),
    ];
  });
  return uniqueFindings(findings);
}

function prefixOf(error: AnsweredError, length: number): string {
  return JSON.stringify((error.path ?? []).slice(0, length));
}

function followPath(asked: AskedDocument, { path }: AnsweredError, data: unknown): FollowedPath | undefined {
  const root = rootTypeOf(asked);
  if (path === undefined || path.length === 0 || root === undefined) return undefined;
  let value = data;
  let nullAfter = data === null ? 0 : undefined;
  let naturalAfter = 0;
  let type: GraphQLOutputType = root;
  let nodes: readonly FieldNode[] | undefined;
  let failed: FailedField | undefined;
  let words = "";
  for (const [index, step] of path.entries()) {
    if (typeof step === "string") {
      const found = stepInto(asked, type, nodes, step, value);
      if (found === undefined) return { nullAfter, words: `${words}/${step}`, isKnown: false };
      ({ type, nodes } = found);
      words += `/${nodes[0]?.name.value ?? step}`;
      failed = { ...found, depth: path.length };
      value = isRecord(value) ? value[step] : undefined;
    } else {
      const list: GraphQLOutputType = getNullableType(type);
      words += `/${step}`;
      if (!isListType(list)) return { nullAfter, words, isKnown: false };
      type = list.ofType;
      value = Array.isArray(value) ? value[step] : undefined;
    }
    if (nullAfter === undefined && value === null) nullAfter = index + 1;
    if (!isNonNullType(type)) naturalAfter = index + 1;
    // A position that the list does not have.
    if (nullAfter === undefined && value === undefined) return { nullAfter, words, isKnown: true };
  }
  return { nullAfter, naturalAfter, words, isKnown: true, failed };
}

interface SteppedField {
  readonly type: GraphQLOutputType;
  readonly nodes: readonly FieldNode[];
  readonly name: string;
  readonly takesArguments: boolean;
}

function stepInto(
  asked: AskedDocument,
  parentType: GraphQLOutputType,
  below: readonly FieldNode[] | undefined,
  key: string,
  parent: unknown,
): SteppedField | undefined {
  const types = isListType(getNullableType(parentType)) ? [] : possibleTypes(asked, parentType);
  const named = isRecord(parent) ? types.filter(({ name }) => name === parent["__typename"]) : [];
  for (const type of named.length > 0 ? named : types) {
    const nodes = fieldsBelow(asked, type, below).get(key);
    const field = nodes?.[0] === undefined ? undefined : fieldOf(asked, type, nodes[0].name.value);
    if (nodes !== undefined && field !== undefined)
      return { type: field.type, nodes, name: `${type.name}.${field.name}`, takesArguments: field.args.length > 0 };
  }
  return undefined;
}

function possibleTypes({ schema }: AskedDocument, type: GraphQLOutputType): readonly GraphQLObjectType[] {
  const named = getNamedType(type);
  if (isObjectType(named)) return [named];
  return isAbstractType(named) ? schema.getPossibleTypes(named) : [];
}
