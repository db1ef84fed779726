import { withPlace } from "../suite/with-place.ts";
import type { Finding } from "../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../contract/planned-case.ts";
import type { Rule } from "../contract/rule.ts";
import { isRecord } from "../types/is-record.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../suite/suite.ts";
import { isOfPages, totalOf } from "./count-checks.ts";
import { caseOf, type HttpContext, type Observation, wellObserved } from "./http-context.ts";
import { successFindings } from "./http-expect.ts";
import { ask } from "./http-context.ts";
import type { Input } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { identifierOf } from "../compare/list-of.ts";
import { moreOf, nextTokenOf } from "./page-link.ts";
import { parametersOfRole } from "./parameter-roles.ts";
import {
  baseInputOf,
  firstValid,
  integerBounds,
  isIn,
  isSameList,
  itemsOf,
  observe,
  observeNow,
} from "./relation-base.ts";

/** A limit that is asked for where the description has no greatest. */
const greatLimit = 50;

/** Limits, offsets, pages and cursors of an operation that answers a list. */
export function planPages(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const base = baseInputOf(context, operation);
  if (base === undefined) return [];
  const { types } = context;
  const [limit] = parametersOfRole(operation, "limit", types);
  const [offset] = parametersOfRole(operation, "offset", types);
  const [page] = parametersOfRole(operation, "page", types);
  const cursors = parametersOfRole(operation, "cursor", types);
  const pages = { context, operation, base, limit };
  return [
    ...(limit === undefined ? [] : planLimits(pages, limit)),
    ...(offset === undefined ? [] : [planOffset(pages, offset)]),
    ...(page === undefined ? [] : [planPageNumbers(pages, page)]),
    ...cursors.map((cursor) => planCursor(pages, cursor)),
    ...planLastPage(pages, offset, page),
  ];
}

interface Pages {
  readonly context: HttpContext;
  readonly operation: SuiteHttpOperation;
  readonly base: Input;
  readonly limit: SuiteParameter | undefined;
}

function planLimits({ context, operation, base }: Pages, limit: SuiteParameter): readonly PlannedCase[] {
  const { types } = context;
  const { maximum } = integerBounds(limit.type, types);
  const values = [1, 2, maximum ?? greatLimit].filter((value) => firstValid(limit, [value], types) !== undefined);
  return [...new Set(values)].map((value, index) =>
    caseOf(context, operation, {
      group: "relation",
      name: `${nameOf(limit)}-${index === 2 || value > 2 ? "most" : value}`,
      rule: httpRules.limit,
      expected: `at most as many elements as ${limit.name} says, the first of a longer list`,
      requests: 3,
      isLive: true,
      input: { ...base, [limit.property]: value },
      play: async (play) => {
        const longer = await observe(context, play, operation, base);
        const limited = await ask(context, play, operation, { ...base, [limit.property]: value });
        const found = successFindings(context, play, limited, httpRules.validValue);
        if (limited.judged.kind !== "success") return found;
        return [...found, ...(await limitFindings(context, play, { limit, value, longer, limited }))];
      },
    }),
  );
}

interface Limited {
  readonly limit: SuiteParameter;
  readonly value: number;
  readonly longer: Observation;
  readonly limited: Observation;
}

