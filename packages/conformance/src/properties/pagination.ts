import { isRecord } from "@nodewright/api-model";
import { itemsOf } from "./choice.ts";
import { identifierOf } from "../compare/list-of.ts";
import { integerBoundsOf } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { Parameter } from "../inference/list-roles.ts";
import { nextTokenOf } from "../inference/page-members.ts";
import { kebabCase } from "@nodewright/api-values";
import { elementCursorChecks } from "./element-cursor.ts";
import type { Page, Result } from "./operation.ts";
import { isRound } from "./knowledge.ts";
import { type Check, comparing, type Knowledge, type Problem, type Property } from "./property.ts";
import { propertyRules } from "./property-rules.ts";
import { walkChecks } from "./walk.ts";

/** Property that pages follow each other without gaps and shared elements, and that the total is the number of elements. */
export const paginationProperty: Property = {
  name: "pagination",
  rule: propertyRules.pagination,
  checks: function* (knowledge) {
    yield* roleChecks(knowledge);
    yield* walkChecks(knowledge);
    yield* elementCursorChecks(knowledge);
  },
};

/** The same for lists whose cursors are specified and checked elsewhere. */
export const pagesProperty: Property = { ...paginationProperty, checks: roleChecks };

/** Maximum total for which the last page is requested: greater totals are often estimates, and far pages expensive. */
const mostCounted = 1000;

function* roleChecks(knowledge: Knowledge): Generator<Check> {
  if (knowledge.list === undefined) return;
  for (const { role, parameter, guess } of knowledge.roles) {
    const parts =
      role === "offset"
        ? [offsetCheck(knowledge, parameter), lastPageCheck(knowledge, parameter, true)]
        : role === "page"
          ? [pageCheck(knowledge, parameter), lastPageCheck(knowledge, parameter, false)]
          : role === "cursor"
            ? [cursorCheck(knowledge, parameter)]
            : [];
    for (const part of parts) if (part !== undefined) yield { parameter, guess, ...part };
  }
}

type CheckParts = Pick<Check, "name" | "expected" | "inputs" | "verify">;

/** Returns the check that skipping one element of a list returns the rest of it. */
function offsetCheck(knowledge: Knowledge, offset: Parameter): CheckParts {
  const { base, limitOf } = knowledge;
  const { name, property, required } = offset;
  const first = firstOffset(knowledge, offset);
  // The same limit for both distinguishes a list that is counted from its end from an offset that is ignored.
  const limited = { ...base, ...limitOf(3) };
  const whole = { ...limited, ...(required ? { [property]: first } : {}) };
  const following = { skipped: 1, size: limitOf(3) && 3, mayCountFromEnd: true };
  return {
    name: `${kebabCase(name)}-1`,
    expected: "the list without its first element",
    ...comparing([whole, { ...limited, [property]: first + 1 }], ([before, after]) =>
      followProblems(knowledge, name, before, after, following),
    ),
  };
}

/** Returns the check that the second page continues where the first one ended. */
function pageCheck(knowledge: Knowledge, page: Parameter): CheckParts {
  const { base, valid, limitOf } = knowledge;
  const first = firstPage(knowledge, page);
  // If the number of the first page is unknown, page 1 may be the second: then only shared elements can be detected.
  const sizes = first === undefined ? [] : [1, 2];
  const size = sizes.find((one) => limitOf(one) !== undefined && limitOf(2 * one) !== undefined);
  const start = first ?? 1;
  const whole = { ...base, ...limitOf(2 * (size ?? 1)), [page.property]: start };
  const rest = { ...base, ...limitOf(size ?? 2), [page.property]: start + 1 };
  return {
    name: `${kebabCase(page.name)}-2`,
    expected: "a second page that goes on where the first one ended",
    ...comparing([whole, rest], ([before, after]) =>
      size === undefined
        ? sharedProblems(knowledge, page.name, before, after)
        : followProblems(knowledge, page.name, before, after, { skipped: size, size }),
    ),
    ...(valid(page, start + 1) ? {} : { inputs: [whole] }),
  };
}

/** Returns the check that the page after a cursor continues where the page before it ended, without the element that the cursor names. */
function cursorCheck(knowledge: Knowledge, cursor: Parameter): CheckParts {
  const { base, isAmong, limitOf } = knowledge;
  const first = { ...base, ...limitOf(2) };
  const whole = { ...base, ...limitOf(5) };
  return {
    name: `${kebabCase(cursor.name)}-goes-on`,
    expected: "a page that begins directly after the cursor",
    inputs: [first, whole],
    verify: async (call) => {
      const [page, before] = await call(first, whole);
      const token = nextTokenOf(page.value);
      const items = itemsOf(page);
      const position = token === undefined ? Math.min(items.length, 2) - 1 : items.length - 1;
      // A list that runs from the newest element may continue on either side of an identifier: `element-cursor.ts` checks that.
      const value = token ?? (/^since/i.test(cursor.name) ? undefined : identifierFor(items, position, cursor));
      if (value === undefined || items.length < 2 || !knowledge.valid(cursor, value)) return [];
      const [after] = await call({ ...first, [cursor.property]: value });
      const last = itemsOf(before)[position];
      if (last !== undefined && isAmong(last, itemsOf(after)))
        return [{ message: `the elements for ${cursor.name} hold the one that it names` }];
      const following = { skipped: position + 1, size: limitOf(2) && 2 };
      return followProblems(knowledge, cursor.name, before, after, following);
    },
  };
}

