import { isBroken } from "../../contract/finding.ts";
import type { PlannedCase } from "../../contract/planned-case.ts";
import { byProperty } from "../../relations/by-property.ts";
import { planRelations, type RelationTarget } from "../../relations/relation-cases.ts";
import { answerTypeOf } from "../../suite/answer-type.ts";
import { ask, errorCodes } from "./rpc-call.ts";
import { judgedMethods, type RpcContext } from "./rpc-context.ts";

/** What the description says holds between results. */
export function planDescribed(context: RpcContext): readonly PlannedCase[] {
  const target = rpcTarget(context);
  return judgedMethods(context).flatMap((method) => planRelations(target, method));
}

/** How relations reach what the description has. */
export function rpcTarget(context: RpcContext): RelationTarget {
  const methods = new Map(context.suite.operations.map((method) => [method.name, method]));
  return {
    session: context.session,
    isImmutable: (name) => methods.get(name)?.isImmutable === true,
    has: (name) => methods.has(name),
    ask: async (play, name, input) => {
      const method = methods.get(name);
      const missing = context.missing.get(name);
      if (method === undefined || missing !== undefined)
        return { kind: "nothing", problem: missing ?? `there is no method ${name}` };
      const { outcome, findings } = await ask(context, play, method, byProperty(method.parameters, input));
      if (outcome.kind === "result") {
        const type = answerTypeOf(method);
        const facts = { value: outcome.value, isBroken: isBroken(findings) };
        return { kind: "value", ...facts, ...(type === undefined ? {} : { type }) };
      }
      const code = outcome.kind === "error" ? Number(outcome.fault.code) : errorCodes.methodNotFound;
      return code === errorCodes.methodNotFound
        ? { kind: "nothing", problem: `${name} is not answered` }
        : { kind: "failure", code: String(code) };
    },
  };
}