async function limitFindings(
  context: HttpContext,
  play: CasePlay,
  { limit, value, longer, limited }: Limited,
): Promise<readonly Finding[]> {
  const { operation } = longer;
  const items = itemsOf(limited);
  if (items.length > value) {
    const message = `There are more elements than ${limit.name} allows`;
    return [pageFinding(httpRules.limit, message, `${items.length} elements for ${limit.name}=${value}`, limit)];
  }
  const isFirst = (some: Observation, all: Observation): boolean => {
    const shared = Math.min(itemsOf(all).length, value);
    // What is limited to more than the default gives may go on behind the end of the list without a limit.
    const first = itemsOf(some).slice(0, shared);
    return itemsOf(some).length >= shared && isSameList(context, operation, first, itemsOf(all).slice(0, shared));
  };
  const isToldWhole = (some: Observation, all: Observation): boolean =>
    itemsOf(some).length < itemsOf(all).length && moreOf(some.judged.value) === false;
  if (isFirst(limited, longer) && !isToldWhole(limited, longer)) return [];
  // The list may have moved between the two, in either direction.
  const again = await observeNow(context, play, operation, longer.input);
  if (isFirst(limited, again) && !isToldWhole(limited, again)) return [];
  const once = await observeNow(context, play, operation, limited.input);
  const detail = `${itemsOf(once).length} elements for ${limit.name}=${value}, of ${itemsOf(again).length}`;
  if (isFirst(once, again)) {
    if (!isToldWhole(once, again)) return [];
    const message = `The answer says that there is no more where ${limit.name} has cut the list`;
    return [pageFinding(httpRules.pages, message, detail, limit)];
  }
  const isShort = itemsOf(once).length < Math.min(itemsOf(again).length, value);
  const message = isShort
    ? `There are fewer elements than ${limit.name} allows and the list has`
    : `The elements for a ${limit.name} are not the first of the list`;
  return [pageFinding(httpRules.limitPrefix, message, detail, limit)];
}

/** Skipping one element of a list leaves the rest of it. */
function planOffset({ context, operation, base, limit }: Pages, offset: SuiteParameter): PlannedCase {
  return caseOf(context, operation, {
    group: "relation",
    name: `${nameOf(offset)}-1`,
    rule: httpRules.pages,
    expected: `the list without as many elements as ${offset.name} says`,
    requests: 3,
    isLive: true,
    play: async (play) => {
      const { minimum = 0 } = integerBounds(offset.type, context.types);
      const start = minimum === 1 ? 1 : 0;
      const whole = { ...base, ...limitedTo(context, limit, 3) };
      const rest = { ...base, ...limitedTo(context, limit, 2), [offset.property]: start + 1 };
      return compareRest(context, play, operation, {
        whole,
        rest,
        skipped: 1,
        size: sizeOf(context, limit, 2),
        parameter: offset,
      });
    },
  });
}

/** The second page goes on where the first one ended. */
function planPageNumbers({ context, operation, base, limit }: Pages, page: SuiteParameter): PlannedCase {
  return caseOf(context, operation, {
    group: "relation",
    name: `${nameOf(page)}-2`,
    rule: httpRules.pages,
    expected: "a second page that goes on where the first one ended",
    requests: 4,
    isLive: true,
    play: async (play) => {
      const { minimum } = integerBounds(page.type, context.types);
      const shown = page.default ?? page.type.default;
      const first = typeof shown === "number" ? shown : (minimum ?? 1);
      const numbered = (number: number, size: number): Input => ({
        ...base,
        ...limitedTo(context, limit, size),
        [page.property]: number,
      });
      if (limit !== undefined && firstValid(limit, [2], context.types) !== undefined) {
        const isSingle = firstValid(limit, [1], context.types) !== undefined;
        const size = isSingle ? 1 : 2;
        const whole = numbered(first, size * 2);
        return compareRest(context, play, operation, {
          whole,
          rest: numbered(first + 1, size),
          skipped: size,
          size,
          parameter: page,
        });
      }
      const before = await observeNow(context, play, operation, { ...base, [page.property]: first });
      const after = await observeNow(context, play, operation, { ...base, [page.property]: first + 1 });
      return sharedFindings(context, before, after, page);
    },
  });
}

