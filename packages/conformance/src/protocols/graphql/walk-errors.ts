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
import { type AskedDocument, fieldOf, fieldsBelow, rootTypeOf } from "./collect-fields.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { AnsweredError, GraphqlResponse } from "./read-response.ts";

/** A field that an error belongs to. */
interface FailedField {
  readonly parentType: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
  readonly nodes: readonly FieldNode[];
}

/** Returns the field that an error of a response belongs to; undefined where its path leads to none. */
export function failedField(asked: AskedDocument, error: AnsweredError, data: unknown): FailedField | undefined {
  return followPath(asked, error, data)?.failed;
}

/** Where an error's path leads. */
interface FollowedPath {
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
    if (way === undefined)
      return isRecord(response.data)
        ? [finding(graphqlRules.errorWithoutPath, "An error beside data has no path", error.message)]
        : [];
    const { isKnown, nullAfter, naturalAfter = 0 } = way;
    const isTooHigh = nullAfter !== undefined && nullAfter < naturalAfter && !natural.has(prefixOf(error, nullAfter));
    const problems: readonly (readonly [isBroken: boolean, Rule, message: string])[] = [
      [!isKnown, graphqlRules.errorPath, "An error's path names what was not selected"],
      [isKnown && nullAfter === undefined, graphqlRules.errorPath, "An error's path leads to a value that is not null"],
      [
        isKnown && areAllPlaced && isTooHigh,
        graphqlRules.propagation,
        "An error made more null than the nearest that can be",
      ],
      [isKnown && !error.isLocated, graphqlRules.errorLocations, "An error of a field has no locations"],
    ];
    const broken = problems.filter(([isBroken]) => isBroken);
    return broken.map(([, rule, message]) => finding(rule, message, `${way.words}: ${error.message}`));
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
  let failed: FailedField | undefined;
  let words = "";
  for (const [index, step] of path.entries()) {
    const list: GraphQLOutputType = getNullableType(type);
    if (typeof step === "string") {
      const found: FailedField | undefined = isListType(list)
        ? undefined
        : fieldUnder(asked, type, failed?.nodes, step, value);
      if (found === undefined) return { nullAfter, words: `${words}/${step}`, isKnown: false };
      failed = found;
      type = found.field.type;
      words += `/${found.field.name}`;
      value = isRecord(value) ? value[step] : undefined;
    } else {
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

/** Returns the field that is selected under a key of an object, which names its type itself, or may be any of its possible types. */
function fieldUnder(
  asked: AskedDocument,
  type: GraphQLOutputType,
  below: readonly FieldNode[] | undefined,
  key: string,
  object: unknown,
): FailedField | undefined {
  const named = getNamedType(type);
  const types = isAbstractType(named) ? asked.schema.getPossibleTypes(named) : isObjectType(named) ? [named] : [];
  const own = isRecord(object) ? types.filter(({ name }) => name === object["__typename"]) : [];
  for (const parentType of own.length > 0 ? own : types) {
    const nodes = fieldsBelow(asked, parentType, below).get(key) ?? [];
    const field = fieldOf(asked, parentType, nodes[0]?.name.value ?? "");
    if (field !== undefined) return { parentType, field, nodes };
  }
  return undefined;
}