/** Returns the check that the last page of a list with a total has the remaining elements. */
function lastPageCheck(knowledge: Knowledge, parameter: Parameter, isOffset: boolean): CheckParts | undefined {
  const { operation, base, limitOf } = knowledge;
  if (!operation.isCounted || limitOf(2) === undefined) return undefined;
  return {
    name: `${kebabCase(parameter.name)}-last`,
    expected: "the elements that are left at the end of the list",
    inputs: [base],
    verify: async (call) => {
      const [{ page: whole }] = await call(base);
      const total = whole?.total;
      if (total === undefined || total < 2 || total > mostCounted || isRound(total)) return [];
      // A page that is not full shows both one element too few and one too many.
      const sizes = isOffset ? [2] : [3, 4, 5, 7, 2].filter((one) => total % one !== 0);
      const size = sizes.find((one) => limitOf(one) !== undefined);
      if (size === undefined) return [];
      const place = isOffset
        ? firstOffset(knowledge, parameter) + total - 1
        : (firstPage(knowledge, parameter) ?? 1) + Math.ceil(total / size) - 1;
      const [last] = await call({ ...base, ...limitOf(size), [parameter.property]: place });
      return endProblems(last.page, total, isOffset ? 1 : total % size);
    },
  };
}

function endProblems(last: Page | undefined, total: number, expected: number): readonly Problem[] {
  // The total may have changed.
  if (last === undefined || (last.total ?? total) !== total) return [];
  const detail = `${last.items.length} elements on the last page, ${expected} expected of ${total}`;
  if (last.items.length !== expected)
    return [{ message: "the last page has fewer or more elements than the total implies", detail }];
  return last.more === true ? [{ message: "the last page states that more elements follow", detail }] : [];
}

interface Following {
  /** Number of elements before the second page. */
  readonly skipped: number;
  /** Maximum number of elements of the second page; undefined where no limit sets it. */
  readonly size: number | undefined;
  readonly mayCountFromEnd?: boolean;
}

function followProblems(
  { isSameList, roleOf }: Knowledge,
  name: string,
  before: Result,
  after: Result,
  { skipped, size, mayCountFromEnd = false }: Following,
): readonly Problem[] {
  const all = itemsOf(before);
  const items = itemsOf(after);
  const expected = all.slice(skipped);
  const shared = Math.min(expected.length, items.length);
  const mayBeShort = after.page?.more === true && roleOf("cursor") !== undefined;
  const isFull = items.length >= Math.min(expected.length, size ?? expected.length) || mayBeShort;
  const earlier = all.slice(0, Math.max(0, all.length - skipped));
  const isBefore = items.length >= earlier.length && isSameList(items.slice(items.length - earlier.length), earlier);
  const goesOn =
    (isFull && isSameList(items.slice(0, shared), expected.slice(0, shared))) || (mayCountFromEnd && isBefore);
  const detail = `${items.length} elements after the first ${skipped} of ${all.length}`;
  if (!goesOn) return [{ message: `the elements for ${name} do not go on where those before them ended`, detail }];
  const isCut = all.length > skipped + items.length || before.page?.more === true;
  if (after.page?.more === false && isCut && all.length >= skipped + items.length)
    return [{ message: `a page for ${name} states that no more elements follow, and there are more`, detail }];
  const [whole, total] = [before.page?.total, after.page?.total];
  if (whole !== undefined && skipped > 0 && total === whole - skipped)
    return [{ message: `the total is less by what ${name} leaves out`, detail: `${total} after ${whole}` }];
  // A total that is neither the same nor the page's own length counts something else.
  return total !== undefined && items.length > 0 && total < skipped + items.length
    ? [{ message: "the total is less than the pages have together", detail: `${total}, ${detail}` }]
    : [];
}

function sharedProblems({ isAmong }: Knowledge, name: string, before: Result, after: Result): readonly Problem[] {
  const first = itemsOf(before);
  const shared = itemsOf(after).filter((item) => isAmong(item, first));
  if (shared.length === 0) return [];
  return [{ message: `two pages of ${name} share elements`, detail: `${shared.length} of ${first.length}` }];
}

/** Returns the cursor of an element: `after_txid` takes its `txid`, `starting_after` its identifier. */
function identifierFor(items: readonly unknown[], position: number, { name }: Parameter): unknown {
  const item = items[position];
  if (typeof item === "string" || typeof item === "number") return item;
  const plain = plainName(name);
  if (!isRecord(item) || /token|cursor|continuation|marker/.test(plain)) return undefined;
  const named = Object.keys(item).filter((member) => plain.endsWith(plainName(member)));
  const longest = named.toSorted((left, right) => right.length - left.length)[0];
  const identifier = longest ?? identifierOf(items);
  return identifier === undefined ? undefined : item[identifier];
}

/** Returns the offset of the first element: 0, or 1 where the description does not allow 0. */
function firstOffset({ valid }: Knowledge, offset: Parameter): number {
  return valid(offset, 0) ? 0 : 1;
}

/** Returns the number of the first page: the default, or the minimum in the description; undefined where it has neither. */
function firstPage({ defaultOf, operation }: Knowledge, page: Parameter): number | undefined {
  const usual = defaultOf(page);
  return typeof usual === "number" ? usual : integerBoundsOf(page.type, operation.types).least;
}
