import type { Finding } from "../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../contract/planned-case.ts";
import { isTime } from "../examples/example-trust.ts";
import type { Rule } from "../contract/rule.ts";
import { armsOf } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import { isRecord } from "../types/is-record.ts";
import type { RecordMember } from "../suite/suite-type.ts";
import { kebabCase } from "../types/kebab-case.ts";
import { ask, caseOf, type HttpContext, type Observation } from "./http-context.ts";
import { successFindings } from "./http-expect.ts";
import { httpRules } from "./http-rules.ts";
import { isIdentifier, textOf } from "../compare/list-of.ts";
import { type Filter, filterFinding, isEnded, isListed, widest } from "./list-filter.ts";
import { firstValid, itemsOf, observe, observeNow } from "./relation-base.ts";

/** Where a bound stands, against the value of an element. */
type BoundPlace = "at" | "above" | "below";

export function planRange(context: HttpContext, filter: Filter, kind: "minimum" | "maximum"): readonly PlannedCase[] {
  const { operation, base, parameter, member } = filter;
  // Just beside a value a bound that is off by a little lets through what it should not, or too little; so it does there, where it is known
  // whether the value is within.
  const isKnown = ruleAtBound(context, filter, kind) === httpRules.range;
  const places: readonly BoundPlace[] = isKnown ? ["at", "above", "below"] : ["above", "below", "at"];
  return places.map((place) =>
    caseOf(context, operation, {
      group: "relation",
      name: `range-${kebabCase(parameter.name)}${place === "at" ? "" : `-${place}`}`,
      rule: httpRules.range,
      expected: `all elements whose ${member.name} is within the bound, and no others`,
      requests: 3,
      isLive: true,
      play: async (play) => {
        const whole = await observe(context, play, operation, { ...base, ...widest(context, operation) });
        // Of a list that goes on, few elements are to be left, so that what was asked for ends.
        const share = isEnded(context, operation, whole) ? 1 / 2 : kind === "minimum" ? 3 / 4 : 1 / 4;
        const bound = boundAmong(itemsOf(whole), member, place, share);
        const valid = firstValid(parameter, [bound], context.types);
        if (valid === undefined) return play.skip("No element has a value to bound by");
        const input = { ...base, ...widest(context, operation), [parameter.property]: valid };
        const bounded = await ask(context, play, operation, input);
        const found = successFindings(context, play, bounded, httpRules.validValue);
        if (bounded.judged.kind !== "success") return found;
        return [...found, ...(await rangeFindings(context, play, filter, { kind, value: valid, whole, bounded }))];
      },
    }),
  );
}

interface Bounded {
  readonly kind: "minimum" | "maximum";
  readonly value: unknown;
  readonly whole: Observation;
  readonly bounded: Observation;
}

async function rangeFindings(
  context: HttpContext,
  play: CasePlay,
  filter: Filter,
  { kind, value: bound, whole, bounded }: Bounded,
): Promise<readonly Finding[]> {
  const { operation, parameter, member } = filter;
  const sign = kind === "minimum" ? 1 : -1;
  const distance = (item: unknown): number | undefined => {
    const value = isRecord(item) ? item[member.name] : undefined;
    return value === undefined || value === null ? undefined : order(value, bound) * sign;
  };
  const outside = itemsOf(bounded).filter((item) => (distance(item) ?? 0) < 0);
  if (outside.length > 0) {
    const message = `There are elements whose ${member.name} is outside ${parameter.name}`;
    return [filterFinding(httpRules.range, message, `${outside.length} of ${itemsOf(bounded).length}`, filter)];
  }
  const rule = ruleAtBound(context, filter, kind);
  const isWithin = (item: unknown): boolean =>
    (distance(item) ?? -1) > 0 || (rule !== undefined && isAtBound(item, member, bound));
  const missing = (all: Observation): readonly unknown[] =>
    itemsOf(all).filter((item) => isWithin(item) && !isListed(context, operation, item, itemsOf(bounded)));
  if (!isEnded(context, operation, bounded)) return [];
  const before = missing(whole);
  if (before.length === 0) return [];
  // What was there before and is there afterwards was there in between.
  const lacking = missing(await observeNow(context, play, operation, whole.input)).filter((item) =>
    isListed(context, operation, item, before),
  );
  if (lacking.length === 0) return [];
  const isAtBoundAlone = lacking.every((item) => isAtBound(item, member, bound));
  const where = isAtBoundAlone ? "the bound of" : "within";
  const message = `There are elements missing whose ${member.name} is ${where} ${parameter.name}`;
  const detail = `${lacking.length} of ${itemsOf(whole).length}`;
  return [filterFinding(isAtBoundAlone ? (rule ?? httpRules.range) : httpRules.range, message, detail, filter)];
}

