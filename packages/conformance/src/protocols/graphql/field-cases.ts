import { isRecord } from "@nodewright/api-model";
import {
  type GraphQLArgument,
  type GraphQLField,
  getNamedType,
  isEnumType,
  isRequiredArgument,
  isSpecifiedScalarType,
} from "graphql";
import { inTurns } from "../../basics/in-turns.ts";
import { showValue } from "../../compare/show-value.ts";
import { type Finding, uniqueFindings } from "../../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../../contract/planned-case.ts";
import { hasRoleName } from "../../inference/list-roles.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import { callField, mostSmaller, queryOperation, unfitText, wholeSelection } from "./call-field.ts";
import { isSingle } from "./field-names.ts";
import { graphqlCase, kebab } from "./graphql-case.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { GraphqlRun, HeldAnswer } from "./graphql-run.ts";
import { findingAt } from "./place-of.ts";
import type { GraphqlResponse } from "./read-response.ts";
import { isUnfitValue, refusalOf } from "./refusal.ts";
import { type GivenArgument, writeQuestion } from "./selection.ts";
import type { CandidateValue } from "./value-pool.ts";

type Field = GraphQLField<unknown, unknown>;

/** The fields of the query type that are asked for by themselves. */
export function queryFields(run: GraphqlRun): readonly Field[] {
  const fields = Object.values(run.schema.getQueryType()?.getFields() ?? {});
  // Of Apollo Federation: for gateways, not for callers.
  return fields.filter(({ name }) => name !== "_service" && name !== "_entities");
}

/** A field of the query type with everything that it leads to. */
export function planWholeField(run: GraphqlRun, field: Field, allowsSamples: boolean): readonly PlannedCase[] {
  if (run.bases.has(field.name)) return [];
  const queryType = run.schema.getQueryType()?.name ?? "Query";
  const required = run.requiredArguments(queryType, field, allowsSamples);
  if (required === undefined) return [];
  const given = allowsSamples ? [...required, ...optionalArguments(run, queryType, field)] : required;
  // A guess about a custom scalar may be refused.
  const isCertain =
    !allowsSamples ||
    given.every(({ type }) => isSpecifiedScalarType(getNamedType(type)) || isEnumType(getNamedType(type)));
  return [
    graphqlCase({
      operation: queryOperation(run, field),
      group: "live",
      name: allowsSamples ? "everything-by-samples" : "everything",
      rule: graphqlRules.keys,
      expected: "exactly what is selected, each value of its type",
      requests: 1 + mostSmaller,
      question: writeQuestion([wholeSelection(run, field, given)]),
      play: async (play) => {
        const { held, findings } = await callField(run, field, given, play);
        return uniqueFindings([...findings, ...refusalFindings(field, given, held, play, isCertain)]);
      },
    }),
  ];
}

/** Some fields want one of their optional arguments: those of plain kinds, with values that examples or responses have. */
function optionalArguments(run: GraphqlRun, queryType: string, field: Field): readonly GivenArgument[] {
  return field.args.flatMap((argument) => {
    const [best] = run.pool.candidatesOf(queryType, field, argument);
    if (isRequiredArgument(argument) || best === undefined) return [];
    return [{ name: argument.name, type: argument.type, value: best.value }];
  });
}

/** What is wrong where a request that is valid by the schema has errors. */
function refusalFindings(
  field: Field,
  given: readonly GivenArgument[],
  { response, data }: HeldAnswer,
  play: CasePlay,
  isCertain: boolean,
): readonly Finding[] {
  const { answer, errors, hasData } = response;
  if (response.isResponse && errors.length === 0) return [];
  const kind = refusalOf(response);
  const detail = errors[0]?.message ?? `status ${answer.status}`;
  const finding = (message: string, rule = propertyRules.validInput): readonly Finding[] => [
    findingAt(field.astNode, rule, message, detail),
  ];
  if (kind === "denied") return play.skip("The target says that this may not be asked");
  if (!hasData) {
    if (kind === "missing" || kind === "size") return play.skip("The target says that it does not offer this");
    if (!response.isResponse && answer.status === 404) return finding("The target has no GraphQL at this address");
    return isCertain
      ? finding(`A valid query of ${field.name} is refused`)
      : play.skip("The target refuses values that were made up");
  }
  if (errors.some((error) => isUnfitValue(error) && error.path?.length === 1)) return finding(unfitText(field.name));
  const isFailed = data === undefined || Object.values(data).every((value) => value === null);
  if (!isFailed || isBelow(response) || kind === "missing" || kind === "size") return [];
  // A field with arguments may want one of them, unless each of them only says how many, in which order or which part.
  const left = field.args.filter(({ name }) => !given.some((one) => one.name === name));
  if (field.args.length > 0 && (kind !== "unknown" || !left.every(isManner))) return [];
  const isPlain = kind === "unknown" && given.length === 0;
  return finding(
    `${field.name} is answered with an error`,
    isPlain ? propertyRules.validInput : graphqlRules.resolvedLikely,
  );
}

