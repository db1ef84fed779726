import { resolvePointer } from "@nodewright/runtime";
import { withPlace } from "../suite/with-place.ts";
import { isHexadecimalText } from "../live/hexadecimal-text.ts";
import type { Finding } from "../contract/finding.ts";
import type { PlannedCase } from "../contract/planned-case.ts";
import type { Rule } from "../contract/rule.ts";
import { type Difference, differences, isSameValue } from "../compare/differences.ts";
import { isTime } from "../examples/example-trust.ts";
import type { SuiteHttpOperation } from "../suite/suite.ts";
import { ask, caseOf, findObservation, type HttpContext, type Observation } from "./http-context.ts";
import { successFindings } from "./http-expect.ts";
import { type Input, requestKey, requestOf } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { identifierOf, identityOf, listOf } from "../compare/list-of.ts";
import { isImmutableOperation } from "./operation-shape.ts";
import { isDeclaredImmutable, isImmutableObservation } from "./immutable.ts";
import { baseInputsOf, observeNow } from "./relation-base.ts";

/** Times that the same is asked for again. */
const repeats = 3;
/** Answers to one request that are compared. */
const mostCompared = 12;

/** How answers to the same request are compared: what the description does not name may be of the request, as a trace of it is. */
export const repeatedly = { namesExtra: true, skipsUnnamed: true };

/** Asks for the same once more. */
export function planRepeats(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const [input] = baseInputsOf(context, operation);
  return input === undefined || operation.method !== "GET" ? [] : [planSame(context, operation, input)];
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
