import type { PlannedCase } from "../case/planned-case.ts";
import { isRecord } from "../compare/differences.ts";
import type { SuiteHttpOperation } from "../suite/suite.ts";
import { ask, caseOf, type HttpContext, wasSent, wellObserved } from "./http-context.ts";
import { successFindings } from "./http-expect.ts";
import type { Input } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { identifierOf, listOf, pathParametersOf, subjectParameterOf, textOf } from "./operation-shape.ts";

/** Whole inputs made of found values that are tried of one operation. */
const mostInputs = 3;

/** Asks for what earlier answers named. */
export function planLive(context: HttpContext, operation: SuiteHttpOperation, round: number): readonly PlannedCase[] {
  const found = context.session.live.inputsOf(operation.name, mostInputs + 2);
  const fresh = found.filter((input) => !wasSent(context, operation, input)).slice(0, round === 1 ? mostInputs : 2);
  return fresh.map((input, index) =>
    caseOf(context, operation, {
      group: "live",
      name: `found-${round}-${index + 1}`,
      rule: httpRules.foundId,
      expected: "a documented success for what another answer names",
      isLive: true,
      input,
      play: async (play) => {
        const isCertain = isListed(context, operation, input);
        const observation = await ask(context, play, operation, input);
        if (!isCertain && [400, 404, 410, 422].includes(observation.judged.answer.status)) {
          play.skip("What was found may be a name of something else");
        }
        return successFindings(context, play, observation, httpRules.foundId);
      },
    }),
  );
}

/** True where a list at the path above names the input: `/pets` names what `/pets/{petId}` looks up. */
export function isListed(context: HttpContext, operation: SuiteHttpOperation, input: Input): boolean {
  const subject = subjectParameterOf(operation);
  if (subject === undefined || pathParametersOf(operation).length !== 1) return operation.parameters.length === 0;
  const above = operation.path.replace(/\/+\{[^{}]*\}\/?$/, "");
  const value = input[subject.property];
  for (const list of context.operations.values()) {
    if (list.method !== "GET" || list.path.replace(/\/$/, "") !== above) continue;
    for (const { judged } of wellObserved(context, list.name)) {
      const items = listOf(judged.value)?.items ?? [];
      const identifier = identifierOf(items);
      const isThere = items.some((item) =>
        identifier === undefined || !isRecord(item)
          ? textOf(item) === textOf(value)
          : textOf(item[identifier]) === textOf(value),
      );
      if (isThere) return true;
    }
  }
  return false;
}
