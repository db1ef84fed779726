import { showValue } from "../../compare/show-value.ts";
import { type Finding, finding } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import { namesAlternatives } from "../../inference/name-meaning.ts";
import type { FailedCall } from "../../properties/failed-call.ts";
import type { CheckedResponse, ExpectedCall, Expectation, Input } from "../../properties/operation.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import type { SuiteRpcMethod } from "../../suite/suite.ts";
import { isAbsenceFault, missingFindings } from "./absence.ts";
import { goodInput, knownValueOf, requiredOf, sendableInput } from "./good-inputs.ts";
import { callOperation, callWith, documentedCodes, errorCodes, faultText } from "./rpc-call.ts";
import { refusedStylesOf, type RpcContext } from "./rpc-context.ts";
import { paramsOf } from "./rpc-params.ts";
import type { RpcFault, RpcReply } from "./rpc-reply.ts";
import type { RpcParams } from "./rpc-request.ts";
import { rpcRules } from "./rpc-rules.ts";

/** Calls a method with inputs and returns the findings of the responses. */
export async function expectReplies(
  context: RpcContext,
  method: SuiteRpcMethod,
  play: CasePlay,
  calls: readonly ExpectedCall[],
): Promise<readonly CheckedResponse[]> {
  const responses: CheckedResponse[] = [];
  for (const call of calls) {
    const reply = await replyTo(context, method, play, call);
    const missing = missingFindings(context, method, reply, play);
    const findings = missing ?? findingsOf(context, method, reply, call);
    responses.push({ kind: missing === undefined ? kindOf(method, reply) : "unclear", findings });
  }
  return responses;
}

async function replyTo(
  context: RpcContext,
  method: SuiteRpcMethod,
  play: CasePlay,
  { input, expectation: { kind, isSurplus } }: ExpectedCall,
): Promise<RpcReply> {
  const own = { ...context, refusedStyles: refusedStylesOf(context, play) };
  if (kind === "accepted")
    return await callOperation(context, play, method, sendableInput(own, method, input) ?? input);
  const params = isSurplus === true ? surplusParams(own, method, input) : invalidParams(own, method, input);
  return await callWith(context, play, method, params ?? play.skip("The target does not take parameters by name"));
}

/** Returns what an outcome indicates about the input of its call. */
export function kindOf(method: SuiteRpcMethod, { outcome }: Pick<RpcReply, "outcome">): CheckedResponse["kind"] {
  if (outcome.kind === "result") return "accepted";
  if (outcome.kind === "unreadable") return "failed";
  const code = Number(outcome.fault.code);
  if (code === errorCodes.internalError) return "failed";
  if (refersToAlternatives(method, outcome.fault)) return "unclear";
  if (code === errorCodes.invalidParams && !isAbsenceFault(outcome.fault)) return "refused";
  return documentedCodes(method).has(code) || isAbsenceFault(outcome.fault) ? "absent" : "unclear";
}

function refersToAlternatives({ parameters }: SuiteRpcMethod, { message }: RpcFault): boolean {
  return namesAlternatives(message, parameters);
}

function findingsOf(
  context: RpcContext,
  method: SuiteRpcMethod,
  reply: RpcReply,
  { expectation }: ExpectedCall,
): readonly Finding[] {
  if (expectation.kind === "refused") return refusalFindings(method, reply, expectation);
  const isRefused = expectation.certainty === "open" && ["refused", "absent"].includes(kindOf(method, reply));
  return isRefused
    ? reply.findings
    : goodFindings(method, reply, expectation, goodInput(context, method) !== undefined);
}

/**
 * Returns the findings of a call that the document allows: the response must be a result, or one of the method's errors. `documented`: the
 * document itself allows it, by an example, a bound or an enumeration; otherwise the call only matches its types, which do not state all
 * constraints. `isWorking`: the method has returned a result before, so its upstream exists.
 */
export function goodFindings(
  method: SuiteRpcMethod,
  { outcome, findings }: RpcReply,
  expectation: Pick<Expectation, "certainty"> & Partial<Expectation>,
  isWorking = false,
): readonly Finding[] {
  if (outcome.kind !== "error") return findings;
  const { fault } = outcome;
  const code = Number(fault.code);
  const isCertain = expectation.certainty === "documented";
  if (documentedCodes(method).has(code) && !(code === errorCodes.invalidParams && isCertain)) return findings;
  const found = (rule: Rule, message: string, place = method.place): readonly Finding[] => [
    ...findings,
    finding(rule, message, faultText(fault), { place }),
  ];
  switch (code) {
    case errorCodes.methodNotFound:
    case errorCodes.parseError:
      return found(rpcRules.wrongCode, `a call of an existing method has the error ${code}`);
    case errorCodes.invalidParams:
    case errorCodes.invalidRequest: {
      if (refersToAlternatives(method, fault)) return findings;
      const { rule = isCertain ? propertyRules.validInput : propertyRules.validInputHeuristic, subject } = expectation;
      return subject === undefined
        ? found(rule, "parameters that the document allows are refused")
        : found(rule, `${subject} is refused`, placeOf(expectation));
    }
    case errorCodes.internalError: {
      const rule = isWorking && isCertain ? rpcRules.brokenByValue : rpcRules.brokenServer;
      return found(rule, "the call fails inside of the server");
    }
    default:
      return found(propertyRules.validInputHeuristic, "the call gives an error that is not documented");
  }
}

