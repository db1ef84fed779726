import { onlyRequired } from "../../properties/boundary.ts";
import { foundCalls, likelyCalls, type LiveOperation, neverAccepted } from "../../properties/live-calls.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import type { SuiteRpcMethod } from "../../suite/suite.ts";
import { kindOf } from "./expect-input.ts";
import { plausibleInput, requiredOf, soughtMethod } from "./good-inputs.ts";
import { draftOf, inputOperation } from "./input-drafts.ts";
import { documentedCodes, errorCodes } from "./rpc-call.ts";
import type { RpcDraft, RpcContext } from "./rpc-context.ts";

/** Calls for what earlier responses name. */
export function foundDrafts(context: RpcContext, method: SuiteRpcMethod, round: number): readonly RpcDraft[] {
  return foundCalls(liveOperation(context, method), round).map(draftOf);
}

/** Calls with likely values, where no call of a method had a result so far. */
export function likelyDrafts(context: RpcContext, method: SuiteRpcMethod): readonly RpcDraft[] {
  return likelyCalls(liveOperation(context, method)).map(draftOf);
}

/** What has to be accepted of a method that accepted nothing so far. */
export function neverAcceptedDrafts(context: RpcContext, method: SuiteRpcMethod): readonly RpcDraft[] {
  if (documentedCodes(method).has(errorCodes.internalError)) return [];
  const made = [...context.memory].filter(([key]) => key.startsWith(`${method.name} `));
  const kinds = made.map(([, outcome]) => kindOf(method, { outcome, findings: [] }));
  return neverAccepted(liveOperation(context, method), kinds).map(draftOf);
}

/** What is optional may be left out. */
export function onlyRequiredDrafts(context: RpcContext, method: SuiteRpcMethod): readonly RpcDraft[] {
  const operation = inputOperation(context, method);
  if (operation.known.length === 0) return [];
  const input = plausibleInput(context, method) ?? {};
  const base = Object.fromEntries(requiredOf(method).map(({ property }) => [property, input[property]]));
  return onlyRequired({ ...operation, base }).map(draftOf);
}

/** Of found values names alone say that they are of the parameters; a call without any needs none. */
function liveOperation(context: RpcContext, method: SuiteRpcMethod): LiveOperation {
  return {
    ...soughtMethod(context, method),
    ...inputOperation(context, method),
    foundExpectation: (input) =>
      Object.keys(input).length === 0
        ? { rule: propertyRules.validInput, certainty: "documented" }
        : { rule: propertyRules.validInputLikely, certainty: "likely" },
  };
}
