import { type Finding, finding } from "../../../contract/finding.ts";
import type { Field } from "../schema/field-names.ts";
import type { CasePlay } from "../../../contract/planned-case.ts";
import { isRejectedValue } from "../../../inference/refusal-words.ts";
import { propertyRules } from "../../../properties/property-rules.ts";
import { graphqlRules } from "../contract/graphql-rules.ts";
import type { BaseResult, GraphqlRun, ValidatedResponse } from "./graphql-run.ts";
import { inspectFields } from "./inspect-fields.ts";
import { refusalOf, rejectionText } from "../response/refusal.ts";
import type { Members } from "../response/selected-fields.ts";
import { selectFully, type SelectionSize } from "../selection/select-fields.ts";
import { type GivenArgument, type Selection, writeRequest } from "../selection/selection.ts";
import { failedField } from "../response-rules/walk-errors.ts";

/** Maximum number of times that a call reduces its selection. */
export const mostSmaller = 2;

/** Calls a field with its complete selection, or with a smaller one when the target refuses it for its size or parts of it fail. */
export async function callField(
  run: GraphqlRun,
  field: Field,
  given: readonly GivenArgument[],
  play: CasePlay,
): Promise<{ readonly held: ValidatedResponse; readonly findings: readonly Finding[] }> {
  const operation = run.operationOf(field);
  const key = `${operation} ${given.map(({ name }) => name).join(" ")}`;
  const findings = run.earlier.get(key) ?? [];
  run.earlier.set(key, findings);
  for (let look = 0; ; look += 1) {
    const selection = selectFully(run, field, given);
    const request = writeRequest([selection]);
    // Other cases change these concurrently: this is the state in which the request is sent.
    const [avoided, wasFrugal] = [new Set(run.avoided), run.isFrugal];
    const held = await run.execute(play, request);
    const { data, response } = held;
    if (isTooLarge(held)) {
      if (look >= mostSmaller) return play.skip("The target finds even small selections too large");
      run.size = halved(run.size);
      continue;
    }
    const failed = failedOf(held).filter(([name]) => !avoided.has(name));
    for (const [name, finding] of failed) {
      run.avoided.add(name);
      if (finding !== undefined) findings.push(finding);
    }
    const isSilent = response.hasData && response.errors.some(({ path }) => path === undefined) && !wasFrugal;
    if (isSilent) run.isFrugal = true;
    const isSmaller = isSilent || failed.length > 0;
    if (isSmaller && look < mostSmaller) {
      findings.push(...held.findings);
      continue;
    }
    run.cover(operation, held.met);
    if (response.errors.length === 0)
      keepBase(run, operation, { field, selection, request, value: data?.[field.name] });
    return { held, findings: [...held.findings, ...findings, ...inspectFields(run, held)] };
  }
}

/** A field that fails, by its name in the form `Type.field`. */
type FailedPart = readonly [name: string, finding?: Finding];

/** Returns the failing fields below a root field. */
function failedOf({ requested, response }: ValidatedResponse): readonly FailedPart[] {
  return response.errors.flatMap((error): readonly FailedPart[] => {
    const failed = failedField(requested, error, response.data);
    // An error of the root field itself is not a part.
    if (failed === undefined || error.path?.length === 1) return [];
    const { parentType, field } = failed;
    const name = `${parentType.name}.${field.name}`;
    if (isRejectedValue(error)) return [[name, finding(propertyRules.validInput, rejectionText(name), error.message)]];
    if (field.args.length > 0 || refusalOf(response) !== "unknown") return [[name]];
    const message = `${name} has an error`;
    return [[name, finding(graphqlRules.resolvedHeuristic, message, error.message)]];
  });
}

/** Stores a valid response as the base that others are compared with. */
function keepBase(
  run: GraphqlRun,
  operation: string,
  response: Pick<BaseResult, "field" | "selection" | "request" | "value">,
): void {
  const { field, request, value } = response;
  const before = run.bases.get(field.name);
  if (value === undefined || value === null) return;
  // A non-empty value is a better base than an empty list.
  if (before !== undefined && !(isEmpty(before.value) && !isEmpty(value))) return;
  const site = {
    operation,
    parentType: run.queryType,
    wrap: (selections: readonly Selection[]) => selections,
    parentsIn: (data: Members) => [data],
  };
  run.bases.set(field.name, { ...response, ...site });
  const { query: text, variables: input = {} } = request;
  run.session.live.see({ operation, input, text, type: { kind: "any" }, value: { [field.name]: value } });
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Returns whether a request was refused for its size. */
function isTooLarge({ response, data }: ValidatedResponse): boolean {
  return data === undefined && response.errors.length > 0 && refusalOf(response) === "size";
}

function halved({ depth, fields }: SelectionSize): SelectionSize {
  return { depth: Math.max(2, depth - 2), fields: Math.max(6, Math.floor(fields / 3)) };
}
