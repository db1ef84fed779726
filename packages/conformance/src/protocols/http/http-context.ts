import { type Finding, isBroken } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import { Examples } from "../../properties/example.ts";
import type { SeenAnswer } from "../../live/live-values.ts";
import type { Session } from "../../session/session.ts";
import type { HttpSuite, SuiteHttpOperation, SuiteParameter } from "../../suite/suite.ts";
import { answerTypeOf } from "../../suite/answer-type.ts";
import type { SuiteTypes } from "../../suite/suite-type.ts";
import type { PlainRequest } from "../../contract/exchange.ts";
import { readBaseUrl } from "../../client/base-url.ts";
import { type JudgedAnswer, judgeAnswer } from "./http-answer.ts";
import { type Input, requestKey, requestOf } from "./http-request.ts";
import { asksForSomeMembers } from "../../inference/effect-roles.ts";
import { linkedMembersOf } from "../../inference/linked-members.ts";
import { isAbove, subjectParameterOf } from "./operation-shape.ts";

/** A request that was answered. */
export interface Observation {
  readonly operation: SuiteHttpOperation;
  readonly input: Input;
  readonly request: PlainRequest;
  readonly judged: JudgedAnswer;
}

/** What the planners of one HTTP run share, and what they found out so far. */
export interface HttpContext {
  readonly suite: HttpSuite;
  readonly session: Session;
  readonly types: SuiteTypes;
  readonly operations: ReadonlyMap<string, SuiteHttpOperation>;
  readonly examples: Examples;
  /** Parameters that name the thing of their path → the member that holds the name, as declared links tell. */
  readonly linkedMembers: ReadonlyMap<SuiteParameter, string>;
  /** Further checks of every answer that is well by itself: relations within one answer. */
  readonly answerChecks: readonly AnswerCheck[];
  /** By name of the operation, in the order of the answers. */
  readonly observations: Map<string, Observation[]>;
  /** Requests that were sent, by `requestKey`. */
  readonly sent: Set<string>;
}

/** What has to hold within an answer, given what was asked for. */
export type AnswerCheck = (context: HttpContext, observation: Observation) => readonly Finding[];

export function createHttpContext(
  suite: HttpSuite,
  session: Session,
  answerChecks: readonly AnswerCheck[],
): HttpContext {
  return {
    suite,
    session,
    types: suite.types,
    operations: new Map(suite.operations.map((operation) => [operation.name, operation])),
    examples: new Examples(suite.types, session.options.examples),
    linkedMembers: linkedMembersOf(suite.operations, subjectParameterOf, isAbove),
    answerChecks,
    observations: new Map(),
    sent: new Set(),
  };
}

/**
 * Asks an operation for something and judges the answer; what is well is remembered and shown to those who look for values. Skips the
 * case where the input can't be written.
 */
export async function ask(
  context: HttpContext,
  play: CasePlay,
  operation: SuiteHttpOperation,
  input: Input,
): Promise<Observation> {
  const request = requestOf(operation, input);
  if (request === undefined) return play.skip("The input can't be written as a request");
  context.sent.add(requestKey(request));
  noteParameters(context, operation, input);
  const answer = await play.send(request);
  const whole = judgeAnswer(operation, answer, context.types);
  const isPart = asksForSomeMembers(operation.parameters, answerTypeOf(operation), input, context.types);
  const judged = isPart ? withoutMissingMembers(whole) : whole;
  const plain: Observation = { operation, input, request, judged };
  const isWell = judged.kind === "success" && !isBroken(judged.findings);
  const further = isWell ? context.answerChecks.flatMap((check) => check(context, plain)) : [];
  const observation = { ...plain, judged: { ...judged, findings: [...judged.findings, ...further] } };
  remember(context, observation, isWell && !isBroken(further));
  return observation;
}

function withoutMissingMembers(judged: JudgedAnswer): JudgedAnswer {
  return { ...judged, findings: judged.findings.filter(({ keyword }) => keyword !== "required") };
}

/** The last observation of an input that is the same request; undefined when it was never asked. */
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

/** True when a request of this input was sent already. */
export function wasSent(context: HttpContext, operation: SuiteHttpOperation, input: Input): boolean {
  const request = requestOf(operation, input);
  return request !== undefined && context.sent.has(requestKey(request));
}

/** Answers that were successes without a finding that counts. */
export function wellObserved(context: HttpContext, operation: string): readonly Observation[] {
  const all = context.observations.get(operation) ?? [];
  return all.filter(({ judged }) => judged.kind === "success" && !isBroken(judged.findings));
}

function remember(context: HttpContext, observation: Observation, isWell: boolean): void {
  const { operation, input, judged } = observation;
  const known = context.observations.get(operation.name) ?? [];
  known.push(observation);
  context.observations.set(operation.name, known);
  const { answer, type, value } = judged;
  const facts = { operation: operation.name, input, value, ...linkFacts(context, observation) };
  if (isWell && type !== undefined && !(value instanceof Uint8Array)) context.session.live.see({ ...facts, type });
  const failure = judged.kind === "failure" && !isBroken(judged.findings) ? judged.documented : undefined;
  if (failure !== undefined && operation.links.some(({ status }) => status === failure))
    context.session.live.see({ ...facts, type: type ?? { kind: "any" }, statusCode: answer.status, failure });
}

/** What expressions of an operation's links name of a response beside its body. */
function linkFacts(
  { session }: HttpContext,
  { operation, request, judged }: Observation,
): Pick<SeenAnswer, "headers" | "url" | "statusCode"> {
  const text = JSON.stringify(operation.links.map(({ inputs }) => inputs));
  const address = readBaseUrl(session.options.baseUrl)?.address ?? "";
  const url = `${address}${request.path}${request.query === "" ? "" : `?${request.query}`}`;
  return {
    ...(text.includes("$response.header.") ? { headers: Object.fromEntries(judged.answer.headers) } : {}),
    ...(text.includes("$url") ? { url } : {}),
    ...(text.includes("$statusCode") ? { statusCode: judged.answer.status } : {}),
  };
}

function noteParameters({ session }: HttpContext, operation: SuiteHttpOperation, input: Input): void {
  for (const { property } of operation.parameters) {
    if (input[property] !== undefined) session.coverage.seen(operation.name, "parameters", property);
  }
  if (input["body"] !== undefined) session.coverage.seen(operation.name, "parameters", "body");
}
