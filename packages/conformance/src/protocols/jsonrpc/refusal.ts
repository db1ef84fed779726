import { propertyRules } from "../../properties/property-rules.ts";
import { type Finding, finding } from "../../contract/finding.ts";
import type { Rule } from "../../contract/rule.ts";
import { showValue } from "../../compare/show-value.ts";
import { isAboutAbsence, namesThing, saysAbsence } from "../../inference/absence.ts";
import type { SuiteFailure, SuiteParameter, SuiteRpcMethod } from "../../suite/suite.ts";
import type { Place } from "../../suite/suite-type.ts";
import { documentedCodes, errorCodes, faultText } from "./rpc-call.ts";
import type { RpcFault, RpcReply } from "./rpc-reply.ts";
import { rpcRules } from "./rpc-rules.ts";

/** How an answer to wrong parameters is looked at. */
export interface RefusalOptions {
  /** Of what the parameters break. */
  readonly place?: Place | undefined;
  /** What was sent, with what the document requires: for the detail of parameters that were accepted. */
  readonly accepted?: string;
  /** True: a server may well take them, as the document does not forbid them by itself. */
  readonly isHoped?: boolean;
  /** What a result breaks when it is not the usual rule. */
  readonly acceptedRule?: Rule;
  /** Of the message about a result. */
  readonly subject?: string;
}

/** Judges the answer to parameters that the document does not allow. */
export function refusalFindings(
  method: SuiteRpcMethod,
  { outcome, findings }: RpcReply,
  { place = method.place, isHoped = false, accepted, acceptedRule, subject }: RefusalOptions = {},
): readonly Finding[] {
  if (outcome.kind === "unreadable") return findings;
  if (outcome.kind === "result") {
    const rule = acceptedRule ?? propertyRules.invalidInput;
    const detail = `${accepted === undefined ? "" : `${accepted}; `}the result is ${showValue(outcome.value)}`;
    const message = subject === undefined ? "there is a result instead of an error" : `${subject} is accepted`;
    return [...findings, finding(rule, message, detail, { place })];
  }
  return [...findings, ...codeFindings(method, outcome.fault, place, isHoped)];
}

function codeFindings(
  method: SuiteRpcMethod,
  fault: RpcFault,
  place: Place | undefined,
  isHoped: boolean,
): readonly Finding[] {
  const code = Number(fault.code);
  const documented = documentedCodes(method);
  if (code === errorCodes.invalidParams || documented.has(code)) return [];
  const detail = faultText(fault);
  if (code === errorCodes.methodNotFound || code === errorCodes.parseError) {
    return [finding(rpcRules.wrongCode, `wrong parameters are answered with ${code}`, detail, { place })];
  }
  // Dialects have codes of their own for parameters that no method has.
  if (isHoped) return [];
  // Dialects tell wrong types and missing parameters by codes of their own, whatever else is documented.
  if (documented.has(errorCodes.invalidParams))
    return [finding(rpcRules.refusalCode, "the error is none that is documented, nor -32602", detail, { place })];
  return [finding(rpcRules.plainRefusalCode, "the error is not -32602", detail, { place })];
}

/** Whether an error says that what was asked about is not there: parameters of another target's data may be well formed. */
export function isAbsenceFault({ message }: RpcFault): boolean {
  return saysAbsence(message);
}

/** JSON-RPC 2.0, section 5.1: of requests that can't be read, and of methods that are not offered. */
const codesOfRequests: ReadonlySet<number> = new Set([
  errorCodes.parseError,
  errorCodes.invalidRequest,
  errorCodes.methodNotFound,
]);

/** Whether a documented failure is about what is not there. */
export function isAbsenceFailure({ name = "", message = "", rpcCode = 0 }: Partial<SuiteFailure>): boolean {
  return !codesOfRequests.has(rpcCode) && (isAboutAbsence(name) || isAboutAbsence(message));
}

/** Whether the document has an error for what is not there. */
export function documentsAbsence(method: SuiteRpcMethod): boolean {
  return method.failures.some(isAbsenceFailure);
}

/** Whether every documented error for what is not there has a code other than -32602, so that -32602 never means absence. */
export function hasOwnAbsenceCode({ failures }: SuiteRpcMethod): boolean {
  const codes = failures.filter(isAbsenceFailure).map(({ rpcCode }) => rpcCode);
  return codes.length > 0 && !codes.includes(errorCodes.invalidParams) && !codes.includes(undefined);
}

/** Whether the document has an error for a thing that is not there which a parameter names, as "Order not found" for `orderId`. */
export function documentsAbsenceOf(method: SuiteRpcMethod, { name }: Pick<SuiteParameter, "name">): boolean {
  const texts = method.failures.filter(isAbsenceFailure).flatMap((failure) => [failure.name, failure.message ?? ""]);
  return texts.some((text) => namesThing(text, name));
}
