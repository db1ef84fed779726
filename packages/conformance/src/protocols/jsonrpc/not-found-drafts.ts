import { finding } from "../../contract/finding.ts";
import { looksAtValue, mayBeAbsent } from "../../inference/absence.ts";
import { type DeclaredAbsence, planNotFound } from "../../properties/not-found.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../../suite/suite.ts";
import { withPlace } from "../../suite/with-place.ts";
import { failedCall } from "./failed-call.ts";
import { requiredOf } from "./good-inputs.ts";
import { documentsAbsence, documentsAbsenceOf, isAbsenceFailure } from "./refusal.ts";
import { documentedCodes } from "./rpc-call.ts";
import type { RpcDraft, RpcContext } from "./rpc-context.ts";
import { type Input, paramsOf } from "./rpc-params.ts";
import { rpcRules } from "./rpc-rules.ts";

/** Calls for things that do not exist, by identifiers of the form of those that do. */
export function notFoundDrafts(context: RpcContext, method: SuiteRpcMethod, base: Input): readonly RpcDraft[] {
  if (looksAtValue(method.method) && !documentsAbsence(method)) return [];
  const identifiers = requiredOf(method).filter(({ name, property }) => mayBeAbsent(name, base[property]));
  const { session, suite } = context;
  return planNotFound({
    types: suite.types,
    ...withPlace(method.place),
    identifiers,
    base,
    random: session.random.fork(`${method.name}/negative`),
    known: (parameter) => session.live.valuesOf(method.name, parameter as SuiteParameter),
    declared: (parameter) => declaredAbsence(method, parameter as SuiteParameter),
    call: async (play, input) => {
      const called = await failedCall(context, method, play, input);
      const { failure } = called;
      if (failure === undefined || failure.kind === "unclear" || documentsAbsence(method)) return called;
      if (documentedCodes(method).has(failure.code)) return called;
      const text = "the error is none that is documented";
      const plain = finding(rpcRules.plainAbsentCode, text, failure.text, { place: method.place });
      return { ...called, findings: [...called.findings, plain] };
    },
  }).map(({ input, ...one }) => ({ ...one, group: "negative", params: paramsOf(method, input) }));
}

function declaredAbsence(method: SuiteRpcMethod, parameter: SuiteParameter): DeclaredAbsence | undefined {
  const failures = method.failures.filter(isAbsenceFailure);
  const [failure] = failures;
  if (failure === undefined) return undefined;
  const codes = failures.map(({ rpcCode }) => rpcCode ?? "that is documented");
  // Next to another required parameter, what does not exist may be what that one names.
  const isOwn = requiredOf(method).length === 1 || documentsAbsenceOf(method, parameter);
  const text = `the error ${codes.join(" or ")}`;
  return { text, codes: [...documentedCodes(method)], isOwn, ...withPlace(failure.place) };
}
