import { getNamedType, isNonNullType, isSpecifiedScalarType } from "graphql";
import type { CaseDraft, CasePlay } from "../../../contract/planned-case.ts";
import { statesAbsence, isInternalError } from "../../../inference/refusal-words.ts";
import type { FailedCall } from "../../../properties/failed-call.ts";
import { planNotFound } from "../../../properties/not-found.ts";
import type { Input } from "../../../properties/operation.ts";
import { createRandom, kebabCase } from "@nodewright/api-values";
import { isSingle } from "../schema/field-names.ts";
import { callOf, type FieldSite, inputOf } from "../run/field-site.ts";
import { graphqlRules } from "../contract/graphql-rules.ts";
import type { GraphqlRun } from "../run/graphql-run.ts";
import type { FieldOperation } from "../operation/field-operation.ts";
import { inspectFields } from "../run/inspect-fields.ts";
import { findingAt } from "../contract/place-of.ts";
import { refusalOf } from "../response/refusal.ts";
import { smallSelection } from "../selection/select-fields.ts";
import { writeRequest } from "../selection/selection.ts";

/** Plans a request for a missing object next to an existing one: it is not found, its error has a path, and its sibling keeps its value. */
export function planMissingObject({ run, site, ...operation }: FieldOperation): readonly CaseDraft[] {
  const { field, selection } = site;
  const key = selection.arguments?.find(({ value }) => typeof value === "string" || typeof value === "number");
  if (!isSingle(field) || key === undefined) return [];
  const isNullPromised =
    !isNonNullType(field.type) &&
    /\bnull (?:when|if|where|unless|for)\b[^.;]*\b(?:none|no|not|unknown|never|exists?)\b/i.test(
      field.description ?? "",
    );
  const cases = planNotFound({
    ...operation,
    identifiers: operation.parameters.filter(({ name }) => name === key.name),
    base: inputOf(selection),
    random: createRandom(`${site.operation} ${key.name}`),
    known: () => [],
    declared: () => (isNullPromised ? { text: "null", codes: [], isOwn: true } : undefined),
    call: (play, input) => callMissing(run, site, play, input),
  });
  return cases.map(({ play }) => ({
    group: "relation",
    name: `${kebabCase(key.name)}-of-nothing`,
    rule: graphqlRules.siblings,
    expected: "null or an error for what does not exist, and the value of what is next to it",
    play,
  }));
}

/** Requests a missing object next to an existing one. */
async function callMissing(run: GraphqlRun, site: FieldSite, play: CasePlay, input: Input): Promise<FailedCall> {
  const { field } = site;
  const there = { ...site.selection, alias: "there", selections: smallSelection(site) };
  const missing = callOf(site, input, { alias: "notThere", selections: there.selections });
  const held = await run.execute(play, writeRequest([missing, there]));
  const { response, data } = held;
  // Custom scalars are validated before a field is resolved; some servers return data all the same.
  const isScalarRefused =
    response.data === null &&
    response.errors.every(({ path }) => path === undefined) &&
    missing.arguments?.some(({ type }) => !isSpecifiedScalarType(getNamedType(type)));
  if (!response.hasData || isScalarRefused) return play.skip("The target refuses what was made up");
  const errors = response.errors.filter(({ path }) => path?.[0] === "notThere");
  const findings = [...held.findings, ...inspectFields(run, held)];
  for (const { path, message } of response.errors.filter((one) => !errors.includes(one))) {
    const whose = path === undefined ? "no path" : "the path of another";
    const text = `${field.name}: The error of a field that failed has ${whose}`;
    findings.push(findingAt(field.astNode, graphqlRules.failedFieldPath, text, message));
  }
  if (data === undefined ? !isNonNullType(field.type) : data["there"] === null)
    findings.push(
      findingAt(field.astNode, graphqlRules.siblings, `${field.name} fails, and takes what stands next to it with it`),
    );
  const [error] = errors;
  if (error === undefined) return { findings, ...(data === undefined ? {} : { result: { value: data["notThere"] } }) };
  // A generated key may be invalid: only an error that reports a missing object counts.
  const isAbsence = errors.some(statesAbsence) || refusalOf({ ...response, errors }) === "unknown";
  const isInternal = errors.every(isInternalError);
  return { findings, failure: { code: 0, kind: isAbsence ? "other" : "unclear", isInternal, text: error.message } };
}