/** Where a list says how many elements it has, the page at its end has what is left of them: what is looked at in every answer. */
function planLastPage(
  { context, operation, base, limit }: Pages,
  offset: SuiteParameter | undefined,
  page: SuiteParameter | undefined,
): readonly PlannedCase[] {
  const [observed] = wellObserved(context, operation.name);
  if (limit === undefined || observed === undefined || totalOf(observed) === undefined) return [];
  if (offset === undefined && page === undefined) return [];
  return [
    caseOf(context, operation, {
      group: "relation",
      name: "last-page",
      rule: httpRules.counts,
      expected: "the elements that are left at the end of the list",
      requests: 2,
      isLive: true,
      play: async (play) => {
        const first = await observe(context, play, operation, base);
        const { total = 0 } = totalOf(first) ?? {};
        // A page that is not full shows both: an element too few, and one too many.
        const size = [3, 4, 5, 7, 2].find(
          (one) => total % one !== 0 && firstValid(limit, [one], context.types) !== undefined,
        );
        if (size === undefined || total < 2) return play.skip("The list has no end that can be told from the rest");
        const last = offset === undefined ? lastNumber(context, page, total, size) : { [offset.property]: total - 1 };
        const input = { ...base, [limit.property]: size, ...last };
        return successFindings(context, play, await ask(context, play, operation, input), httpRules.validValueLikely);
      },
    }),
  ];
}

function lastNumber(context: HttpContext, page: SuiteParameter | undefined, total: number, size: number): Input {
  if (page === undefined) return {};
  const shown = page.default ?? page.type.default;
  const first = typeof shown === "number" ? shown : (integerBounds(page.type, context.types).minimum ?? 1);
  return { [page.property]: first + Math.ceil(total / size) - 1 };
}

interface Rest {
  readonly whole: Input;
  readonly rest: Input;
  readonly skipped: number;
  /** Elements that the rest may have at most, where that is asked for. */
  readonly size: number | undefined;
  readonly parameter: SuiteParameter;
}

async function compareRest(
  context: HttpContext,
  play: CasePlay,
  operation: SuiteHttpOperation,
  { whole, rest, skipped, size, parameter }: Rest,
): Promise<readonly Finding[]> {
  const before = await observeNow(context, play, operation, whole);
  const after = await ask(context, play, operation, rest);
  const found = successFindings(context, play, after, httpRules.validValueLikely);
  if (after.judged.kind !== "success") return found;
  const items = itemsOf(after);
  const goesOn = (all: readonly unknown[]): boolean => {
    const expected = all.slice(skipped);
    const shared = Math.min(expected.length, items.length);
    const isWhole = items.length >= Math.min(expected.length, size ?? expected.length);
    return isWhole && isSameList(context, operation, items.slice(0, shared), expected.slice(0, shared));
  };
  if (goesOn(itemsOf(before))) return [...found, ...totalFindings(context, after, skipped)];
  const again = await observeNow(context, play, operation, whole);
  if (goesOn(itemsOf(again))) return [...found, ...totalFindings(context, after, skipped)];
  const message = `The elements for a ${parameter.name} do not go on where those before it ended`;
  const detail = `${items.length} elements behind the first ${skipped} of ${itemsOf(again).length}`;
  return [...found, pageFinding(httpRules.pages, message, detail, parameter)];
}

/** A page that goes on behind others lies within the total that it tells. */
function totalFindings(context: HttpContext, page: Observation, skipped: number): readonly Finding[] {
  const counted = totalOf(page);
  const shown = skipped + itemsOf(page).length;
  if (counted === undefined || itemsOf(page).length === 0 || counted.total >= shown) return [];
  const rule = isOfPages(context, page) ? httpRules.counts : httpRules.countsLikely;
  const message = `${counted.where} is less than the pages have together`;
  const detail = `${counted.total}, and this page ends with the ${shown}th`;
  const pointer = counted.pointer === undefined ? {} : { pointer: counted.pointer };
  return [{ rule, message, detail, ...pointer, ...withPlace(page.operation.place) }];
}

/** What comes behind a cursor goes on where the page before it ended, without the element of the cursor. */
function planCursor({ context, operation, base, limit }: Pages, cursor: SuiteParameter): PlannedCase {
  return caseOf(context, operation, {
    group: "relation",
    name: `${nameOf(cursor)}-goes-on`,
    rule: httpRules.cursor,
    expected: "a page that begins behind the cursor",
    requests: 4,
    isLive: true,
    play: async (play) => {
      const whole = { ...base, ...limitedTo(context, limit, 4) };
      const first = { ...base, ...limitedTo(context, limit, 2) };
      const page = await observeNow(context, play, operation, first);
      const items = itemsOf(page);
      const token = nextTokenOf(page.judged.value);
      const position = token === undefined ? Math.min(items.length, 2) - 1 : items.length - 1;
      const value = token ?? identifierFor(items, position, cursor);
      if (value === undefined || items.length < 2) return play.skip("There is nothing to go on from");
      const rest = { ...base, ...limitedTo(context, limit, 2), [cursor.property]: value };
      if (firstValid(cursor, [value], context.types) === undefined)
        return play.skip("What the list names is no cursor");
      return cursorFindings(context, play, operation, {
        whole,
        rest,
        skipped: position + 1,
        size: sizeOf(context, limit, 2),
        parameter: cursor,
      });
    },
  });
}

