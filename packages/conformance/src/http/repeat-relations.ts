import { resolvePointer } from "@nodewright/runtime";
import { withPlace } from "../suite/with-place.ts";
import { isHexadecimalText } from "../live/hexadecimal-text.ts";
import type { Finding } from "../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../contract/planned-case.ts";
import type { Rule } from "../contract/rule.ts";
import { type Difference, differences, isSameValue } from "../compare/differences.ts";
import { isTime } from "../examples/example-trust.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../suite/suite.ts";
import { ask, caseOf, findObservation, type HttpContext, type Observation } from "./http-context.ts";
import { successFindings } from "./http-expect.ts";
import { type Input, requestKey, requestOf } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { identifierOf, identityOf, listOf } from "../compare/list-of.ts";
import { isNextName } from "../inference/page-members.ts";
import { isImmutableOperation } from "./operation-shape.ts";
import { isDeclaredImmutable, isImmutableObservation } from "./immutable.ts";
import { linkTarget } from "./page-link.ts";
import { baseInputsOf, defaultOf, observeNow } from "./relation-base.ts";

/** Times that the same is asked for again. */
const repeats = 3;
/** Answers to one request that are compared. */
const mostCompared = 12;

/** How answers to the same request are compared: what the description does not name may be of the request, as a trace of it is. */
export const repeatedly = { namesExtra: true, skipsUnnamed: true };

/** Inputs for which the documented defaults are written out: of some, a parameter changes nothing. */
const mostDefaulted = 3;

/** Asks for the same once more, and with the documented defaults written out. */
export function planRepeats(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const inputs = baseInputsOf(context, operation);
  const [input] = inputs;
  if (input === undefined || operation.method !== "GET") return [];
  const defaults = inputs
    .slice(0, mostDefaulted)
    .flatMap((one, index) => planDefaults(context, operation, one, index === 0 ? "defaults" : `defaults-${index + 1}`));
  return [planSame(context, operation, input), ...defaults];
}

function planSame(context: HttpContext, operation: SuiteHttpOperation, input: Input): PlannedCase {
  const known = findObservation(context, operation, input);
  const isImmutable =
    known === undefined ? isImmutableOperation(operation, context.types) : isImmutableObservation(context, known);
  const isDeclared = known === undefined ? operation.isImmutable === true : isDeclaredImmutable(known);
  const rule = isDeclared ? httpRules.same : httpRules.sameLikely;
  return caseOf(context, operation, {
    group: "relation",
    name: "same-again",
    rule,
    expected: isImmutable ? "the same answer as before" : "the same answer as before, but for what moves",
    requests: repeats + (known === undefined ? 1 : 0),
    isLive: true,
    input,
    play: async (play) => {
      const answers = [...observationsOf(context, operation, input)];
      if (answers.length === 0) answers.push(await observeNow(context, play, operation, input));
      for (let round = 0; round < repeats; round += 1) {
        const again = await ask(context, play, operation, input);
        const found = successFindings(context, play, again, rule);
        if (again.judged.kind !== "success" || found.length > 0) return found;
        answers.push(again);
      }
      const difference = driftOf(context, answers, isImmutable);
      return difference === undefined
        ? flapFindings(context, answers, rule)
        : [changeFinding(rule, difference, "changes between two answers to the same request")];
    },
  });
}

/**
 * What differs between answers to the same request. Of what never changes, all of it is a fault. Of one thing that is asked for by its
 * name, what is no count and no time does not come and go within a moment; nor do the elements of a list change places.
 */
