import { type Finding, isBroken } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import { Examples } from "../../properties/example.ts";
import type { ObservedResult } from "../../live/live-values.ts";
import type { Session } from "../../session/session.ts";
import type { HttpSuite, SuiteHttpOperation, SuiteParameter } from "../../suite/suite.ts";
import { resultTypeOf } from "../../suite/result-type.ts";
import type { SuiteTypes } from "../../suite/suite-type.ts";
import type { PlainRequest } from "../../contract/exchange.ts";
import { readBaseUrl } from "../../client/base-url.ts";
import { type ClassifiedResponse, classifyResponse } from "./classify-response.ts";
import { type Input, requestKey, requestOf } from "./http-request.ts";
import { selectsMembers } from "../../inference/effect-roles.ts";
import { linkedMembersOf } from "../../inference/linked-members.ts";
import { isAbove, subjectParameterOf } from "./operation-shape.ts";

/** A request with its response. */
export interface Observation {
  readonly operation: SuiteHttpOperation;
  readonly input: Input;
  readonly request: PlainRequest;
  readonly checked: ClassifiedResponse;
}

/** Shared state of the planners of one HTTP run. */
export interface HttpContext {
  readonly suite: HttpSuite;
  readonly session: Session;
  readonly types: SuiteTypes;
  readonly operations: ReadonlyMap<string, SuiteHttpOperation>;
  readonly examples: Examples;
  /** Parameters that identify the resource of their path → the member that has the identifier, as declared by links. */
  readonly linkedMembers: ReadonlyMap<SuiteParameter, string>;
  /** Additional checks of a valid response: relations within it. */
  readonly responseChecks: readonly ResponseCheck[];
  /** Observations by operation name, in the order of the responses. */
  readonly observations: Map<string, Observation[]>;
  /** Sent requests, as returned by `requestKey`. */
  readonly sent: Set<string>;
}

/** A check within a response, given its request. */
export type ResponseCheck = (context: HttpContext, observation: Observation) => readonly Finding[];

export function createHttpContext(
  suite: HttpSuite,
  session: Session,
  responseChecks: readonly ResponseCheck[],
): HttpContext {
  return {
    suite,
    session,
    types: suite.types,
    operations: new Map(suite.operations.map((operation) => [operation.name, operation])),
    examples: new Examples(suite.types, session.options.examples),
    linkedMembers: linkedMembersOf(suite.operations, subjectParameterOf, isAbove),
    responseChecks,
    observations: new Map(),
    sent: new Set(),
  };
}

/**
 * Calls an operation and validates the response. Records a valid response and passes it to those that collect values. Skips the case when
 * the request of the input can't be written.
 */
export async function callOperation(
  context: HttpContext,
  play: CasePlay,
  operation: SuiteHttpOperation,
  input: Input,
): Promise<Observation> {
  const request = requestOf(operation, input);
  if (request === undefined) return play.skip("The values of the parameters can't be encoded as a request");
  context.sent.add(requestKey(request));
  noteParameters(context, operation, input);
  const response = await play.send(request);
  const whole = classifyResponse(operation, response, context.types);
  const isPart = selectsMembers(operation.parameters, resultTypeOf(operation), input, context.types);
  const checked = isPart ? withoutMissingMembers(whole) : whole;
  const plain: Observation = { operation, input, request, checked };
  const isWell = checked.kind === "success" && !isBroken(checked.findings);
  const further = isWell ? context.responseChecks.flatMap((check) => check(context, plain)) : [];
  const observation = { ...plain, checked: { ...checked, findings: [...checked.findings, ...further] } };
  remember(context, observation, isWell && !isBroken(further));
  return observation;
}

function withoutMissingMembers(checked: ClassifiedResponse): ClassifiedResponse {
  return { ...checked, findings: checked.findings.filter(({ keyword }) => keyword !== "required") };
}

/** Returns the last observation of an input with the same request; `undefined` when it was never sent. */
export function findObservation(
  context: HttpContext,
  operation: SuiteHttpOperation,
  input: Input,
): Observation | undefined {
  const request = requestOf(operation, input);
  if (request === undefined) return undefined;
  const key = requestKey(request);
  return context.observations.get(operation.name)?.findLast((one) => requestKey(one.request) === key);
}

/** Returns whether a request with this input was sent already. */
export function wasSent(context: HttpContext, operation: SuiteHttpOperation, input: Input): boolean {
  const request = requestOf(operation, input);
  return request !== undefined && context.sent.has(requestKey(request));
}

/** Returns successful responses without relevant findings. */
export function wellObserved(context: HttpContext, operation: string): readonly Observation[] {
  const all = context.observations.get(operation) ?? [];
  return all.filter(({ checked }) => checked.kind === "success" && !isBroken(checked.findings));
}

function remember(context: HttpContext, observation: Observation, isWell: boolean): void {
  const { operation, input, checked } = observation;
  const known = context.observations.get(operation.name) ?? [];
  known.push(observation);
  context.observations.set(operation.name, known);
  const { response, type, value } = checked;
  const facts = { operation: operation.name, input, value, ...linkFacts(context, observation) };
  if (isWell && type !== undefined && !(value instanceof Uint8Array)) context.session.live.see({ ...facts, type });
  const failure = checked.kind === "failure" && !isBroken(checked.findings) ? checked.documented : undefined;
  if (failure !== undefined && operation.links.some(({ status }) => status === failure))
    context.session.live.see({ ...facts, type: type ?? { kind: "any" }, statusCode: response.status, failure });
}

/** Returns the values, other than the body, that expressions of an operation's links refer to. */
function linkFacts(
  { session }: HttpContext,
  { operation, request, checked }: Observation,
): Pick<ObservedResult, "headers" | "url" | "statusCode"> {
  const text = JSON.stringify(operation.links.map(({ inputs }) => inputs));
  const address = readBaseUrl(session.options.baseUrl)?.address ?? "";
  const url = `${address}${request.path}${request.query === "" ? "" : `?${request.query}`}`;
  return {
    ...(text.includes("$response.header.") ? { headers: Object.fromEntries(checked.response.headers) } : {}),
    ...(text.includes("$url") ? { url } : {}),
    ...(text.includes("$statusCode") ? { statusCode: checked.response.status } : {}),
  };
}

function noteParameters({ session }: HttpContext, operation: SuiteHttpOperation, input: Input): void {
  for (const { property } of operation.parameters) {
    if (input[property] !== undefined) session.coverage.seen(operation.name, "parameters", property);
  }
  if (input["body"] !== undefined) session.coverage.seen(operation.name, "parameters", "body");
}
