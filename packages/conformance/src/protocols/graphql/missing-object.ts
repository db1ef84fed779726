import { isEqualJson, isRecord } from "@nodewright/api-model";
import { getNamedType, isNonNullType, isSpecifiedScalarType } from "graphql";
import { type Finding, uniqueFindings } from "../../contract/finding.ts";
import { showValue } from "../../compare/show-value.ts";
import type { Rule } from "../../contract/rule.ts";
import type { CasePlay, PlannedCase } from "../../contract/planned-case.ts";
import { unknownIdentifier } from "../../inference/unknown-identifier.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import { createRandom } from "../../types/random.ts";
import { isSingle } from "./field-names.ts";
import { graphqlCase, kebab } from "./graphql-case.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { BaseAnswer, GraphqlRun } from "./graphql-run.ts";
import { findingAt } from "./place-of.ts";
import { parametersOf, typesOf } from "./field-types.ts";
import type { GraphqlResponse } from "./read-response.ts";
import { refusalOf } from "./refusal.ts";
import { type FieldSelection, type GivenArgument, writeQuestion } from "./selection.ts";
import { smallSelection } from "./select-fields.ts";

/** What does not exist next to what does: it is not found, its error says where, and its sibling keeps its value. */
export function planMissingObject(run: GraphqlRun, base: BaseAnswer): readonly PlannedCase[] {
  const { field, operation, selection } = base;
  const key = selection.arguments?.find(({ value }) => typeof value === "string" || typeof value === "number");
  const parameter = parametersOf(field).find(({ name }) => name === key?.name);
  if (!isSingle(field) || key === undefined || parameter === undefined) return [];
  const random = createRandom(`${operation} ${key.name}`);
  const unknown = unknownIdentifier(parameter, key.value, [], typesOf(run), random);
  if (unknown === undefined) return [];
  return [
    graphqlCase({
      operation,
      group: "relation",
      name: `${kebab(key.name)}-of-nothing`,
      rule: graphqlRules.siblings,
      expected: "null or an error for what does not exist, and the value of what is next to it",
      play: (play) => playMissing(run, base, { ...key, value: unknown.value }, play),
    }),
  ];
}

async function playMissing(
  run: GraphqlRun,
  base: BaseAnswer,
  key: GivenArgument,
  play: CasePlay,
): Promise<readonly Finding[]> {
  const { field, selection } = base;
  const there: FieldSelection = { ...selection, alias: "there", selections: smallSelection(base) };
  const given = (selection.arguments ?? []).map((one) => (one.name === key.name ? key : one));
  const missing: FieldSelection = { ...there, alias: "notThere", arguments: given };
  const { response, data, findings } = await run.ask(play, writeQuestion([missing, there]));
  const { errors } = response;
  // Whether a value is one of a custom scalar is decided before a field is resolved; some servers send data all the same.
  const isScalarRefused =
    response.data === null &&
    errors.every(({ path }) => path === undefined) &&
    !isSpecifiedScalarType(getNamedType(key.type));
  if (!response.hasData || isScalarRefused) return play.skip("The target refuses what was made up");
  const found: Finding[] = [...findings];
  const broken = (rule: Rule, message: string, detail?: string): void => {
    found.push(findingAt(field.astNode, rule, message, detail));
  };
  const own = errors.filter(({ path }) => path?.[0] === "notThere");
  if (own.length > 0 && isNullPromised(field) && isAbsence({ ...response, errors: own })) {
    const message = `${field.name} is answered with an error where there is nothing, and not with null`;
    broken(propertyRules.validInput, message, own[0]?.message);
  }
  for (const { path, message: detail } of errors.filter((one) => !own.includes(one))) {
    const whose = path === undefined ? "no path" : "the path of another";
    broken(graphqlRules.failedFieldPath, `${field.name}: The error of a field that failed has ${whose}`, detail);
  }
  if (data === undefined ? !isNonNullType(field.type) : data["there"] === null)
    broken(graphqlRules.siblings, `${field.name} fails, and takes what stands next to it with it`);
  const object = data?.["notThere"];
  const value = isRecord(object) ? object[key.name] : undefined;
  if (isEqualJson(value, key.value))
    broken(propertyRules.notFoundGuessed, `${field.name} finds an object by a made-up ${key.name}`);
  else if (typeof value === typeof key.value)
    broken(
      propertyRules.identity,
      `${field.name} returns an object with another ${key.name} than it was called for by`,
      showValue(value),
    );
  return uniqueFindings(found);
}

/** Whether the description says that null is returned for what is not there. */
function isNullPromised({ description, type }: BaseAnswer["field"]): boolean {
  const promise = /\bnull (?:when|if|where|unless|for)\b[^.;]*\b(?:none|no|not|unknown|never|exists?)\b/i;
  return !isNonNullType(type) && promise.test(description ?? "");
}

/** A made-up key may be one that can't be: only what is said not to be there is meant. */
function isAbsence(response: GraphqlResponse): boolean {
  const says = response.errors
    .map(({ message, extensions }) => `${message} ${String(extensions["code"] ?? "")}`)
    .join();
  return /not[ _-]?found|no such|does(?:n't| not) exist/i.test(says) || refusalOf(response) === "unknown";
}
