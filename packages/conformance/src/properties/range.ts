import { distanceOf, isTime, isUnixTime } from "../compare/value-order.ts";
import { armsOf } from "../compare/member-facts.ts";
import { type InferredFilter, isBound } from "../inference/list-filters.ts";
import { isStart } from "../inference/name-meaning.ts";
import {
  type Selection,
  selectionCheck,
  chosenTotalProblems,
  depthWithin,
  elementProblems,
  isCallableWith,
  lets,
  valuesOf,
} from "./choice.ts";
import type { Page } from "./operation.ts";
import type { Check, Knowledge, Problem, Property } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/** Property that a bound matches all elements within it, and no others. */
export const rangeProperty: Property = { name: "range", rule: propertyRules.range, checks };

/** Maximum number of bounds to call with. */
const mostBounds = 2;

function* checks(knowledge: Knowledge): Generator<Check> {
  for (const filter of knowledge.filters.filter(isBound)) {
    yield selectionCheck(knowledge, filter, {
      kind: "range",
      expected: `all elements whose ${filter.path.join(".")} is within ${filter.name}, and no others`,
      most: mostBounds,
      values: (all) => boundsAmong(knowledge, filter, all),
      problems: (choice) => {
        const problems = problemsOf(knowledge, filter, choice);
        // An enumeration may list its values in either order.
        const isOtherOrder = filter.order !== undefined && problemsOf(knowledge, reversed(filter), choice).length === 0;
        return isOtherOrder ? [] : problems.map((one) => ({ ...one, isUnsure: filter.isOfPart === true }));
      },
    });
  }
}

function reversed(filter: InferredFilter): InferredFilter {
  return { ...filter, order: filter.order?.toReversed() ?? [] };
}

/** Returns a value of the elements and its neighbors: they reveal off-by-one errors. */
function boundsAmong(knowledge: Knowledge, filter: InferredFilter, all: Page): readonly unknown[] {
  const { path, test, order } = filter;
  if (order !== undefined) {
    const seen = new Set(valuesOf(path, all.items));
    const inner = order.slice(1, -1).filter((value) => seen.has(value));
    return seen.size < 2 ? [] : inner.filter((value) => isCallableWith(knowledge, filter, value));
  }
  const values = valuesOf(path, all.items)
    .filter((value) => distanceOf(value, value) !== undefined)
    .toSorted((left, right) => distanceOf(left, right) ?? 0);
  // For a list that continues few elements should remain, so that the filtered list is complete.
  const share = knowledge.isEnded(all) ? 1 / 2 : test === "minimum" ? 3 / 4 : 1 / 4;
  const found = values[Math.floor(values.length * share)];
  if (found === undefined || new Set(values).size < 2) return [];
  const isKnown = filter.includesBound !== undefined && isExactAtBound(knowledge, filter, found, all);
  const [above, below] = [nextTo(found, 1), nextTo(found, -1)];
  // An element at the bound reveals an error to one side, a neighboring value the other one.
  const isOther = (test === "minimum") === (filter.includesBound === true);
  // Values without neighbors, such as strings of decimals, are used themselves.
  const bounds = isKnown || above === undefined ? [found, isOther ? above : below] : [above, below];
  const isValid = (bound: unknown): boolean => bound !== undefined && isCallableWith(knowledge, filter, bound);
  return [...new Set(bounds.flatMap((bound) => spellingsOf(bound).filter(isValid).slice(0, 1)))];
}

/** Returns a value, and other forms of a date or time: a parameter may take dates or Unix time where elements have timestamps. */
function spellingsOf(value: unknown): readonly unknown[] {
  const text = isUnixTime(value) ? momentOf(value * 1000) : value;
  if (typeof text !== "string" || !isTime(text)) return [value];
  const other = text.length === dateLength ? `${text}T00:00:00Z` : text.slice(0, dateLength);
  return [value, text, other, Math.floor(Date.parse(text) / 1000)];
}

