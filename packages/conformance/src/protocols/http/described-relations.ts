import { isBroken } from "../../contract/finding.ts";
import type { PlannedCase } from "../../contract/planned-case.ts";
import { planRelations, type RelationTarget } from "../../relations/relation-cases.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import { ask, type HttpContext } from "./http-context.ts";
import { byProperty } from "../../relations/by-property.ts";

/** What the description says holds between answers. */
export function planDescribed(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  return planRelations(httpTarget(context), operation);
}

/** How relations reach what the description has. */
export function httpTarget(context: HttpContext): RelationTarget {
  return {
    session: context.session,
    isImmutable: (name) => context.operations.get(name)?.isImmutable === true,
    has: (name) => context.operations.has(name),
    ask: async (play, name, input) => {
      const operation = context.operations.get(name);
      if (operation === undefined) return { kind: "nothing", problem: `there is no operation ${name}` };
      const { judged } = await ask(context, play, operation, byProperty(operation.parameters, input));
      const { kind, answer, value, type, findings } = judged;
      if (kind === "success")
        return { kind: "value", value, isBroken: isBroken(findings), ...(type === undefined ? {} : { type }) };
      const isOffered = answer.status !== 501 && answer.status !== 405;
      return isOffered
        ? { kind: "failure", code: String(answer.status) }
        : { kind: "nothing", problem: `${name} is answered with status ${answer.status}` };
    },
  };
}
