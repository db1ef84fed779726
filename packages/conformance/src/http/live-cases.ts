import { withPlace } from "../suite/with-place.ts";
import type { PlannedCase } from "../contract/planned-case.ts";
import type { Rule } from "../contract/rule.ts";
import { isRecord } from "../types/is-record.ts";
import { armsOf, elementOf, memberOf } from "../compare/member-facts.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { plainName } from "../compare/volatile-names.ts";
import { ask, caseOf, type HttpContext, wasSent, wellObserved } from "./http-context.ts";
import { detailOf, skipUnjudged, successFindings } from "./http-expect.ts";
import { type Input, requestKey, requestOf } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { identifierOf, listOf, textOf } from "../compare/list-of.ts";
import { defaultOf, firstValid, integerBounds } from "./relation-base.ts";
import { answersList, pathParametersOf, subjectParameterOf } from "./operation-shape.ts";

/** Whole inputs made of found values that are tried of one operation. */
const mostInputs = 3;

/** Found inputs out of which those that were not sent are taken. */
const mostFound = 16;

/** Asks for what earlier answers named; in later rounds, where nothing that says something was answered so far. */
export function planLive(context: HttpContext, operation: SuiteHttpOperation, round: number): readonly PlannedCase[] {
  const isEmpty = round > 1 && saidNothing(context, operation);
  if (round > 2 && !isEmpty) return [];
  const found = context.session.live.inputsOf(operation.name, isEmpty ? mostFound : mostInputs + 2);
  // What is found are parameters: a body that has to be there is not among them.
  const isWhole = (input: Input): boolean => operation.body?.required !== true || input["body"] !== undefined;
  const fresh = found
    .filter((input) => isWhole(input) && !wasSent(context, operation, input))
    .slice(0, round === 1 || isEmpty ? mostInputs : 2);
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

/**
 * Of an operation that nothing good is known to ask for, an input from what is near: texts that answers have under the very pattern of a
 * parameter, and any number or date that is allowed. It may be refused.
 */
export function planGuessed(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const required = operation.parameters.filter((parameter) => parameter.required);
  const isKnown = wellObserved(context, operation.name).length > 0;
  if (isKnown || operation.method !== "GET" || operation.body?.required === true || required.length === 0) return [];
  const inputs = Array.from({ length: mostGuesses }, (_none, round) => guessedInput(context, required, round));
  const known = new Set<string>();
  const fresh = inputs.filter((input): input is Input => {
    const request = input === undefined ? undefined : requestOf(operation, input);
    if (input === undefined || request === undefined || wasSent(context, operation, input)) return false;
    const key = requestKey(request);
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
  return fresh.map((bare, index) =>
    caseOf(context, operation, {
      group: "live",
      name: index === 0 ? "guessed" : `guessed-${index + 1}`,
      rule: httpRules.validValueLikely,
      expected: "a documented answer to values that are like others",
      isLive: true,
      input: bare,
      play: async (play) => {
        // One that is there is enough.
        if (wellObserved(context, operation.name).length > 0) return [];
        const observation = await ask(context, play, operation, bare);
        if (isRefused(observation.judged.answer.status)) play.skip("What was guessed is nothing that the target has");
        return successFindings(context, play, observation, httpRules.validValueLikely);
      },
    }),
  );
}

/** Guesses of one operation. */
const mostGuesses = 3;

/** An input of guessed values, in each round another one; undefined where there is nothing to guess one from. */
function guessedInput(context: HttpContext, required: readonly SuiteParameter[], round: number): Input | undefined {
  const bare: Record<string, unknown> = {};
  const taken = new Set<unknown>();
  for (const parameter of required) {
    const value = guessedValue(context, parameter, taken, round);
    if (value === undefined) return undefined;
    taken.add(value);
    bare[parameter.property] = value;
  }
  return bare;
}

function guessedValue(
  context: HttpContext,
  parameter: SuiteParameter,
  taken: ReadonlySet<unknown>,
  round: number,
): unknown {
  const { types } = context;
  const arms = armsOf(parameter.type, types);
  const [only] = arms;
  const shown = [...(parameter.examples ?? []), ...(parameter.type.examples ?? []), defaultOf(parameter, types)];
  const known = firstValid(
    parameter,
    shown.filter((value) => value !== undefined),
    types,
  );
  if (known !== undefined) return known;
  if (only === undefined || arms.length > 1) return undefined;
  if (only.kind === "enumeration") return only.values[0];
  if (only.kind === "boolean") return false;
  if (only.kind === "number") return firstValid(parameter, guessedNumbers(parameter, types, round), types);
  if (only.kind !== "string") return undefined;
  if (only.pattern === undefined) return guessedText(context, parameter, only.format, round);
  const alike = textsOfPattern(context, only.pattern);
  const free = alike.filter((text) => !taken.has(text));
  return free[round] ?? free[0] ?? alike[0];
}

/** The ends of a range and its middle, in each round another one first. */
function guessedNumbers(parameter: SuiteParameter, types: SuiteTypes, round: number): readonly unknown[] {
  const { minimum, maximum } = integerBounds(parameter.type, types);
  if (minimum === undefined || maximum === undefined) return [1, 10, minimum];
  const middle = Math.floor((minimum + maximum) / 2);
  return round === 0 ? [1, 10, minimum, middle] : round === 1 ? [middle, minimum] : [maximum, middle];
}

const searchName = /^(?:q|query|search|searchterm|term|terms|text|keyword|keywords|name|title|phrase|word|s)$/;

/** Of what is searched for, a word that stands in an answer. */
function guessedText(
  context: HttpContext,
  parameter: SuiteParameter,
  format: string | undefined,
  round: number,
): unknown {
  if (format !== undefined || !searchName.test(plainName(parameter.name))) return undefined;
  const words = textsOfPattern(context, undefined)
    .flatMap((text) => text.split(/[^\p{L}]+/u))
    .filter((word) => word.length >= 3 && word.length <= 12);
  const valid = [...new Set(words)].filter((word) => firstValid(parameter, [word], context.types) !== undefined);
  return valid[Math.floor((valid.length * round) / mostGuesses)];
}

/** Answers, and values in all of them, that are looked into for texts. */
const mostAnswers = 30;
const mostLooked = 2_000;

/** Texts of answers that the description gives a pattern, or plain ones. */
function textsOfPattern({ observations, types }: HttpContext, pattern: string | undefined): readonly string[] {
  const found = new Set<string>();
  let looked = 0;
  const walk = (value: unknown, type: SuiteType | undefined): void => {
    looked += 1;
    if (looked > mostLooked || type === undefined) return;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) walk(item, elementOf(type, index, types));
    } else if (isRecord(value)) {
      for (const [name, item] of Object.entries(value)) walk(item, memberOf(type, name, types)?.type);
    } else if (typeof value === "string") {
      const isOfPattern = armsOf(type, types).some((arm) => arm.kind === "string" && arm.pattern === pattern);
      if (isOfPattern) found.add(value);
    }
  };
  const answers = [...observations.values()].flat().filter(({ judged }) => judged.kind === "success");
  for (const { judged } of answers.slice(0, mostAnswers)) walk(judged.value, judged.type);
  return [...found];
}

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
