import { isRecord } from "@nodewright/api-model";
import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNullableType,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { type Finding, uniqueFindings } from "../../contract/finding.ts";
import { type AskedDocument, collectFields, selectionSetsOf } from "./collect-fields.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { AnsweredError, GraphqlResponse } from "./read-response.ts";
import { fieldOf, rootTypeOf } from "./walk-answer.ts";

/** A field that an error is of. */
export interface FailedField {
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
  /** The field that failed, as `Type.field`, and whether it takes arguments; undefined where it can't be told. */
  readonly failed?: FailedField;
  /** Steps until the first null; undefined when there is none. 0: data itself. */
  readonly nullAfter: number | undefined;
  /** Steps until the place that has to be null by the types; undefined where they can't be told. */
  readonly naturalAfter: number | undefined;
  /** The path by fields, as keys may be aliases that nobody but the request knows: `/ships/0/name`. */
  readonly words: string;
  /** False: a step names what was not selected, or a position of what is no list. */
  readonly isKnown: boolean;
}

/** Holds the errors of a response against its data: where they say that a field failed, it is null, and no more than it has to be. */
export function walkErrors(asked: AskedDocument, response: GraphqlResponse): readonly Finding[] {
  if (!response.hasData) return [];
  const followed = response.errors.map((error) => ({ error, way: followPath(asked, error, response.data) }));
  const findings: Finding[] = [];
  const natural = new Set<string>();
  for (const { error, way } of followed) {
    if (way?.naturalAfter !== undefined) natural.add(prefixOf(error, way.naturalAfter));
  }
  const areAllPlaced = followed.every(({ way }) => way?.naturalAfter !== undefined);
  for (const { error, way } of followed) {
    if (way === undefined) {
      if (isRecord(response.data)) findings.push(noPath(error));
      continue;
    }
    const detail = `${way.words}: ${error.message}`;
    if (!way.isKnown) {
      findings.push({ rule: graphqlRules.errorPath, message: "An error's path names what was not selected", detail });
    } else if (way.nullAfter === undefined) {
      findings.push({
        rule: graphqlRules.errorPath,
        message: "An error's path leads to a value that is not null",
        detail,
      });
    } else if (areAllPlaced && isTooHigh(error, way, natural)) {
      findings.push({
        rule: graphqlRules.propagation,
        message: "An error made more null than the nearest that can be",
        detail,
      });
    }
    if (way.isKnown && !error.isLocated) {
      findings.push({ rule: graphqlRules.errorLocations, message: "An error of a field has no locations", detail });
    }
  }
  return uniqueFindings(findings);
}

function noPath(error: AnsweredError): Finding {
  return { rule: graphqlRules.errorWithoutPath, message: "An error beside data has no path", detail: error.message };
}

function isTooHigh(error: AnsweredError, way: FollowedPath, natural: ReadonlySet<string>): boolean {
  const { nullAfter, naturalAfter } = way;
  if (nullAfter === undefined || naturalAfter === undefined || nullAfter >= naturalAfter) return false;
  return !natural.has(prefixOf(error, nullAfter));
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
  let types: readonly GraphQLObjectType[] = [root];
  let selectionSets = [asked.operation.selectionSet];
  let nodes: readonly FieldNode[] = [];
  let type: GraphQLOutputType | undefined;
  let failed: FailedField | undefined;
  let words = "";
  for (const [index, step] of path.entries()) {
    if (typeof step === "string") {
      const found = stepInto(asked, types, selectionSets, step, value);
      if (found === undefined) return { nullAfter, naturalAfter: undefined, words: `${words}/${step}`, isKnown: false };
      ({ type, nodes } = found);
      words += `/${nodes[0]?.name.value ?? step}`;
      failed = { name: found.name, takesArguments: found.takesArguments, depth: path.length };
      value = isRecord(value) ? value[step] : undefined;
    } else {
      const list: GraphQLOutputType | undefined = type === undefined ? undefined : getNullableType(type);
      words += `/${step}`;
      if (list === undefined || !isListType(list)) return { nullAfter, naturalAfter: undefined, words, isKnown: false };
      type = list.ofType;
      value = Array.isArray(value) ? value[step] : undefined;
    }
    if (nullAfter === undefined && value === null) nullAfter = index + 1;
    if (!isNonNullType(type)) naturalAfter = index + 1;
    types = typesOf(asked, type);
    selectionSets = [...selectionSetsOf(nodes)];
    // A position that the list does not have.
    if (nullAfter === undefined && value === undefined)
      return { nullAfter, naturalAfter: undefined, words, isKnown: true };
  }
  return { nullAfter, naturalAfter, words, isKnown: true, ...(failed === undefined ? {} : { failed }) };
}

interface SteppedField {
  readonly type: GraphQLOutputType;
  readonly nodes: readonly FieldNode[];
  readonly name: string;
  readonly takesArguments: boolean;
}

function stepInto(
  asked: AskedDocument,
  types: readonly GraphQLObjectType[],
  selectionSets: readonly (typeof asked.operation.selectionSet)[],
  key: string,
  parent: unknown,
): SteppedField | undefined {
  const named = isRecord(parent) ? types.filter(({ name }) => name === parent["__typename"]) : [];
  for (const type of named.length > 0 ? named : types) {
    const nodes = collectFields(asked, type, selectionSets).get(key);
    const field = nodes?.[0] === undefined ? undefined : fieldOf(asked, type, nodes[0].name.value);
    if (nodes !== undefined && field !== undefined) {
      return { type: field.type, nodes, name: `${type.name}.${field.name}`, takesArguments: field.args.length > 0 };
    }
  }
  return undefined;
}

function typesOf({ schema }: AskedDocument, type: GraphQLOutputType): readonly GraphQLObjectType[] {
  let named: unknown = type;
  while (isNonNullType(named) || isListType(named)) named = named.ofType;
  if (isObjectType(named)) return [named];
  return isAbstractType(named) ? schema.getPossibleTypes(named) : [];
}
