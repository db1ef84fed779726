import { isBroken } from "../../contract/finding.ts";
import { type RelationTarget, relationTarget } from "../../relations/relation-cases.ts";
import { resultTypeOf } from "../../suite/result-type.ts";
import { callOperation, errorCodes } from "./rpc-call.ts";
import type { RpcContext } from "./rpc-context.ts";

/** Returns the relation target for the methods of the description. */
export function rpcTarget(context: RpcContext): RelationTarget {
  return relationTarget(context.session, context.suite.operations, async (play, method, input) => {
    const problem = context.missing.get(method.name);
    if (problem !== undefined) return { kind: "nothing", problem };
    const { outcome, findings } = await callOperation(context, play, method, input);
    if (outcome.kind === "result")
      return { kind: "value", value: outcome.value, type: resultTypeOf(method), isBroken: isBroken(findings) };
    return outcome.kind === "unreadable" || Number(outcome.fault.code) === errorCodes.methodNotFound
      ? { kind: "nothing", problem: `${method.name} does not succeed` }
      : { kind: "failure", code: String(outcome.fault.code) };
  });
}
