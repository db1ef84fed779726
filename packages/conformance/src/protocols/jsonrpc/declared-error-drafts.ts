import { planDeclaredErrors } from "../../properties/declared-error.ts";
import type { SuiteRpcMethod } from "../../suite/suite.ts";
import { declaredFailures } from "./declared-failures.ts";
import { failedCall } from "./failed-call.ts";
import { goodInput, plausibleInput, sendableInput } from "./good-inputs.ts";
import { notFoundDrafts } from "./not-found-drafts.ts";
import { documentsAbsence } from "./refusal.ts";
import type { RpcDraft, RpcContext } from "./rpc-context.ts";
import { paramsOf } from "./rpc-params.ts";

/** Triggers the errors that a method declares. */
export function* declaredErrorDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<RpcDraft> {
  const base = plausibleInput(context, method);
  if (base === undefined || method.failures.length === 0) return;
  const cases = planDeclaredErrors({
    parameters: method.parameters,
    types: context.suite.types,
    failures: declaredFailures(method),
    base,
    good: context.session.live.goodInputsOf(method.name),
    call: async (play, input) => {
      const sent = sendableInput(context, method, input) ?? play.skip("The target does not take parameters by name");
      const called = await failedCall(context, method, play, sent);
      // Where no call had a result so far, the failure may be another one.
      return goodInput(context, method) === undefined ? { findings: called.findings } : called;
    },
  });
  for (const { input, ...one } of cases) yield { ...one, group: "negative", params: paramsOf(method, input) };
  if (documentsAbsence(method)) yield* notFoundDrafts(context, method, base);
}
