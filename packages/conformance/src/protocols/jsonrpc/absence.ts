import { isRecord } from "@nodewright/api-model";
import { type Finding, finding } from "../../contract/finding.ts";
import { isUnimplemented } from "../../capabilities/offer.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import { isAboutAbsence, namesType, isAbsenceText } from "../../inference/absence.ts";
import type { SuiteFailure, SuiteParameter, SuiteRpcMethod } from "../../suite/suite.ts";
import { errorCodes, faultText } from "./rpc-call.ts";
import { mayBeMissing, type RpcContext } from "./rpc-context.ts";
import type { RpcFault, RpcReply } from "./rpc-reply.ts";
import { rpcRules } from "./rpc-rules.ts";

/** Reasons in an error's data that indicate a disabled method, or one without an upstream. */
const absentReasons: ReadonlySet<unknown> = new Set(["method-disabled", "not-implemented", "no-node"]);

/**
 * Returns findings when the first call of a method shows that it does not exist; skips the case when the run allows that; returns
 * `undefined` when the method exists. Later cases of a missing method are skipped.
 */
export function missingFindings(
  context: RpcContext,
  method: SuiteRpcMethod,
  { outcome, findings }: RpcReply,
  play: CasePlay,
): readonly Finding[] | undefined {
  if (context.offered.has(method.name)) return undefined;
  if (outcome.kind !== "error" || !isMissing(method, outcome.fault)) {
    if (outcome.kind === "unreadable") return undefined;
    context.present.add(method.name);
    // Parameters are validated before a missing upstream is noticed.
    const looksAtParameters = outcome.kind === "error" && Number(outcome.fault.code) === errorCodes.invalidParams;
    if (!looksAtParameters) context.offered.add(method.name);
    return undefined;
  }
  const { fault } = outcome;
  context.missing.set(method.name, `The method is not there: ${rpcRules.isThere.id}`);
  if (mayBeMissing(context, method) || absentReasons.has(reasonOf(fault)))
    return play.skip("The method is not there, or off for this key");
  const text = "the method is not found";
  return [...findings, finding(rpcRules.isThere, text, faultText(fault), { place: method.place })];
}

/** Returns whether an error indicates that a method does not exist, or not for this key. */
function isMissing(method: SuiteRpcMethod, fault: RpcFault): boolean {
  if (Number(fault.code) === errorCodes.methodNotFound || absentReasons.has(reasonOf(fault))) return true;
  return isUnimplemented({ code: Number(fault.code), message: fault.message }) && !isDocumented(method, fault);
}

/** Returns whether the description itself documents that a method may have no upstream. */
function isDocumented({ failures }: SuiteRpcMethod, { code }: RpcFault): boolean {
  return failures.some(
    ({ rpcCode, message }) =>
      rpcCode === Number(code) && (message === undefined || isUnimplemented({ code: rpcCode, message })),
  );
}

function reasonOf({ data }: RpcFault): unknown {
  return isRecord(data) ? data["reason"] : undefined;
}

/** Returns whether an error reports that the requested object does not exist: well-formed parameters may refer to another target's data. */
export function isAbsenceFault({ message }: RpcFault): boolean {
  return isAbsenceText(message);
}

/** Codes of requests that can't be read, and of methods that do not exist (JSON-RPC 2.0, section 5.1). */
const codesOfRequests: ReadonlySet<number> = new Set([
  errorCodes.parseError,
  errorCodes.invalidRequest,
  errorCodes.methodNotFound,
]);

/** Returns whether a documented failure is about a missing object. */
export function isAbsenceFailure({ name = "", message = "", rpcCode = 0 }: Partial<SuiteFailure>): boolean {
  return !codesOfRequests.has(rpcCode) && (isAboutAbsence(name) || isAboutAbsence(message));
}

/** Returns whether the document has an error for a missing object. */
export function documentsAbsence(method: SuiteRpcMethod): boolean {
  return method.failures.some(isAbsenceFailure);
}

/** Returns whether every documented error for a missing object has a code other than -32602, so that -32602 never means absence. */
export function hasOwnAbsenceCode({ failures }: SuiteRpcMethod): boolean {
  const codes = failures.filter(isAbsenceFailure).map(({ rpcCode }) => rpcCode);
  return codes.length > 0 && !codes.includes(errorCodes.invalidParams) && !codes.includes(undefined);
}

/** Returns whether the document has an error for a missing object that a parameter identifies, such as "Order not found" for `orderId`. */
export function documentsAbsenceOf(method: SuiteRpcMethod, { name }: Pick<SuiteParameter, "name">): boolean {
  const texts = method.failures.filter(isAbsenceFailure).flatMap((failure) => [failure.name, failure.message ?? ""]);
  return texts.some((text) => namesType(text, name));
}
