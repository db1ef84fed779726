import { type Finding, finding, isBroken } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import { showValue } from "../../compare/show-value.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import type { RpcSuite, SuiteRpcMethod } from "../../suite/suite.ts";
import { resultTypeOf } from "../../suite/result-type.ts";
import { violationFindings } from "../../properties/value-findings.ts";
import { memoryKey, refusedStylesOf, type RpcContext } from "./rpc-context.ts";
import { declaredFailureFindings } from "./declared-failures.ts";
import { type Input, type ParamsStyle, paramsOf, plainStyle } from "./rpc-params.ts";
import { type RpcFault, type RpcReply, readReply } from "./rpc-reply.ts";
import { type RequestId, requestText, type RpcParams, rpcPost } from "./rpc-request.ts";
import { rpcRules } from "./rpc-rules.ts";

/** Error codes of JSON-RPC 2.0, section 5.1. */
export const errorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
} as const;

/** Calls a method with an input and checks all rules that apply to any response. */
export async function callOperation(
  context: RpcContext,
  play: CasePlay,
  method: SuiteRpcMethod,
  input: Input,
  style?: ParamsStyle,
): Promise<RpcReply> {
  noteParameters(context, method, input);
  const reply =
    style === undefined
      ? await callPlainly(context, play, method, input)
      : await callWith(context, play, method, paramsOf(method, input, style));
  const isPlain = style === undefined || style === plainStyle(method, input);
  if (reply.outcome.kind !== "unreadable" && isPlain) context.memory.set(memoryKey(method, input), reply.outcome);
  if (reply.outcome.kind !== "result") return reply;
  const { value } = reply.outcome;
  const typeFindings = resultFindings(context, method, value);
  const further = typeFindings.length > 0 ? [] : context.inspect(context, method, input, value);
  const findings = [...reply.findings, ...typeFindings, ...further];
  const type = resultTypeOf(method);
  if (type !== undefined && !isBroken(findings)) {
    context.session.live.see({ operation: method.name, input, type, value });
  }
  return { outcome: reply.outcome, findings };
}

/**
 * Calls a method in the default way. A document without `paramStructure` allows both ways, often also for a target that accepts names only:
 * when positions are refused and names are accepted, this is reported once, and all further calls are by name.
 */
async function callPlainly(
  context: RpcContext,
  play: CasePlay,
  method: SuiteRpcMethod,
  input: Input,
): Promise<RpcReply> {
  const { parameterStructure, place } = method;
  const { takenStyles, state } = context;
  const refusedStyles = refusedStylesOf(context, play);
  const isOpen = parameterStructure === undefined;
  const style = isOpen && refusedStyles.has("by-position") ? "by-name" : plainStyle(method, input);
  const reply = await callWith(context, play, method, paramsOf(method, input, style));
  // An empty array may be treated as no parameters at all.
  const hasPositions = style === "by-position" && Object.keys(input).length > 0;
  if (hasPositions && reply.outcome.kind === "result") state.takesPositions = true;
  if (!isOpen || style === "by-name" || state.takesPositions || !refusesParameters(reply)) return reply;
  const named = await callWith(context, play, method, paramsOf(method, input, "by-name"));
  if (named.outcome.kind !== "result" || reply.outcome.kind !== "error") return reply;
  if (!hasPositions && !(await refusesPositions(context, play, method, reply.outcome.fault))) return reply;
  for (const styles of [refusedStyles, context.refusedStyles]) styles.add("by-position");
  takenStyles.add("by-name");
  context.suite = byNameAlone(context.suite);
  const refused = finding(rpcRules.byNameHoped, "parameters by position are refused", faultText(reply.outcome.fault), {
    place,
  });
  return { ...named, findings: [...named.findings, refused] };
}

/**
 * Returns whether a method refused an empty array because it is an array: it is an invalid request then, or one with a value is refused
 * too.
 */
async function refusesPositions(
  context: RpcContext,
  play: CasePlay,
  method: SuiteRpcMethod,
  fault: RpcFault,
): Promise<boolean> {
  if (Number(fault.code) === errorCodes.invalidRequest) return true;
  const [first] = method.parameters;
  const value = first?.default ?? first?.type.default ?? first?.examples?.[0];
  if (value === undefined) return false;
  return refusesParameters(await callWith(context, play, method, [value]));
}

function byNameAlone(suite: RpcSuite): RpcSuite {
  return { ...suite, operations: suite.operations.map((method) => ({ parameterStructure: "by-name", ...method })) };
}

function refusesParameters({ outcome }: RpcReply): boolean {
  if (outcome.kind !== "error") return false;
  const code = Number(outcome.fault.code);
  return code === errorCodes.invalidParams || code === errorCodes.invalidRequest;
}

/** Calls a method with the given params, without validating the type of the result. */
export async function callWith(
  context: RpcContext,
  play: CasePlay,
  method: SuiteRpcMethod,
  params: RpcParams | undefined,
): Promise<RpcReply> {
  const id = idFrom(play);
  const response = await play.send(rpcPost(requestText({ method: method.method, params, id })));
  if (response.isCut) play.skip("The response is longer than the limit of the run");
  const reply = readReply(response, { members: context.suite.envelope, ids: [id] });
  if (reply.outcome.kind !== "error") return reply;
  const { fault } = reply.outcome;
  const strange = declaredFailureFindings(method, params, fault);
  return { ...reply, findings: [...reply.findings, ...strange] };
}

/** Returns where a result does not match its documented type. */
export function resultFindings({ suite }: RpcContext, method: SuiteRpcMethod, value: unknown): readonly Finding[] {
  const type = resultTypeOf(method);
  const nameOf = (pointer: string): string => `the result${pointer === "" ? "" : ` at ${pointer}`}`;
  return type === undefined
    ? []
    : violationFindings(rpcRules.resultType, type, value, suite.types, nameOf, method.place);
}

/** Returns the codes that the document lists for the method's errors. */
export function documentedCodes(method: SuiteRpcMethod): ReadonlySet<number> {
  return new Set(method.failures.flatMap(({ rpcCode }) => (rpcCode === undefined ? [] : [rpcCode])));
}

/** Formats an error as the detail of a finding. */
export function faultText({ code, message }: RpcFault): string {
  return `the error is ${code} ${showValue(message)}`;
}

/** Returns where a documented error's data does not match its type. */
export function faultDataFindings({ suite }: RpcContext, method: SuiteRpcMethod, fault: RpcFault): readonly Finding[] {
  const failure = method.failures.find(
    ({ rpcCode, contents }) => rpcCode === Number(fault.code) && contents.length > 0,
  );
  const type = failure?.contents[0]?.type;
  if (type === undefined || fault.data === undefined) return [];
  const nameOf = (pointer: string): string => `the error's data${pointer === "" ? "" : ` at ${pointer}`}`;
  const place = failure?.place;
  return violationFindings(propertyRules.declaredErrorForm, type, fault.data, suite.types, nameOf, place);
}

/** Returns a request id. Both kinds occur in every run: a string for half of the calls, a number for the others. */
function idFrom(play: CasePlay): RequestId {
  const number = play.random.integer(1, 2 ** 31);
  return play.random.next() < 0.5 ? number : `n${number.toString(36)}`;
}

function noteParameters({ session }: RpcContext, method: SuiteRpcMethod, input: Input): void {
  for (const { property } of method.parameters) {
    if (input[property] !== undefined) session.coverage.seen(method.name, "parameters", property);
  }
}
