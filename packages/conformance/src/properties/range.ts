import { distanceOf } from "../compare/value-order.ts";
import { armsOf } from "../compare/member-facts.ts";
import { hasManyParameters } from "../inference/many-parameters.ts";
import { inferFilters, type InferredFilter } from "../inference/list-filters.ts";
import { isStart } from "../inference/name-meaning.ts";
import { kebabCase } from "../types/kebab-case.ts";
import { chosenTotalProblems } from "./chosen-total.ts";
import { depthWithin } from "./element-match.ts";
import { valuesAt } from "./element-values.ts";
import { freeParameters } from "./filter.ts";
import type { Input, Page } from "./operation.ts";
import type { Check, Knowledge, Problem, Property } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/** A bound lets through the elements within it, all of them and no others. */
export const rangeProperty: Property = { name: "range", rule: propertyRules.range, checks };

/** Bounds that are called for; one where there are many parameters. */
const mostBounds = 2;

function* checks(knowledge: Knowledge): Generator<Check> {
  const { operation, list } = knowledge;
  if (list === undefined) return;
  const most = hasManyParameters(operation) ? 1 : mostBounds;
  for (const filter of inferFilters(freeParameters(knowledge), list.element, operation.types)) {
    const { parameter, name, guess, path, test } = filter;
    if (test !== "minimum" && test !== "maximum") continue;
    const whole = { ...knowledge.base, ...knowledge.widest };
    yield {
      name: `range-${kebabCase(name)}`,
      expected: `all elements whose ${path.join(".")} is within ${name}, and no others`,
      parameter,
      guess,
      inputs: [whole],
      furtherCalls: most,
      reads: [path],
      verify: async (call) => {
        const [{ page: all }] = await call(whole);
        if (all === undefined) return [];
        const bounds = boundsAmong(knowledge, filter, all).slice(0, most);
        const results = await call(
          ...bounds.map((bound): Input => ({ ...whole, [parameter.property]: filter.given(bound) })),
        );
        return bounds.flatMap((bound, index) => {
          const found = results[index]?.page;
          const problems = found === undefined ? [] : problemsOf(knowledge, filter, { bound, all, found });
          return filter.isOfPart === true ? problems.map((one) => ({ ...one, isUnsure: true })) : problems;
        });
      },
    };
  }
}

/** A value that elements have, and those next to it: a bound that is off by a little shows there. */
function boundsAmong(knowledge: Knowledge, filter: InferredFilter, all: Page): readonly unknown[] {
  const { path, test, parameter } = filter;
  const values = all.items
    .flatMap((item) => valuesAt(item, path) ?? [])
    .filter((value) => distanceOf(value, value) !== undefined)
    .toSorted((left, right) => distanceOf(left, right) ?? 0);
  // Of a list that goes on, few elements are to be left, so that what is called for ends.
  const share = knowledge.isEnded(all) ? 1 / 2 : test === "minimum" ? 3 / 4 : 1 / 4;
  const found = values[Math.floor(values.length * share)];
  if (found === undefined || new Set(values).size < 2) return [];
  const isKnown = filter.includesBound !== undefined && isExactAtBound(knowledge, filter, found, all);
  const [above, below] = [nextTo(found, 1), nextTo(found, -1)];
  // What is at the bound shows whether it is off to the one side, what is next to it shows the other one.
  const isOther = (test === "minimum") === (filter.includesBound === true);
  // Of what has no next value, as a text of decimals, the value itself.
  return (isKnown || above === undefined ? [found, isOther ? above : below] : [above, below]).filter(
    (bound) => bound !== undefined && knowledge.valid(parameter, filter.given(bound)),
  );
}

interface Bounded {
  readonly bound: unknown;
  /** The list without the bound. */
  readonly all: Page;
  readonly found: Page;
}

function problemsOf(knowledge: Knowledge, filter: InferredFilter, { bound, all, found }: Bounded): readonly Problem[] {
  const { name, path, includesBound } = filter;
  const member = path.join(".");
  const pointer = `/*/${path.join("/")}`;
  const depthOf = (item: unknown): number | undefined => depthWithin(filter, item, bound);
  // A list may go down from the height at which it starts.
  if (typeof bound !== "string" && isStart(name) && found.items.every((item) => (depthOf(item) ?? 0) <= 0)) return [];
  const isExact = isExactAtBound(knowledge, filter, bound, all);
  const isOutside = (item: unknown): boolean => {
    const depth = depthOf(item);
    return depth !== undefined && (depth < 0 || (depth === 0 && includesBound === false && isExact));
  };
  const outside = found.items.filter(isOutside);
  if (outside.length > 0) {
    const message = `there are elements whose ${member} is outside ${name}`;
    return [{ message, detail: `${outside.length} of ${found.items.length}`, pointer }];
  }
  const total = chosenTotalProblems(name, all, found, (item) => {
    const depth = depthOf(item);
    return depth === undefined || depth === 0 ? undefined : depth > 0;
  });
  if (total.length > 0 || !knowledge.isEnded(found, all)) return total;
  const isWithin = (item: unknown): boolean => {
    const depth = depthOf(item) ?? -1;
    return depth > 0 || (depth === 0 && includesBound === true && isExact);
  };
  const missing = all.items.filter(
    (item) => isWithin(item) && !found.items.some((other) => knowledge.isSameList([item], [other])),
  );
  if (missing.length === 0) return [];
  const where = missing.every((item) => depthOf(item) === 0) ? "at the bound of" : "within";
  const message = `elements are missing whose ${member} is ${where} ${name}`;
  return [{ message, detail: `${missing.length} of ${all.items.length}`, pointer }];
}

/**
 * Whether an element that seems to be at the bound surely is, or is at least on its side. What is rounded when it is shown may lie on either
 * side of it, and a moment is cut off rather than rounded up, where it has seconds at all.
 */
function isExactAtBound(
  { operation }: Knowledge,
  { includesBound, member, test, path }: InferredFilter,
  bound: unknown,
  all: Page,
): boolean {
  const arms = armsOf(member, operation.types).filter(({ kind }) => kind !== "null");
  if (typeof bound === "number")
    return Number.isInteger(bound) && arms.every((arm) => arm.kind !== "number" || arm.integer);
  const isMoment = arms.some((arm) => arm.kind === "string" && arm.format === "date-time");
  if (!isMoment) return /^\d{4}-\d{2}-\d{2}$/.test(String(bound));
  const moments = all.items.flatMap((item) => valuesAt(item, path) ?? []).filter((value) => typeof value === "string");
  return (test === "minimum") === includesBound || moments.every((moment) => wholeMinute.test(moment));
}

const wholeMinute = /T\d{2}:\d{2}:00(?:\.0+)?(?:Z|[+-]\d{2}:?\d{2})?$/i;

const dayMilliseconds = 86_400_000;
/** Of `2024-05-06`. */
const dateLength = 10;

/** The next whole number, half a step of the last digit, the next day or second; undefined for what has no next value. */
function nextTo(value: unknown, sign: 1 | -1): unknown {
  if (typeof value === "number") {
    if (Number.isInteger(value)) return value + sign;
    const digits = String(value).split(".")[1]?.length ?? 1;
    return Number((value + (sign * 0.5) / 10 ** digits).toFixed(digits + 1));
  }
  if (typeof value !== "string" || value.length < dateLength) return undefined;
  const moment = Date.parse(value);
  if (Number.isNaN(moment)) return undefined;
  return value.length === dateLength
    ? new Date(moment + sign * dayMilliseconds).toISOString().slice(0, dateLength)
    : new Date(moment + sign * 1000).toISOString().replace(".000Z", "Z");
}