function problemsOf(knowledge: Knowledge, filter: InferredFilter, choice: Selection): readonly Problem[] {
  const { name, path, includesBound } = filter;
  const { value: bound, all, found } = choice;
  const member = path.join(".");
  const depthOf = (item: unknown): number | undefined => depthWithin(filter, item, bound);
  // A list may descend from the height at which it starts.
  if (typeof bound !== "string" && isStart(name) && found.items.every((item) => (depthOf(item) ?? 0) <= 0)) return [];
  const atBound = isExactAtBound(knowledge, filter, bound, all) ? includesBound : undefined;
  const isPast = (item: unknown): boolean | undefined => lets(knowledge.operation, filter, item, bound);
  const isWithin = (item: unknown): boolean | undefined => (depthOf(item) === 0 ? atBound : isPast(item));
  const outside = found.items.filter((item) => isWithin(item) === false);
  if (outside.length > 0)
    return elementProblems(`there are elements whose ${member} is outside ${name}`, filter, outside, found.items);
  const total = chosenTotalProblems(name, choice, isPast);
  if (total.length > 0 || !knowledge.isEnded(found, all)) return total;
  const missing = all.items.filter((item) => isWithin(item) === true && !knowledge.isAmong(item, found.items));
  const where = missing.every((item) => depthOf(item) === 0) ? "at the bound of" : "within";
  return elementProblems(`elements are missing whose ${member} is ${where} ${name}`, filter, missing, all.items);
}

/**
 * Whether an element that seems to be at the bound certainly is, or is at least on its side. Rounded values may be on either side of it.
 * Timestamps are truncated rather than rounded up, if they have seconds at all.
 */
function isExactAtBound(
  { operation }: Knowledge,
  { includesBound, member, test, path, order }: InferredFilter,
  bound: unknown,
  all: Page,
): boolean {
  if (order !== undefined || hexadecimalNumber.test(String(bound))) return true;
  const arms = armsOf(member, operation.types).filter(({ kind }) => kind !== "null");
  const isMoment = arms.some((arm) => arm.kind === "string" && arm.format === "date-time");
  if (typeof bound === "number" && !isMoment)
    return Number.isInteger(bound) && arms.every((arm) => arm.kind !== "number" || arm.integer);
  if (isMoment && typeof bound === "string" && bound.length === dateLength) return false;
  if (!isMoment) return /^\d{4}-\d{2}-\d{2}$/.test(String(bound));
  const moments = valuesOf(path, all.items).filter((value) => typeof value === "string");
  return (test === "minimum") === includesBound || moments.every((moment) => wholeMinute.test(moment));
}

/** An integer as Ethereum serializes it. */
const hexadecimalNumber = /^0x(?:0|[1-9a-f][0-9a-f]*)$/;
const wholeMinute = /T\d{2}:\d{2}:00(?:\.0+)?(?:Z|[+-]\d{2}:?\d{2})?$/i;

const dayMilliseconds = 86_400_000;
/** Length of a date such as `2024-05-06`. */
const dateLength = 10;

/** Returns the next integer, half a step of the last digit, the next day or second; undefined for values without a next one. */
function nextTo(value: unknown, sign: 1 | -1): unknown {
  if (typeof value === "number") {
    if (Number.isInteger(value)) return value + sign;
    const digits = String(value).split(".")[1]?.length ?? 1;
    return Number((value + (sign * 0.5) / 10 ** digits).toFixed(digits + 1));
  }
  if (typeof value !== "string") return undefined;
  if (hexadecimalNumber.test(value)) {
    const next = BigInt(value) + BigInt(sign);
    return next < 0n ? undefined : `0x${next.toString(16)}`;
  }
  if (value.length < dateLength) return undefined;
  const moment = Date.parse(value);
  if (Number.isNaN(moment)) return undefined;
  return value.length === dateLength
    ? new Date(moment + sign * dayMilliseconds).toISOString().slice(0, dateLength)
    : momentOf(moment + sign * 1000);
}

function momentOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(".000Z", "Z");
}
