import { withPlace } from "../../suite/with-place.ts";
import type { Finding } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import type { CheckedResponse, ExpectedCall, Expectation } from "../../properties/operation.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import { failureTextFindings } from "./failure-text.ts";
import { documentsStatus, isSuccessStatus } from "./http-answer.ts";
import { ask, type HttpContext, type Observation } from "./http-context.ts";
import { detailOf, refersToAlternatives, skipUnjudged, successFindings } from "./http-expect.ts";
import { httpRules } from "./http-rules.ts";
import { isBesideTheInput, refusalFindings } from "./refusal.ts";

/** Requests with inputs of an operation, and what is wrong with the responses. */
export async function expectResponses(
  context: HttpContext,
  operation: SuiteHttpOperation,
  play: CasePlay,
  calls: readonly ExpectedCall[],
): Promise<readonly CheckedResponse[]> {
  const responses: CheckedResponse[] = [];
  for (const { input, expectation } of calls) {
    // HTTP has no rule for query parameters that nobody documents.
    if (expectation.isSurplus === true) play.skip("The protocol allows further parameters");
    const observation = await ask(context, play, operation, input);
    const findings = findingsOf(context, play, observation, expectation);
    responses.push({ kind: kindOf(context, observation), findings });
  }
  return responses;
}

/** Returns what a response says of the input of its request. */
export function kindOf(context: HttpContext, observation: Observation): CheckedResponse["kind"] {
  const { operation, judged } = observation;
  const { status } = judged.answer;
  if (isSuccessStatus(status)) return "accepted";
  if (status >= 500) return "failed";
  if (status === 404 || status === 410) return "absent";
  if (refersToAlternatives(observation)) return "unclear";
  return status < 400 || status === 409 || isBesideTheInput(context, operation, status) ? "unclear" : "refused";
}

function findingsOf(
  context: HttpContext,
  play: CasePlay,
  observation: Observation,
  expectation: Expectation,
): readonly Finding[] {
  const { operation } = observation;
  const parameter = operation.parameters.find(({ property }) => property === expectation.parameter?.property);
  if (expectation.kind === "accepted") return acceptedFindings(context, play, observation, expectation);
  const { rule, subject: what, accepted } = expectation;
  const isInPath = parameter?.location === "path";
  const place = placeOf(expectation);
  const isTold = observation.judged.answer.status === 400 && parameter !== undefined;
  return [
    ...refusalFindings(context, play, observation, { rule, what, isInPath, place, accepted }),
    ...(isTold ? failureTextFindings(observation, parameter.invalidMessage, parameter.place) : []),
  ];
}

/** What does not exist may be reported so, whatever value it was called for with. */
function acceptedFindings(
  context: HttpContext,
  play: CasePlay,
  observation: Observation,
  expectation: Expectation,
): readonly Finding[] {
  skipUnjudged(context, play, observation);
  const { operation, judged } = observation;
  const { rule, certainty, subject, isThere = false } = expectation;
  const { status } = judged.answer;
  if (isThere || status < 400 || status >= 500) return successFindings(context, play, observation, rule);
  const isOtherAbsence = status === 410 && !documentsStatus(operation, 410) && documentsStatus(operation, 404);
  if (isOtherAbsence) {
    const message = "What is not there is answered with status 410 instead of 404";
    return [{ rule: propertyRules.notFound, message, ...withPlace(operation.place) }];
  }
  // RFC 9110, section 15.5.10: a conflict is with the state of the target, not with the request.
  const isUnclear = kindOf(context, observation) === "unclear";
  if (certainty === "open" || isUnclear || status === 404 || status === 410)
    return judged.findings.filter((finding) => finding.rule !== httpRules.failureStatus);
  const message = `${subject} is refused with status ${status}`;
  return [
    { rule, message, ...detailOf(observation), ...withPlace(placeOf(expectation) ?? operation.place) },
    ...judged.findings.filter(({ rule: own }) => own === httpRules.failureBody),
  ];
}

function placeOf({ place, parameter }: Expectation): string | undefined {
  return place ?? parameter?.place ?? parameter?.type.place;
}
