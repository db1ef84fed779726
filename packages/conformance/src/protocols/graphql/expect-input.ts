import { type Finding, uniqueFindings } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import type { CheckedResponse, ExpectedCall, Expectation, Input } from "../../properties/operation.ts";
import { withPlace } from "../../suite/with-place.ts";
import type { FieldSite } from "./field-site.ts";
import { type GraphqlQuestion, postOf } from "./graphql-request.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { GraphqlRun, HeldAnswer } from "./graphql-run.ts";
import { placeOf } from "./place-of.ts";
import { type GraphqlResponse, readResponse } from "./read-response.ts";
import { refusalFindings } from "./refused-request.ts";
import { refusalOf } from "./refusal.ts";
import { smallSelection } from "./small-selection.ts";
import { type FieldSelection, writeLiteral, writeQuestion } from "./selection.ts";

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
  for (let start = 0; start < accepted.length; start += mostAliases) {
    const some = accepted.slice(start, start + mostAliases);
    for (const [call, response] of await expectAccepted(run, site, play, some)) responses.set(call, response);
  }
  for (const call of calls) {
    const { kind } = call.expectation;
    if (kind === "refused")
      responses.set(call, await expectRefused(questionOf(run, site, call), play, call.expectation));
  }
  return calls.map((call) => responses.get(call) ?? { kind: "unclear", findings: [] });
}

/** Sends a request that has to be refused: with errors, and without data. */
export async function expectRefused(
  question: GraphqlQuestion,
  play: CasePlay,
  expectation: Expectation,
): Promise<CheckedResponse> {
  const response = readResponse(await play.send(postOf(question)), question.query);
  if (refusalOf(response) === "denied" && response.answer.status !== 200)
    return play.skip("The target says that this may not be asked");
  const { rule, subject, accepted, place = expectation.parameter?.place } = expectation;
  const findings = refusalFindings(
    {
      rule,
      because: `${subject.charAt(0).toLowerCase()}${subject.slice(1)} is sent`,
      subject,
      accepted,
      place,
      question,
    },
    response,
  );
  return { kind: response.hasData && response.errors.length === 0 ? "accepted" : "refused", findings };
}

/** Calls under an alias each; where one takes the data of the others with it, the others are called again. */
async function expectAccepted(
  run: GraphqlRun,
  site: FieldSite,
  play: CasePlay,
  calls: readonly ExpectedCall[],
): Promise<ReadonlyMap<ExpectedCall, CheckedResponse>> {
  const found = new Map<ExpectedCall, CheckedResponse>();
  let left = calls;
  for (let look = 0; look < 3 && left.length > 0; look += 1) {
    const held = await askTogether(run, site, play, left);
    const failed = left.filter((call) => errorsOf(left, call, held.response).length > 0);
    if (!held.response.hasData && failed.length === 0)
      return new Map([...found, ...(await singledOut(run, site, play, left, held))]);
    for (const call of failed)
      found.set(call, await failureOf(run, site, play, left, call, held, look === 0 && found.size < mostAlone));
    left = left.filter((call) => !failed.includes(call));
    if (held.data === undefined && failed.length > 0) continue;
    for (const call of left) found.set(call, { kind: "accepted", findings: held.findings });
    break;
  }
  return found;
}

/** Of a request that is refused although it is valid by the schema, each call alone. */
async function singledOut(
  run: GraphqlRun,
  site: FieldSite,
  play: CasePlay,
  calls: readonly ExpectedCall[],
  whole: HeldAnswer,
): Promise<ReadonlyMap<ExpectedCall, CheckedResponse>> {
  const found = new Map<ExpectedCall, CheckedResponse>();
  for (const call of calls) {
    const held = calls.length === 1 ? whole : await askTogether(run, site, play, [call]);
    if (held.response.hasData) {
      found.set(call, { kind: "accepted", findings: held.findings });
      continue;
    }
    const { errors, answer } = held.response;
    if (["denied", "size", "missing"].includes(refusalOf(held.response))) {
      found.set(call, { kind: "unclear", findings: [] });
      continue;
    }
    const detail = errors[0]?.message ?? `status ${answer.status}`;
    found.set(call, { kind: "refused", findings: [...held.findings, ...refused(call.expectation, detail)] });
  }
  return found;
}

/** A field that fails for a value: an error that gives a reason may be right, and one that does not come again is none of the value. */
async function failureOf(
  run: GraphqlRun,
  site: FieldSite,
  play: CasePlay,
  all: readonly ExpectedCall[],
  call: ExpectedCall,
  held: HeldAnswer,
  looksAgain: boolean,
): Promise<CheckedResponse> {
  const errors = errorsOf(all, call, held.response);
  if (refusalOf({ ...held.response, errors }) !== "unknown") return { kind: "refused", findings: held.findings };
  const message = errors[0]?.message ?? "";
  const isOpen = call.expectation.certainty !== "documented" || !looksAgain;
  if (isOpen) return { kind: "failed", findings: held.findings };
  const again = await askTogether(run, site, play, [call]);
  const still = errorsOf([call], call, again.response);
  if (still.length === 0 || refusalOf({ ...again.response, errors: still }) !== "unknown")
    return { kind: "unclear", findings: held.findings };
  return { kind: "failed", findings: uniqueFindings([...held.findings, ...refused(call.expectation, message)]) };
}

function refused({ certainty, rule, subject, place, parameter }: Expectation, detail: string): readonly Finding[] {
  if (certainty === "open") return [];
  return [{ rule, message: `${subject} is refused`, detail, ...withPlace(place ?? parameter?.place) }];
}

async function askTogether(
  run: GraphqlRun,
  site: FieldSite,
  play: CasePlay,
  calls: readonly ExpectedCall[],
): Promise<HeldAnswer> {
  const selections = calls.map(({ input }, index) => selectionOf(run, site, `call${index}`, input));
  const held = await run.ask(play, writeQuestion(site.wrap(selections)));
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

function selectionOf(run: GraphqlRun, site: FieldSite, alias: string, input: Input): FieldSelection {
  const { field, selection } = site;
  const given = field.args.flatMap(({ name, type }) =>
    input[name] === undefined ? [] : [{ name, type, value: input[name] }],
  );
  return {
    ...selection,
    kind: "field",
    name: field.name,
    alias,
    arguments: given,
    selections: smallSelection(run, site),
  };
}

/** A request with what is invalid: values as variables, what the schema does not have in the document. */
function questionOf(run: GraphqlRun, site: FieldSite, { input, expectation }: ExpectedCall): GraphqlQuestion {
  const { alias: _alias, ...plain } = selectionOf(run, site, "", input);
  if (expectation.isSurplus !== true) return writeQuestion(site.wrap([plain]));
  const given = (plain.arguments ?? []).map(({ name, type, value }) => `${name}: ${writeLiteral(type, value)}`);
  const { query } = writeQuestion(site.wrap([{ ...plain, arguments: [] }]));
  return { query: query.replace(plain.name, `${plain.name}(${[...given, `${noSuchName}: 1`].join(", ")})`) };
}
