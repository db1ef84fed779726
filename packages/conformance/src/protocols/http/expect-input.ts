import { isRecord } from "@nodewright/api-model";
import { showValue } from "../../compare/show-value.ts";
import { type Finding, finding } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import type { FailedCall } from "../../properties/failed-call.ts";
import type { CheckedResponse, Expectation, ExpectedCall } from "../../properties/operation.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../../suite/suite.ts";
import { detailOf, documentsStatus, isSuccessStatus } from "./classify-response.ts";
import { type HttpContext, type Observation, wellObserved } from "./http-context.ts";
import { call, refersToAlternatives, successFindings } from "./http-expect.ts";
import type { Input } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";

/** Statuses that report an invalid input. */
const refusals = [400, 422] as const;

/** Statuses that are unrelated to the input. */
const independentOfInput: ReadonlySet<number> = new Set([408, 413, 414, 429, 431]);

/** Statuses that report something else than an invalid input, even where they are documented. */
const notOfInput: ReadonlySet<number> = new Set([401, 403, 404, 405, 409, 429]);

/** Sends requests with inputs of an operation and returns the findings of the responses. */
export async function expectResponses(
  context: HttpContext,
  operation: SuiteHttpOperation,
  play: CasePlay,
  calls: readonly ExpectedCall[],
): Promise<readonly CheckedResponse[]> {
  const responses: CheckedResponse[] = [];
  for (const { input, expectation } of calls) {
    // HTTP has no rule for undocumented query parameters.
    if (expectation.isSurplus === true) play.skip("The protocol allows further parameters");
    const observation = await call(context, play, operation, input);
    const findingsOf = expectation.kind === "accepted" ? acceptedFindings : refusedFindings;
    responses.push({ kind: kindOf(context, observation), findings: findingsOf(context, observation, expectation) });
  }
  return responses;
}

/** Returns what a response indicates about the input of its request. */
export function kindOf(context: HttpContext, observation: Observation): CheckedResponse["kind"] {
  const { operation, checked } = observation;
  const { status } = checked.response;
  if (isSuccessStatus(status)) return "accepted";
  if (status >= 500) return "failed";
  if (isAbsence(status)) return "absent";
  if (refersToAlternatives(observation)) return "unclear";
  return status < 400 || status === 409 || isIndependentOfInput(context, operation, status) ? "unclear" : "refused";
}

export function isAbsence(status: number): boolean {
  return status === 404 || status === 410;
}

/** Returns whether a status is about the client or its rate, not about the requested resource. */
function isIndependentOfInput(context: HttpContext, operation: SuiteHttpOperation, status: number): boolean {
  if (independentOfInput.has(status)) return true;
  if (status !== 401 && status !== 403) return false;
  if (documentsStatus(operation, status)) return true;
  // Once access was granted, a denial is not about credentials.
  return Object.keys(context.suite.security).length > 0 && wellObserved(context, operation.name).length === 0;
}

/** Returns the findings of a valid input. Any value may be reported as not found. */
function acceptedFindings(
  context: HttpContext,
  observation: Observation,
  expectation: Expectation,
): readonly Finding[] {
  const { operation, checked } = observation;
  const { rule, certainty, subject, isThere = false } = expectation;
  const { status } = checked.response;
  if (isThere || status < 400 || status >= 500) return successFindings(observation, rule);
  if (status === 410 && !documentsStatus(operation, 410) && documentsStatus(operation, 404)) {
    const message = "A missing resource has the status 410 instead of 404";
    return [finding(propertyRules.notFound, message, undefined, operation)];
  }
  // RFC 9110, section 15.5.10: a conflict is with the state of the target, not with the request.
  if (certainty === "open" || ["unclear", "absent"].includes(kindOf(context, observation)))
    return checked.findings.filter((one) => one.rule !== httpRules.failureStatus);
  const place = placeOf(expectation) ?? operation.place;
  return [
    finding(rule, `${subject} is refused with status ${status}`, detailOf(observation.checked.response), { place }),
    ...checked.findings.filter((one) => one.rule === httpRules.failureBody),
  ];
}

/** Returns the findings of an input that the description excludes: it must lead to a documented 4xx for invalid input, else to any 4xx. */
function refusedFindings(context: HttpContext, observation: Observation, expectation: Expectation): readonly Finding[] {
  const { operation, checked } = observation;
  const { rule, subject, accepted } = expectation;
  const { status } = checked.response;
  const detail = detailOf(observation.checked.response);
  const place = placeOf(expectation) ?? operation.place;
  if (isSuccessStatus(status)) {
    const shown = accepted === undefined ? detail : `${accepted}; ${detail}`;
    return [finding(rule, `${subject} is accepted`, shown, { place })];
  }
  if (status >= 500 || status < 400) return checked.findings;
  const parameter = operation.parameters.find(({ property }) => property === expectation.parameter?.property);
  const isNotThere = parameter?.location === "path" && isAbsence(status);
  const isFitting = documentsClass(operation) || (documentsStatus(operation, status) && !notOfInput.has(status));
  const text = parameter === undefined || status !== 400 ? [] : failureTextFindings(observation, parameter);
  if (!documentsRefusal(operation) || isFitting || isNotThere || isIndependentOfInput(context, operation, status))
    return [...checked.findings, ...text];
  const message = `${subject} has the status ${status} instead of ${documentedRefusals(operation).join(" or ")}`;
  return [finding(rule, message, detail, { place }), ...text];
}

function placeOf({ place, parameter }: Expectation): string | undefined {
  return place ?? parameter?.place ?? parameter?.type.place;
}

function documentedRefusals(operation: SuiteHttpOperation): readonly number[] {
  return refusals.filter((status) => operation.failures.some((failure) => failure.status === status));
}

function documentsClass(operation: SuiteHttpOperation): boolean {
  return operation.failures.some(({ status }) => status === "4XX");
}

/** Returns whether the description has a failure response for invalid inputs. */
export function documentsRefusal(operation: SuiteHttpOperation): boolean {
  return documentedRefusals(operation).length > 0 || documentsClass(operation);
}

/** Checks a failure against the message that the description fixes for a parameter; a failure without any message is accepted. */
function failureTextFindings(
  { checked }: Observation,
  { invalidMessage: text, place }: SuiteParameter,
): readonly Finding[] {
  const reported = failureText(checked.value);
  if (text === undefined || reported === undefined || reported.trim() === text.trim()) return [];
  const message = "The text of the failure is not the one that the description states";
  return [finding(httpRules.failureText, message, `${showValue(reported)} instead of ${showValue(text)}`, { place })];
}

/** Returns the body when it is a string, else its message: of `{ "error": { "message" } }` or `{ "message" }`. */
export function failureText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!isRecord(value)) return undefined;
  const { error, message } = value;
  const text = isRecord(error) ? error["message"] : (error ?? message);
  return typeof text === "string" ? text : undefined;
}

/** Sends a request that must fail. */
export async function failedCall(
  context: HttpContext,
  operation: SuiteHttpOperation,
  play: CasePlay,
  input: Input,
): Promise<FailedCall> {
  const observation = await call(context, play, operation, input);
  const { findings, response, value } = observation.checked;
  const { status: code } = response;
  if (isSuccessStatus(code)) return { findings, result: { value: value ?? null } };
  const isUnclear = code < 400 || code >= 500 || isIndependentOfInput(context, operation, code);
  const isRefusal = code === 400 || code === 422 || (documentsStatus(operation, code) && !isAbsence(code));
  const kind = isUnclear ? "unclear" : isRefusal ? "refused" : "other";
  return { findings, failure: { code, kind, text: detailOf(observation.checked.response) } };
}
