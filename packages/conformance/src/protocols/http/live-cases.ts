import { isRecord } from "@nodewright/api-model";
import { propertyRules } from "../../properties/property-rules.ts";
import { withPlace } from "../../suite/with-place.ts";
import type { PlannedCase } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import { foundInputs, likelyInputs, type SoughtOperation } from "../../properties/found.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import { ask, caseOf, type HttpContext, wasSent, wellObserved } from "./http-context.ts";
import { detailOf, skipUnjudged, successFindings } from "./http-expect.ts";
import type { Input } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { identifierOf, listOf, textOf } from "../../compare/list-of.ts";
import { answersList, pathParametersOf, subjectParameterOf } from "./operation-shape.ts";

/** Whole inputs made of found values that are tried of one operation. */
const mostInputs = 3;

/** Found inputs out of which those that were not sent are taken. */
const mostFound = 16;

/** Asks for what earlier answers named; in later rounds, where nothing that says something was answered so far. */
export function planLive(context: HttpContext, operation: SuiteHttpOperation, round: number): readonly PlannedCase[] {
  const isEmpty = round > 1 && saidNothing(context, operation);
  if (round > 2 && !isEmpty) return [];
  const looked = isEmpty ? mostFound : mostInputs + 2;
  const fresh = foundInputs(soughtOperation(context, operation), looked, round === 1 || isEmpty ? mostInputs : 2);
  return fresh.map((input, index) =>
    caseOf(context, operation, {
      group: "live",
      name: `found-${round}-${index + 1}`,
      rule: foundRule(context, operation),
      expected: "a documented success for what another answer names",
      isLive: true,
      input,
      play: async (play) => {
        const isCertain = isListed(context, operation, input);
        const observation = await ask(context, play, operation, input);
        if (!isCertain && [400, 404, 410, 422].includes(observation.judged.answer.status)) {
          play.skip("What was found may be a name of something else");
        }
        return successFindings(context, play, observation, foundRule(context, operation));
      },
    }),
  );
}

/** Returns the rule of what is looked up: a declared link leads to it, or names alone. What needs no input names nothing. */
function foundRule({ linkedMembers }: HttpContext, operation: SuiteHttpOperation): Rule {
  if (operation.parameters.length === 0) return httpRules.accepted;
  const subject = subjectParameterOf(operation);
  return subject !== undefined && linkedMembers.has(subject) ? httpRules.linkedFound : httpRules.foundId;
}

/** Whether an operation was answered nothing so far, or lists without elements alone: others that it may be asked about have some. */
function saidNothing(context: HttpContext, operation: SuiteHttpOperation): boolean {
  return wellObserved(context, operation.name).every(({ judged }) => listOf(judged.value)?.items.length === 0);
}

/** An operation as those see it who look for its first good calls. */
function soughtOperation(context: HttpContext, operation: SuiteHttpOperation): SoughtOperation {
  const { session, suite, types } = context;
  const needsBody = operation.body?.required === true;
  return {
    name: operation.name,
    parameters: operation.parameters,
    types,
    operations: suite.operations,
    live: session.live,
    random: session.random,
    // What is found are parameters: a body that has to be there is not among them.
    isFresh: (input) => !(needsBody && input["body"] === undefined) && !wasSent(context, operation, input),
  };
}

/**
 * Of an operation that nothing good is known to ask for, an input from what is near: texts that answers have under the very pattern of a
 * parameter, and any number or date that is allowed. It may be refused.
 */
export function planGuessed(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const required = operation.parameters.filter((parameter) => parameter.required);
  const isKnown = wellObserved(context, operation.name).length > 0;
  if (isKnown || operation.method !== "GET" || operation.body?.required === true || required.length === 0) return [];
  const sought = soughtOperation(context, operation);
  const fresh = likelyInputs(sought, mostGuesses).filter(sought.isFresh);
  return fresh.map((bare, index) =>
    caseOf(context, operation, {
      group: "live",
      name: index === 0 ? "guessed" : `guessed-${index + 1}`,
      rule: propertyRules.validInputLikely,
      expected: "a documented answer to values that are like others",
      isLive: true,
      input: bare,
      play: async (play) => {
        // One that is there is enough.
        if (wellObserved(context, operation.name).length > 0) return [];
        const observation = await ask(context, play, operation, bare);
        if (isRefused(observation.judged.answer.status)) play.skip("What was guessed is nothing that the target has");
        return successFindings(context, play, observation, propertyRules.validInputLikely);
      },
    }),
  );
}

/** Guesses of one operation. */
const mostGuesses = 3;

/**
 * A list below something that is there: it may be empty, but it is there for at least one of what its owners' list names.
 */
export function planNeverFound(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const [parameter] = pathParametersOf(operation);
  const isBelow = subjectParameterOf(operation) === undefined && pathParametersOf(operation).length === 1;
  if (parameter === undefined || !isBelow || operation.method !== "GET" || !answersList(operation, context.types))
    return [];
  const above = /^(.*\/\{[^{}]*\})/.exec(operation.path)?.[1];
  const owner = [...context.operations.values()].find(({ method, path }) => method === "GET" && path === above);
  const subject = owner === undefined ? undefined : subjectParameterOf(owner);
  if (owner === undefined || subject === undefined) return [];
  return [
    caseOf(context, operation, {
      group: "live",
      name: "of-what-is-there",
      rule: httpRules.foundId,
      expected: `a success for what ${owner.origin} finds`,
      isLive: true,
      play: async (play) => {
        const there = new Set(wellObserved(context, owner.name).map(({ input }) => textOf(input[subject.property])));
        const asked = (context.observations.get(operation.name) ?? []).filter(({ input }) =>
          there.has(textOf(input[parameter.property])),
        );
        const [first] = asked;
        if (first === undefined || asked.some(({ judged }) => !isRefused(judged.answer.status))) return [];
        const again = await ask(context, play, operation, first.input);
        const { status } = again.judged.answer;
        if (!isRefused(status)) return [];
        skipUnjudged(context, play, again);
        const message = `Status ${status} for all that ${owner.origin} finds`;
        return [{ rule: httpRules.foundId, message, ...detailOf(again), ...withPlace(operation.place) }];
      },
    }),
  ];
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

/** Of what was asked for, not of the traffic. */
function isRefused(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