/** Names of bounds that are themselves within, as people mean them. */
const inclusiveName = /min|max|gte|lte|atleast|atmost|notbefore|notafter/;

/**
 * How sure it is that an element at the bound belongs to the list; undefined where it may not. What is rounded when it is shown may lie
 * beyond the bound that it seems to be at, and a moment is cut off rather than rounded up.
 */
function ruleAtBound({ types }: HttpContext, { parameter, member }: Filter, kind: Bounded["kind"]): Rule | undefined {
  const isSaid = parameter.includesBound === true;
  if (!isSaid && !inclusiveName.test(plainName(parameter.name))) return undefined;
  const isExact = armsOf(member.type, types).every(
    (arm) =>
      arm.kind === "null" ||
      (arm.kind === "number" && arm.integer) ||
      (arm.kind === "string" && (arm.format === "date" || (arm.format === "date-time" && kind === "minimum"))),
  );
  return isSaid && isExact ? httpRules.range : httpRules.rangeLikely;
}

/** Whether an element has the very value that is the bound. */
function isAtBound(item: unknown, { name }: RecordMember, bound: unknown): boolean {
  return isRecord(item) && isIdentifier(bound) && item[name] === bound;
}

/** The value of a member that has a share of all below it, or one just beside it; undefined where no element has one. */
function boundAmong(items: readonly unknown[], member: RecordMember, place: BoundPlace, share: number): unknown {
  const values = items
    .map((item) => (isRecord(item) ? item[member.name] : undefined))
    .filter((value) => typeof value === "number" || typeof value === "string")
    .toSorted((left, right) => order(left, right));
  const found = values[Math.floor(values.length * share)];
  if (found === undefined || place === "at") return found;
  return beside(found, place === "above" ? 1 : -1);
}

const dayMilliseconds = 86_400_000;

/** The next whole number, half a step of the last digit, the next day or second. */
function beside(value: number | string, sign: 1 | -1): unknown {
  if (typeof value === "number") {
    if (Number.isInteger(value)) return value + sign;
    const digits = String(value).split(".")[1]?.length ?? 1;
    return Number((value + (sign * 0.5) / 10 ** digits).toFixed(digits + 1));
  }
  if (!isTime(value)) return undefined;
  const moment = Date.parse(value);
  if (Number.isNaN(moment)) return undefined;
  return value.length === dateLength
    ? new Date(moment + sign * dayMilliseconds).toISOString().slice(0, dateLength)
    : new Date(moment + sign * 1000).toISOString().replace(".000Z", "Z");
}

/** Of `2024-05-06`. */
const dateLength = 10;

function order(left: unknown, right: unknown): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  const [first, second] = [textOf(left), textOf(right)];
  if (isTime(first) && isTime(second)) return timeOrder(first, second);
  return first < second ? -1 : first > second ? 1 : 0;
}

/** Of a day and a moment within it, or near it in another zone, nobody knows which counts as first. */
function timeOrder(left: string, right: string): number {
  const distance = Date.parse(left) - Date.parse(right);
  if (Number.isNaN(distance)) return 0;
  const areAlike = (left.length === dateLength) === (right.length === dateLength);
  return areAlike || Math.abs(distance) > 2 * dayMilliseconds ? distance : 0;
}
