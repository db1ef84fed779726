import { namesAlternatives } from "../../inference/name-meaning.ts";
import { parametersOf } from "./field-types.ts";
import { type Finding, uniqueFindings } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import type { CheckedResponse, ExpectedCall, Expectation } from "../../properties/operation.ts";
import { withPlace } from "../../suite/with-place.ts";
import { callOf, type FieldSite } from "./field-site.ts";
import type { GraphqlQuestion } from "./graphql-request.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { GraphqlRun, HeldAnswer } from "./graphql-run.ts";
import { placeOf } from "./place-of.ts";
import type { GraphqlResponse } from "./read-response.ts";
import { playRefused } from "./refused-request.ts";
import { refusalOf } from "./refusal.ts";
import { smallSelection } from "./select-fields.ts";
import { writeLiteral, writeQuestion } from "./selection.ts";

/** Calls in one request: servers limit aliases. */
const mostAliases = 12;
/** Failures that are looked at again, alone. */
const mostAlone = 3;
/** A name that no schema has. */
const noSuchName = "nodewrightNoSuchName";

/** Calls a field with inputs, and reports what is wrong with the responses: valid inputs together, each of the others alone. */
export async function expectOfField(
  run: GraphqlRun,
  site: FieldSite,
  play: CasePlay,
  calls: readonly ExpectedCall[],
): Promise<readonly CheckedResponse[]> {
  const responses = new Map<ExpectedCall, CheckedResponse>();
  const accepted = calls.filter(({ expectation }) => expectation.kind === "accepted");
  for (let start = 0; start < accepted.length; start += mostAliases)
    await expectAccepted({ run, site, play, responses }, accepted.slice(start, start + mostAliases));
  for (const call of calls) {
    const { kind } = call.expectation;
    if (kind === "refused") responses.set(call, await expectRefused(questionOf(site, call), play, call.expectation));
  }
  return calls.map((call) => responses.get(call) ?? { kind: "unclear", findings: [] });
}

/** Sends a request that has to be refused: with errors, and without data. */
async function expectRefused(
  question: GraphqlQuestion,
  play: CasePlay,
  { rule, subject, accepted, parameter, place = parameter?.place }: Expectation,
): Promise<CheckedResponse> {
  const because = `${subject.charAt(0).toLowerCase()}${subject.slice(1)} is sent`;
  const { response, findings } = await playRefused({ rule, because, subject, accepted, place, question }, play);
  return { kind: response.hasData && response.errors.length === 0 ? "accepted" : "refused", findings };
}

interface AcceptedCalls {
  readonly run: GraphqlRun;
  readonly site: FieldSite;
  readonly play: CasePlay;
  readonly responses: Map<ExpectedCall, CheckedResponse>;
}

/** Calls under an alias each; where one takes the data of the others with it, the others are called again, and alone where none is to blame. */
async function expectAccepted(all: AcceptedCalls, calls: readonly ExpectedCall[]): Promise<void> {
  const { run, site, play, responses } = all;
  const held = await askTogether(run, site, play, calls);
  const { findings, response } = held;
  const failed = calls.filter((call) => errorsOf(calls, call, response).length > 0);
  const left = calls.filter((call) => !failed.includes(call));
  for (const [index, call] of failed.entries())
    responses.set(call, await failureOf(all, calls, call, held, index < mostAlone));
  if (held.data === undefined && left.length > 0 && calls.length > 1) {
    for (const some of failed.length > 0 ? [left] : left.map((call) => [call])) await expectAccepted(all, some);
    return;
  }
  for (const call of left)
    responses.set(call, response.hasData ? { kind: "accepted", findings } : refusedAlone(site, call, held));
}

/** What is wrong where a request is refused although it is valid by the schema. */
function refusedAlone(
  site: FieldSite,
  { expectation }: ExpectedCall,
  { response, findings }: HeldAnswer,
): CheckedResponse {
  if (["denied", "size", "missing"].includes(refusalOf(response))) return { kind: "unclear", findings: [] };
  const detail = response.errors[0]?.message ?? `status ${response.answer.status}`;
  return { kind: "refused", findings: [...findings, ...refused(site, expectation, detail)] };
}

/** A field that fails for a value: an error that gives a reason may be right, and one that does not come again is none of the value. */
async function failureOf(
  { run, site, play }: AcceptedCalls,
  all: readonly ExpectedCall[],
  call: ExpectedCall,
  { response, findings }: HeldAnswer,
  looksAgain: boolean,
): Promise<CheckedResponse> {
  const errors = errorsOf(all, call, response);
  if (refusalOf({ ...response, errors }) !== "unknown") return { kind: "refused", findings };
  if (call.expectation.certainty !== "documented" || !looksAgain) return { kind: "failed", findings };
  const again = await askTogether(run, site, play, [call]);
  const still = errorsOf([call], call, again.response);
  if (still.length === 0 || refusalOf({ ...again.response, errors: still }) !== "unknown")
    return { kind: "unclear", findings };
  const message = errors[0]?.message ?? "";
  return { kind: "failed", findings: uniqueFindings([...findings, ...refused(site, call.expectation, message)]) };
}

function refused(
  { field }: FieldSite,
  { certainty, rule, subject, place, parameter }: Expectation,
  detail: string,
): readonly Finding[] {
  if (certainty === "open" || namesAlternatives(detail, parametersOf(field))) return [];
  return [{ rule, message: `${subject} is refused`, detail, ...withPlace(place ?? parameter?.place) }];
}

async function askTogether(
  run: GraphqlRun,
  site: FieldSite,
  play: CasePlay,
  calls: readonly ExpectedCall[],
): Promise<HeldAnswer> {
  const selections = smallSelection(site);
  const called = calls.map(({ input }, index) => callOf(site, input, { alias: `call${index}`, selections }));
  const held = await run.ask(play, writeQuestion(site.wrap(called)));
  // Where there is data, it was a field that failed.
  if (held.data === undefined || held.response.errors.every(({ path }) => path !== undefined)) return held;
  const message = `${site.field.name}: The error of a field that failed has no path`;
  const pathless = { rule: graphqlRules.failedFieldPath, message, ...withPlace(placeOf(site.field.astNode)) };
  return { ...held, findings: [...held.findings, pathless] };
}

/** The errors of the field of a call itself: deeper, it is a member that fails. */
function errorsOf(
  calls: readonly ExpectedCall[],
  call: ExpectedCall,
  { errors }: GraphqlResponse,
): GraphqlResponse["errors"] {
  const alias = `call${calls.indexOf(call)}`;
  return errors.filter(({ path }) => path?.at(-1) === alias);
}

/** A request with what is invalid: values as variables, what the schema does not have in the document. */
function questionOf(site: FieldSite, { input, expectation }: ExpectedCall): GraphqlQuestion {
  const plain = callOf(site, input, { selections: smallSelection(site) });
  if (expectation.isSurplus !== true) return writeQuestion(site.wrap([plain]));
  const given = (plain.arguments ?? []).map(({ name, type, value }) => `${name}: ${writeLiteral(type, value)}`);
  const { query } = writeQuestion(site.wrap([{ ...plain, arguments: [] }]));
  return { query: query.replace(plain.name, `${plain.name}(${[...given, `${noSuchName}: 1`].join(", ")})`) };
}
