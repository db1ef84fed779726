import { isRecord } from "@nodewright/api-model";
import { identifierOf, listOf, textOf } from "../../compare/list-of.ts";
import type { Rule } from "../../contract/rule.ts";
import { foundCalls, likelyCalls, type LiveOperation, neverAccepted } from "../../properties/live-calls.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import { kindOf } from "./expect-input.ts";
import { type HttpContext, wellObserved } from "./http-context.ts";
import { type Input, requestOf } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { inputOperation, planner, type Planner } from "./input-cases.ts";
import { pathParametersOf, subjectParameterOf } from "./operation-shape.ts";

/** Requests for what earlier responses name: parameters, and no body. */
export const planFound =
  (round: number): Planner =>
  (context, operation) =>
    operation.body?.required === true
      ? []
      : planner((live: LiveOperation) => foundCalls(live, round), liveOperation)(context, operation);

/** Requests with likely values, where no request of an operation that reads succeeded. */
export const planLikely: Planner = (context, operation) =>
  operation.method === "GET" && operation.body?.required !== true
    ? planner(likelyCalls, liveOperation)(context, operation)
    : [];

/** What has to be accepted of an operation that accepted nothing so far. */
export const planNeverAccepted: Planner = (context, operation) => {
  const keyOf = (input: Input): string => JSON.stringify(requestOf(operation, input));
  const failing = new Set(
    operation.examples.flatMap(({ input, outcome }) => (outcome.kind === "failure" ? [keyOf(input)] : [])),
  );
  const tried = (context.observations.get(operation.name) ?? []).filter(({ input }) => !failing.has(keyOf(input)));
  const kinds = tried.map((one) => kindOf(context, one));
  return planner((live) => neverAccepted(live, kinds), liveOperation)(context, operation);
};

function liveOperation(context: HttpContext, operation: SuiteHttpOperation): LiveOperation {
  const { live, random } = context.session;
  return {
    ...inputOperation(context, operation),
    operations: context.suite.operations,
    live,
    random,
    foundExpectation: (input) => {
      const isThere = isListed(context, operation, input);
      return { rule: foundRule(context, operation), certainty: isThere ? "documented" : "open", isThere };
    },
  };
}

/** Returns the rule of what is looked up: a declared link leads to it, or names alone. What needs no input names nothing. */
function foundRule({ linkedMembers }: HttpContext, operation: SuiteHttpOperation): Rule {
  if (operation.parameters.length === 0) return httpRules.accepted;
  const subject = subjectParameterOf(operation);
  return subject !== undefined && linkedMembers.has(subject) ? httpRules.linkedFound : httpRules.foundId;
}

/** True where a list at the path above names the input: `/pets` names what `/pets/{petId}` looks up. */
function isListed(context: HttpContext, operation: SuiteHttpOperation, input: Input): boolean {
  const subject = subjectParameterOf(operation);
  if (subject === undefined || pathParametersOf(operation).length !== 1) return operation.parameters.length === 0;
  const above = operation.path.replace(/\/+\{[^{}]*\}\/?$/, "");
  const value = input[subject.property];
  for (const list of context.operations.values()) {
    if (list.method !== "GET" || list.path.replace(/\/$/, "") !== above) continue;
    for (const { judged } of wellObserved(context, list.name)) {
      const items = listOf(judged.value)?.items ?? [];
      const identifier = context.linkedMembers.get(subject) ?? identifierOf(items);
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
