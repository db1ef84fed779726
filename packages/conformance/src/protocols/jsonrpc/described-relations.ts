import { isBroken } from "../../contract/finding.ts";
import type { PlannedCase } from "../../contract/planned-case.ts";
import { byProperty } from "../../relations/by-property.ts";
import { planRelations, type RelationTarget } from "../../relations/relation-cases.ts";
import { ask } from "./rpc-call.ts";
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
    call: async (play, name, input) => {
      const method = methods.get(name);
      const missing = context.missing.get(name);
      if (method === undefined || missing !== undefined) return { problem: missing ?? `there is no method ${name}` };
      const { outcome, findings } = await ask(context, play, method, byProperty(method.parameters, input));
      if (outcome.kind !== "result") return { problem: `${name} is answered with an error` };
      return isBroken(findings) ? { problem: `the result of ${name} is not as described` } : { value: outcome.value };
    },
  };
}
