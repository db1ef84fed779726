import { GraphQLInt } from "graphql";
import { namesAlternatives } from "../../../inference/name-meaning.ts";
import { parametersOf } from "../schema/field-types.ts";
import { finding, uniqueFindings } from "../../../contract/finding.ts";
import type { CasePlay } from "../../../contract/planned-case.ts";
import type { CheckedResponse, ExpectedCall, Expectation } from "../../../properties/operation.ts";
import { callEach, callOf, errorsOf, type FieldCall, type FieldSite } from "../run/field-site.ts";
import type { GraphqlRequest } from "../contract/graphql-request.ts";
import type { GraphqlRun } from "../run/graphql-run.ts";
import { pathlessErrors } from "../response-rules/walk-errors.ts";
import { isRequestError } from "../response/read-response.ts";
import { noSuchName, playRefused } from "../response-rules/refused-request.ts";
import { isOfTarget, reasonOf, refusalOf } from "../response/refusal.ts";
import { smallSelection } from "../selection/select-fields.ts";
import { writeRequest } from "../selection/selection.ts";

/** Maximum number of failures that are repeated in a request of their own. */
const mostAlone = 3;

/** Calls a field with inputs and returns the findings of the responses: valid inputs in one request, each of the others in its own. */
export async function expectOfField(
  run: GraphqlRun,
  site: FieldSite,
  play: CasePlay,
  calls: readonly ExpectedCall[],
): Promise<readonly CheckedResponse[]> {
  const accepted = calls.filter(({ expectation }) => expectation.kind === "accepted");
  const inputs = accepted.map(({ input }) => input);
  const called = await callEach(run, site, play, inputs, smallSelection(site));
  const failed = called.filter((one) => errorsOf(one).length > 0);
  const responses: CheckedResponse[] = [];
  for (const call of calls) {
    const one = called[accepted.indexOf(call)];
    responses.push(
      one === undefined
        ? await expectRefused(requestOf(site, call), play, call.expectation)
        : await acceptedOf({ run, site, play }, call.expectation, one, failed.indexOf(one) < mostAlone),
    );
  }
  return responses;
}

/** Sends a request that must be refused: with errors, and without data. */
async function expectRefused(
  request: GraphqlRequest,
  play: CasePlay,
  { rule, subject, accepted, parameter, place = parameter?.place }: Expectation,
): Promise<CheckedResponse> {
  const because = `${subject.charAt(0).toLowerCase()}${subject.slice(1)} is sent`;
  const { response, findings } = await playRefused({ rule, because, subject, accepted, place, request }, play);
  return { kind: response.hasData && response.errors.length === 0 ? "accepted" : "refused", findings };
}

interface Played {
  readonly run: GraphqlRun;
  readonly site: FieldSite;
  readonly play: CasePlay;
}

/** Returns the findings of a valid input: an error with a reason may be right, and one that does not recur is not caused by the value. */
async function acceptedOf(
  { run, site, play }: Played,
  expectation: Expectation,
  call: FieldCall,
  looksAgain: boolean,
): Promise<CheckedResponse> {
  const { response } = call.held;
  const findings = [...call.held.findings, ...pathlessErrors(site.field, response)];
  const errors = errorsOf(call);
  const { certainty, rule, subject, parameter, place = parameter?.place } = expectation;
  const detail = errors[0]?.message ?? reasonOf(response);
  const mayBeRefused = certainty === "open" || namesAlternatives(detail, parametersOf(site.field));
  const refused = mayBeRefused ? [] : [finding(rule, `${subject} is refused`, detail, { place })];
  const broken = uniqueFindings([...findings, ...refused]);
  if (errors.length === 0) {
    if (!isRequestError(response)) return { kind: "accepted", findings };
    return isOfTarget(response) ? { kind: "unclear", findings: [] } : { kind: "refused", findings: broken };
  }
  if (refusalOf({ ...response, errors }) !== "unknown") return { kind: "refused", findings };
  if (certainty !== "documented" || !looksAgain) return { kind: "failed", findings };
  const [again = call] = await callEach(run, site, play, [call.input], smallSelection(site));
  const still = errorsOf(again);
  const isSame = still.length > 0 && refusalOf({ ...again.held.response, errors: still }) === "unknown";
  return isSame ? { kind: "failed", findings: broken } : { kind: "unclear", findings };
}

/** Returns a request with an invalid input: invalid values as variables, unknown names in the document. */
function requestOf(site: FieldSite, { input, expectation }: ExpectedCall): GraphqlRequest {
  const plain = callOf(site, input, { selections: smallSelection(site) });
  const surplus = { name: noSuchName, type: GraphQLInt, value: 1 };
  const given = [...(plain.arguments ?? []), ...(expectation.isSurplus === true ? [surplus] : [])];
  return writeRequest(site.wrap([{ ...plain, arguments: given }]));
}