function driftOf(context: HttpContext, answers: readonly Observation[], isImmutable: boolean): Difference | undefined {
  const fresh = answers.slice(-repeats);
  const isStill = (difference: Difference): boolean =>
    mayMove(difference) || (isDecimal(difference) && !changesAlways(fresh, difference));
  for (const compared of [fresh, answers]) {
    const [first] = compared;
    for (const other of compared) {
      if (first === undefined || other === first) continue;
      const found = drift(context, first, other).find((difference) => isImmutable || !isStill(difference));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function changeFinding(rule: Rule, { steady, pointer, detail, place }: Difference, how: string): Finding {
  return {
    rule,
    message: `${steady === "" ? "The body" : steady} ${how}`,
    detail: `${pointer === "" ? "the body" : pointer} ${detail}`,
    pointer: steady,
    ...withPlace(place),
  };
}

/** Amounts are written as texts by many: they move as numbers do. */
function isDecimal({ expected, actual }: Difference): boolean {
  return [expected, actual].every((value) => typeof value === "string" && /^-?\d+\.\d+$/.test(value));
}

/** Whether no two answers in a row agree about a place. */
function changesAlways(answers: readonly Observation[], { pointer }: Difference): boolean {
  const values = answers.map(({ judged }) => resolvePointer(judged.value, pointer));
  return values.every((value, index) => index === 0 || value !== values[index - 1]);
}

/** What moves on does not come back: an answer that does is of two minds. */
function flapFindings(context: HttpContext, answers: readonly Observation[], rule: Rule): readonly Finding[] {
  const { types } = context;
  for (const [index, first] of answers.entries()) {
    const other = answers.slice(index + 1).find((one) => !isSameAnswer(context, first, one));
    if (other === undefined) continue;
    const isBack = answers.slice(answers.indexOf(other) + 1).some((one) => isSameAnswer(context, first, one));
    const [difference] = differences(first.judged.type, first.judged.value, other.judged.value, types, repeatedly);
    if (!isBack || difference === undefined) continue;
    return [changeFinding(rule, difference, "changes and changes back between answers to the same request")];
  }
  return [];
}

function isSameAnswer({ types }: HttpContext, left: Observation, right: Observation): boolean {
  return isSameValue(left.judged.type, left.judged.value, right.judged.value, types, { skipsUnnamed: true });
}

/** Successes of the same request, in the order in which they came. */
function observationsOf(context: HttpContext, operation: SuiteHttpOperation, input: Input): readonly Observation[] {
  const request = requestOf(operation, input);
  if (request === undefined) return [];
  const key = requestKey(request);
  const all = context.observations.get(operation.name) ?? [];
  return all.filter((one) => one.judged.kind === "success" && requestKey(one.request) === key).slice(-mostCompared);
}

/** What is another each time because it is meant to be. */
export function isRandom({ path, name }: SuiteHttpOperation): boolean {
  return /random|sample|shuffle|suggest|recommend|lucky|challenge|nonce|token/i.test(`${path} ${name}`);
}

/** Lists whose elements have identifiers are compared by these: a list that moved on is not another list. */
function drift(context: HttpContext, first: Observation, other: Observation): readonly Difference[] {
  const left = listOf(first.judged.value);
  const right = listOf(other.judged.value);
  const all = differences(first.judged.type, first.judged.value, other.judged.value, context.types, repeatedly);
  if (left === undefined || right === undefined || all.length === 0) return all;
  const identifier = identifierOf([...left.items, ...right.items]);
  const names = (items: readonly unknown[]): readonly (string | undefined)[] =>
    items.map((item) => identityOf(item, identifier));
  const before = names(left.items);
  const after = names(right.items);
  if (before.includes(undefined) || after.includes(undefined)) return all;
  const isMoved = before.length !== after.length || before.some((name) => !after.includes(name));
  // What came or went is the target's life.
  return isMoved ? [] : all;
}

/** Numbers and times move where nothing is named that never changes; so do the hashes of a state. */
export function mayMove({ kind, name, element, expected, actual }: Difference): boolean {
  if (kind === "length") return true;
  if (kind !== "value") return false;
  const areNumbers = isNumber(expected) && isNumber(actual);
  return (
    areNumbers ||
    name === "" ||
    (isTime(expected) && isTime(actual)) ||
    (element === undefined && isHexadecimalText(expected) && isHexadecimalText(actual))
  );
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || typeof value === "bigint";
}

function planDefaults(
  context: HttpContext,
  operation: SuiteHttpOperation,
  input: Input,
  name: string,
): readonly PlannedCase[] {
  const defaults = operation.parameters.flatMap((parameter): readonly (readonly [SuiteParameter, unknown])[] => {
    const value = defaultOf(parameter, context.types);
    return parameter.required || value === undefined || value === null ? [] : [[parameter, value]];
  });
  if (defaults.length === 0) return [];
  return [
    caseOf(context, operation, {
      group: "relation",
      name,
      rule: httpRules.defaultValue,
      expected: "the same answer with every documented default written out",
      requests: 2 + defaults.length,
      isLive: true,
      input: withDefaults(input, defaults),
      play: async (play) => {
        const bare = findObservation(context, operation, input) ?? (await observeNow(context, play, operation, input));
        const explicit = await ask(context, play, operation, withDefaults(input, defaults));
        const found = successFindings(context, play, explicit, httpRules.validValue);
        if (explicit.judged.kind !== "success" || isAlike(context, bare, explicit)) return found;
        const again = await observeNow(context, play, operation, input);
        if (isAlike(context, again, explicit) || !isAlike(context, bare, again)) return found;
        return [...found, await blamedDefault(context, play, { operation, input, again, defaults })];
      },
    }),
  ];
}

interface Blamed {
  readonly operation: SuiteHttpOperation;
  readonly input: Input;
  readonly again: Observation;
  readonly defaults: readonly (readonly [SuiteParameter, unknown])[];
}

/** Finds the one default that makes the difference, so that the finding can name it. */
async function blamedDefault(
  context: HttpContext,
  play: CasePlay,
  { operation, input, again, defaults }: Blamed,
): Promise<Finding> {
  for (const one of defaults) {
    const alone = defaults.length === 1 ? undefined : await ask(context, play, operation, withDefaults(input, [one]));
    if (alone !== undefined && (alone.judged.kind !== "success" || isAlike(context, again, alone))) continue;
    const [parameter] = one;
    const message = `The answer without ${parameter.name} is another than with its default`;
    return { rule: httpRules.defaultValue, message, ...withPlace(parameter.place ?? parameter.type.place) };
  }
  return { rule: httpRules.defaultValue, message: "The answer is another when all defaults are written out" };
}

function withDefaults(input: Input, defaults: readonly (readonly [SuiteParameter, unknown])[]): Input {
  return { ...input, ...Object.fromEntries(defaults.map(([{ property }, value]) => [property, value])) };
}

function isAlike(context: HttpContext, left: Observation, right: Observation): boolean {
  return differences(left.judged.type, left.judged.value, right.judged.value, context.types, repeatedly).every(
    (difference) => mayCount(difference) || isOfRequest(difference),
  );
}

/** A link to the same place with another query, or a token of the next page, repeats how it was asked for. */
function isOfRequest({ kind, name, expected, actual }: Difference): boolean {
  if (kind !== "value" || typeof expected !== "string" || typeof actual !== "string") return false;
  if (isNextName(name)) return true;
  const [left, right] = [linkTarget(expected), linkTarget(actual)];
  return left !== undefined && right !== undefined && left.pathname === right.pathname && left.host === right.host;
}

/** Between two moments counts and times may differ, in what is asked for at either. */
function mayCount(difference: Difference): boolean {
  return difference.kind === "value" && mayMove(difference) && difference.element === undefined;
}