/** Returns the findings of parameters that the document does not allow. */
export function refusalFindings(
  method: SuiteRpcMethod,
  { outcome, findings }: RpcReply,
  expectation: Partial<Expectation> = {},
): readonly Finding[] {
  const { rule = propertyRules.invalidInput, subject, accepted, certainty = "documented" } = expectation;
  const place = placeOf(expectation) ?? method.place;
  if (outcome.kind === "unreadable") return findings;
  if (outcome.kind === "result") {
    const detail = `${accepted === undefined ? "" : `${accepted}; `}the result is ${showValue(outcome.value)}`;
    const message = subject === undefined ? "there is a result instead of an error" : `${subject} is accepted`;
    return [...findings, finding(rule, message, detail, { place })];
  }
  const code = Number(outcome.fault.code);
  const documented = documentedCodes(method);
  if (code === errorCodes.invalidParams || documented.has(code)) return findings;
  const found = (broken: Rule, message: string): readonly Finding[] => [
    ...findings,
    finding(broken, message, faultText(outcome.fault), { place }),
  ];
  if (code === errorCodes.methodNotFound || code === errorCodes.parseError)
    return found(rpcRules.wrongCode, `invalid parameters have the error ${code}`);
  // Dialects have their own codes for parameters that no method has. An internal error is not one of them.
  if (certainty !== "documented" && code !== errorCodes.internalError) return findings;
  // Dialects have their own codes for wrong types and missing parameters, independent of other documented codes.
  return documented.has(errorCodes.invalidParams)
    ? found(rpcRules.refusalCode, "the error is neither documented nor -32602")
    : found(rpcRules.plainRefusalCode, "the error is not -32602");
}

function placeOf({ place, parameter }: Partial<Expectation>): string | undefined {
  return place ?? parameter?.place ?? parameter?.type.place;
}

/** Makes a call that must fail. */
export async function failedCall(
  context: RpcContext,
  method: SuiteRpcMethod,
  play: CasePlay,
  input: Input,
): Promise<FailedCall> {
  const reply = await callWith(context, play, method, paramsOf(method, input));
  const { outcome, findings } = reply;
  const missing = missingFindings(context, method, reply, play);
  if (missing !== undefined) return { findings: missing };
  if (outcome.kind === "unreadable") return { findings };
  if (outcome.kind === "result") return { findings, result: { value: outcome.value } };
  const code = Number(outcome.fault.code);
  const text = faultText(outcome.fault);
  if (code === errorCodes.methodNotFound || code === errorCodes.parseError) {
    const wrong = finding(rpcRules.wrongCode, `invalid parameters lead to ${code}`, text, { place: method.place });
    return { findings: [...findings, wrong], failure: { code, kind: "unclear", text } };
  }
  return { findings, failure: { code, kind: code === errorCodes.invalidParams ? "refused" : "other", text } };
}

/** Returns the params of an invalid input, unchanged. By position only trailing parameters can be missing. */
export function invalidParams(context: RpcContext, method: SuiteRpcMethod, input: Input): RpcParams {
  const { refusedStyles } = context;
  const missing = requiredOf(method).find(({ property }) => input[property] === undefined);
  if (missing === undefined) return paramsOf(method, sendableInput(context, method, input) ?? input);
  if (Object.keys(input).length === 0) return method.parameterStructure === "by-name" ? {} : [];
  if (method.parameterStructure !== "by-position" && !refusedStyles.has("by-name"))
    return paramsOf(method, input, "by-name");
  return method.parameters.slice(0, method.parameters.indexOf(missing)).map(({ property }) => input[property]);
}

/** Returns params with one more: by position when every parameter has a value, else one with an unknown name. */
function surplusParams(context: RpcContext, method: SuiteRpcMethod, input: Input): RpcParams | undefined {
  const { parameterStructure, parameters } = method;
  const values = parameters.map((one) => input[one.property] ?? knownValueOf(context, method, one));
  if (parameterStructure !== "by-name" && !values.includes(undefined)) return [...values, "surplus"];
  const takesNames = parameterStructure !== "by-position" && !context.refusedStyles.has("by-name");
  return takesNames ? { ...paramsOf(method, input, "by-name"), "no-such-parameter": 1 } : undefined;
}