/** Whether a part of a field failed, which may take the rest with it. */
function isBelow({ errors }: GraphqlResponse): boolean {
  return errors.some(({ path }) => path !== undefined && path.length > 1);
}

function isManner({ name, type, defaultValue }: Field["args"][number]): boolean {
  const leaf = getNamedType(type);
  const isChoice = isEnumType(leaf) || leaf.name === "Boolean";
  const isOfPages = hasRoleName("limit", name) || hasRoleName("offset", name) || /^(?:after|before)$/.test(name);
  return defaultValue !== undefined || isChoice || isOfPages;
}

/** Objects found by what others name: each key of each field that returns one object. */
export function planFound(run: GraphqlRun, field: Field): readonly PlannedCase[] {
  if (!isSingle(field)) return [];
  return field.args
    .filter((argument) => !field.args.some((one) => one !== argument && isRequiredArgument(one)))
    .filter((argument) => keysOf(run, field, argument).length > 0)
    .map((argument) =>
      graphqlCase({
        operation: queryOperation(run, field),
        group: "live",
        name: `found-by-${kebab(argument.name)}`,
        rule: propertyRules.found,
        expected: `the object that has what ${argument.name} says, as it was returned elsewhere`,
        requests: 6,
        play: (play) => playFound(run, field, argument, play),
      }),
    );
}

/** Values of an argument that name one object, by what objects of the type have; one of each type first. */
function keysOf(run: GraphqlRun, field: Field, argument: GraphQLArgument): readonly (CandidateValue & FoundValue)[] {
  const all = run.pool
    .candidatesOf(run.schema.getQueryType()?.name ?? "Query", field, argument)
    .flatMap(({ isKey, found, ...one }) => (isKey && found !== undefined ? [{ ...one, isKey, found }] : []));
  return inTurns([...Map.groupBy(all, ({ found }) => found.typeName).values()]);
}

interface FoundValue {
  readonly found: NonNullable<CandidateValue["found"]>;
}

async function playFound(
  run: GraphqlRun,
  field: Field,
  argument: GraphQLArgument,
  play: CasePlay,
): Promise<readonly Finding[]> {
  const { name, type } = argument;
  const keys = keysOf(run, field, argument).slice(0, 2);
  for (const { value, found } of keys) {
    const { held, findings } = await callField(run, field, [{ name, type, value }], play);
    const { response, data } = held;
    const object = data?.[field.name];
    if (findings.length > 0) return uniqueFindings(findings);
    if (isRecord(object)) {
      const { __typename: typename = found.typeName } = object;
      if (typename === found.typeName || !isTelling(value)) continue;
      const message = `${field.name} by ${name} returns an object of another type than where it was found`;
      const detail = `${showValue(typename)} instead of ${found.typeName}`;
      return [findingAt(field.astNode, propertyRules.embedded, message, detail)];
    }
    if (!response.hasData) return refusalFindings(field, [], held, play, true);
    if (["denied", "missing", "size"].includes(refusalOf(response)))
      return play.skip("The target says that this may not be asked");
    if (isBelow(response)) continue;
    const rule = found.depth <= 2 ? propertyRules.found : graphqlRules.resolvedLikely;
    const message = `${field.name} does not find by ${name} what was returned with it`;
    return [findingAt(field.astNode, rule, message, showValue(value))];
  }
  return [];
}

/** Whether a key is of one object alone: objects of several types may well count from one. */
function isTelling(key: unknown): boolean {
  return typeof key === "string" && key.length >= 6 && /[A-Za-z]/.test(key) && /\d/.test(key);
}
