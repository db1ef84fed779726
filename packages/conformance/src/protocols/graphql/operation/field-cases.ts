import { kebabCase } from "@nodewright/api-values";
import { type GraphQLArgument, getNamedType, isEnumType, isRequiredArgument, isSpecifiedScalarType } from "graphql";
import { showValue } from "../../../compare/show-value.ts";
import { type Finding, uniqueFindings } from "../../../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../../../contract/planned-case.ts";
import { hasRoleName } from "../../../inference/list-roles.ts";
import { isRejectedValue } from "../../../inference/refusal-words.ts";
import { propertyRules } from "../../../properties/property-rules.ts";
import { callField, mostSmaller } from "../run/call-field.ts";
import { type Field, isSingle } from "../schema/field-names.ts";
import { farther } from "../run/field-values.ts";
import { graphqlCase } from "../contract/graphql-case.ts";
import { graphqlRules } from "../contract/graphql-rules.ts";
import type { GraphqlRun, ValidatedResponse } from "../run/graphql-run.ts";
import { findingAt } from "../contract/place-of.ts";
import { type GraphqlResponse, isRequestError } from "../response/read-response.ts";
import { reasonOf, refusalOf, skipRefused, rejectionText } from "../response/refusal.ts";
import { selectFully } from "../selection/select-fields.ts";
import { type GivenArgument, writeRequest } from "../selection/selection.ts";

/** Returns the fields of the query type that are requested by themselves. */
export function queryFields(run: GraphqlRun): readonly Field[] {
  const fields = Object.values(run.schema.getQueryType()?.getFields() ?? {});
  // Apollo Federation: these are for gateways only.
  return fields.filter(({ name }) => name !== "_service" && name !== "_entities");
}

/** Plans a field of the query type with everything below it. */
export function planFullField(run: GraphqlRun, field: Field, allowsSamples: boolean): readonly PlannedCase[] {
  if (run.bases.has(field.name)) return [];
  const given = run.argumentsFor(run.queryType, field, allowsSamples);
  if (given === undefined) return [];
  // A guessed value of a custom scalar may be refused.
  const isCertain =
    !allowsSamples ||
    given.every(({ type }) => isSpecifiedScalarType(getNamedType(type)) || isEnumType(getNamedType(type)));
  return [
    graphqlCase({
      operation: run.operationOf(field),
      group: "live",
      name: allowsSamples ? "everything-by-samples" : "everything",
      rule: graphqlRules.keys,
      expected: "exactly what is selected, each value of its type",
      requests: 1 + mostSmaller,
      request: writeRequest([selectFully(run, field, given)]),
      play: async (play) => {
        const { held, findings } = await callField(run, field, given, play);
        return uniqueFindings([...findings, ...refusalFindings(field, given, held, play, isCertain)]);
      },
    }),
  ];
}

/** Returns the findings of a request that is valid against the schema but has errors. */
function refusalFindings(
  field: Field,
  given: readonly GivenArgument[],
  { response, data }: ValidatedResponse,
  play: CasePlay,
  isCertain: boolean,
): readonly Finding[] {
  const { received, errors } = response;
  const isRefused = isRequestError(response);
  if (response.isResponse && errors.length === 0) return [];
  const kind = refusalOf(response);
  const finding = (message: string, rule = propertyRules.validInput): readonly Finding[] => [
    findingAt(field.astNode, rule, message, reasonOf(response)),
  ];
  if (kind === "denied" || isRefused) skipRefused(play, response);
  if (isRefused) {
    if (!response.isResponse && received.status === 404) return finding("The target has no GraphQL at this address");
    return isCertain
      ? finding(`A valid query of ${field.name} is refused`)
      : play.skip("The target refuses values that were made up");
  }
  if (errors.some((error) => isRejectedValue(error) && error.path?.length === 1))
    return finding(rejectionText(field.name));
  const isFailed = data === undefined || Object.values(data).every((value) => value === null);
  if (!isFailed || isBelow(response) || kind === "missing" || kind === "size") return [];
  // A field with arguments may require one of them, unless all of them only set the count, the order or the page.
  const left = field.args.filter(({ name }) => !given.some((one) => one.name === name));
  if (field.args.length > 0 && (kind !== "unknown" || !left.every(isManner))) return [];
  const isPlain = kind === "unknown" && given.length === 0;
  return finding(`${field.name} has an error`, isPlain ? propertyRules.validInput : graphqlRules.resolvedHeuristic);
}

/** Returns whether a part of a field failed, which may null the rest. */
function isBelow({ errors }: GraphqlResponse): boolean {
  return errors.some(({ path }) => path !== undefined && path.length > 1);
}

function isManner({ name, type, defaultValue }: Field["args"][number]): boolean {
  const leaf = getNamedType(type);
  const isChoice = isEnumType(leaf) || leaf.name === "Boolean";
  const isOfPages = hasRoleName("limit", name) || hasRoleName("offset", name) || /^(?:after|before)$/.test(name);
  return defaultValue !== undefined || isChoice || isOfPages;
}

/** Plans lookups of objects by values of other responses: each key of each field that returns one object. */
export function planFound(run: GraphqlRun, field: Field): readonly PlannedCase[] {
  if (!isSingle(field)) return [];
  return field.args
    .filter((argument) => !field.args.some((one) => one !== argument && isRequiredArgument(one)))
    .filter((argument) => run.keysOf(field, argument).length > 0)
    .map((argument) =>
      graphqlCase({
        operation: run.operationOf(field),
        group: "live",
        name: `found-by-${kebabCase(argument.name)}`,
        rule: propertyRules.found,
        expected: `the object that ${argument.name} identifies, as it was returned elsewhere`,
        requests: 6,
        play: (play) => playFound(run, field, argument, play),
      }),
    );
}

async function playFound(
  run: GraphqlRun,
  field: Field,
  argument: GraphQLArgument,
  play: CasePlay,
): Promise<readonly Finding[]> {
  const { name, type } = argument;
  for (const { value, rank } of run.keysOf(field, argument).slice(0, 2)) {
    const { held, findings } = await callField(run, field, [{ name, type, value }], play);
    const { response, data } = held;
    if (findings.length > 0) return uniqueFindings(findings);
    if (isRequestError(response)) return refusalFindings(field, [], held, play, true);
    if ((data?.[field.name] ?? null) !== null) continue;
    skipRefused(play, response);
    if (isBelow(response)) continue;
    const rule = rank < farther ? propertyRules.found : graphqlRules.resolvedHeuristic;
    const message = `${field.name} does not find by ${name} what was returned with it`;
    return [findingAt(field.astNode, rule, message, showValue(value))];
  }
  return [];
}