async function cursorFindings(
  context: HttpContext,
  play: CasePlay,
  operation: SuiteHttpOperation,
  { whole, rest, skipped, size, parameter }: Rest,
): Promise<readonly Finding[]> {
  const before = await observeNow(context, play, operation, whole);
  const after = await ask(context, play, operation, rest);
  if (after.judged.kind !== "success") {
    return successFindings(context, play, after, httpRules.validValueLikely);
  }
  const all = itemsOf(before);
  const items = itemsOf(after);
  const last = all[skipped - 1];
  if (last !== undefined && isIn(context, operation, last, items)) {
    const message = `The elements for a ${parameter.name} hold the one that it names`;
    return [pageFinding(httpRules.cursor, message, `${items.length} elements`, parameter)];
  }
  const expected = all.slice(skipped);
  const shared = Math.min(expected.length, items.length);
  const goesOn = isSameList(context, operation, items.slice(0, shared), expected.slice(0, shared));
  if (goesOn && items.length >= Math.min(expected.length, size ?? expected.length)) return [];
  const again = itemsOf(await observeNow(context, play, operation, whole)).slice(skipped);
  if (!isSameList(context, operation, again, expected)) return [];
  const message = `The elements for a ${parameter.name} do not go on where those before it ended`;
  return [pageFinding(httpRules.pages, message, `${items.length} elements, ${expected.length} expected`, parameter)];
}

function sharedFindings(
  context: HttpContext,
  before: Observation,
  after: Observation,
  parameter: SuiteParameter,
): readonly Finding[] {
  const first = itemsOf(before);
  const shared = itemsOf(after).filter((item) => isIn(context, before.operation, item, first));
  if (shared.length === 0) return [];
  const message = `Two pages of ${parameter.name} share elements`;
  return [pageFinding(httpRules.pages, message, `${shared.length} of ${first.length}`, parameter)];
}

/** `after_txid` takes the `txid` of an element, `starting_after` what elements are told apart by. */
function identifierFor(items: readonly unknown[], position: number, cursor: SuiteParameter): unknown {
  const item = items[position];
  if (typeof item === "string" || typeof item === "number") return item;
  if (!isRecord(item)) return undefined;
  const plain = plainName(cursor.name);
  const isToken = /token|cursor|continuation|marker/.test(plain);
  if (isToken) return undefined;
  const named = Object.keys(item).filter((name) => plain.endsWith(plainName(name)));
  const longest = named.toSorted((left, right) => right.length - left.length)[0];
  const identifier = longest ?? identifierOf(items);
  return identifier === undefined ? undefined : item[identifier];
}

function limitedTo(context: HttpContext, limit: SuiteParameter | undefined, most: number): Input {
  if (limit === undefined) return {};
  const value = firstValid(limit, [most], context.types);
  return value === undefined ? {} : { [limit.property]: value };
}

function sizeOf(context: HttpContext, limit: SuiteParameter | undefined, most: number): number | undefined {
  return limit === undefined || firstValid(limit, [most], context.types) === undefined ? undefined : most;
}

function pageFinding(rule: Rule, message: string, detail: string, parameter: SuiteParameter): Finding {
  return { rule, message, detail, ...withPlace(parameter.place ?? parameter.type.place) };
}

function nameOf(parameter: SuiteParameter): string {
  return parameter.name.replaceAll(/[^A-Za-z0-9]+/g, "-").toLowerCase();
}
