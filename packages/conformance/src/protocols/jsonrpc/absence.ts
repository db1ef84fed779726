import { isRecord } from "@nodewright/api-model";
import { type Finding, finding } from "../../contract/finding.ts";
import { isUnimplemented } from "../../capabilities/offer.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import { isAboutAbsence, namesThing, saysAbsence } from "../../inference/absence.ts";
import type { SuiteFailure, SuiteParameter, SuiteRpcMethod } from "../../suite/suite.ts";
import { errorCodes, faultText } from "./rpc-call.ts";
import { mayBeMissing, type RpcContext } from "./rpc-context.ts";
import type { RpcFault, RpcReply } from "./rpc-reply.ts";
import { rpcRules } from "./rpc-rules.ts";

/** Reasons in the data of an error that say that a method is switched off, or that nothing stands behind it. */
const absentReasons: ReadonlySet<unknown> = new Set(["method-disabled", "not-implemented", "no-node"]);

/**
 * What the first call of a method says about its being there: findings where it is not, or a skipped case where the run allows that;
 * undefined where it is. Later cases of a method that is not there are skipped.
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
    // Parameters are looked at before it shows that nothing stands behind a method.
    const looksAtParameters = outcome.kind === "error" && Number(outcome.fault.code) === errorCodes.invalidParams;
    if (!looksAtParameters) context.offered.add(method.name);
    return undefined;
  }
  const { fault } = outcome;
  context.missing.set(method.name, `The method is not there: ${rpcRules.isThere.id}`);
  if (mayBeMissing(context, method) || absentReasons.has(reasonOf(fault)))
    return play.skip("The method is not there, or off for this key");
  const text = "the method is answered as not found";
  return [...findings, finding(rpcRules.isThere, text, faultText(fault), { place: method.place })];
}

/** Whether an error says that a method is not there, or not for this key. */
function isMissing(method: SuiteRpcMethod, fault: RpcFault): boolean {
  if (Number(fault.code) === errorCodes.methodNotFound || absentReasons.has(reasonOf(fault))) return true;
  return isUnimplemented({ code: Number(fault.code), message: fault.message }) && !isDocumented(method, fault);
}

/** A description may say itself that a method has nothing behind it. */
function isDocumented({ failures }: SuiteRpcMethod, { code }: RpcFault): boolean {
  return failures.some(
    ({ rpcCode, message }) =>
      rpcCode === Number(code) && (message === undefined || isUnimplemented({ code: rpcCode, message })),
  );
}

function reasonOf({ data }: RpcFault): unknown {
  return isRecord(data) ? data["reason"] : undefined;
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
