import { escapeSegment, isRecord, segmentsOf } from "@nodewright/api-model";
import { identifierOf } from "../compare/list-of.ts";
import { armsOf, memberAt, memberOf } from "../compare/member-facts.ts";
import { countersOf } from "../inference/counters.ts";
import { isCount, isFlag, isPaged, membersAround, pageMember, totalIn } from "../inference/page-members.ts";
import { pagePositionOf } from "../inference/page-position.ts";
import type { Input, OperationDescription, Page } from "./operation.ts";
import type { CalledResult, Problem, ResponseProperty } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/** Property that a count equals the number of counted elements, as far as one response and its request show. */
export const countProperty: ResponseProperty = { rule: propertyRules.count, inspect };

function inspect(
  operation: OperationDescription,
  { input, result: { value, page } }: CalledResult,
): readonly Problem[] {
  const problems = counterProblems(operation, value, page);
  if (page?.total === undefined || operation.isOfOne === true) return problems;
  return [...problems, ...totalProblems(operation, input, value, { ...page, total: page.total })];
}

/** Names of members that count the elements of a page. */
const pageCountName = /^(?:returned|countonpage|numberofelements|pagelength)$/;
/** Names of members that count the elements of a list without pages; with pages they may count all elements. */
const listCountName = /^(?:count|itemcount|resultcount|numresults)$/;

function counterProblems(operation: OperationDescription, value: unknown, page: Page | undefined): readonly Problem[] {
  const isPart = isPaged(operation.parameters);
  const outsidePage = (page === undefined ? [] : membersAround(value)).flatMap((member) => {
    const { name: plain, value: count, pointer } = member;
    const [name = ""] = segmentsOf(pointer).slice(-1);
    const isOfPage =
      pageCountName.test(plain) || memberAt(operation.result, segmentsOf(pointer), operation.types)?.isOfPage === true;
    const isOfList = listCountName.test(plain) && !isPart && operation.isOfOne !== true && pointer === `/${name}`;
    // Elements with a count of the same name are groups of the counted objects.
    const isGrouped = page?.items.some((item) => isRecord(item) && Object.hasOwn(item, name)) === true;
    return isCount(count) && (isOfPage || isOfList) && !isGrouped
      ? [{ name, count, items: page?.items ?? [], pointer }]
      : [];
  });
  const counters = countersOf(value)
    .filter(({ count, items }) => !isPart || count < items.length)
    .map((one) => ({ ...one, pointer: `/${escapeSegment(one.name)}` }));
  return [...outsidePage, ...counters].flatMap(({ name, count, items, pointer }): readonly Problem[] => {
    const { length } = items;
    if (count === length || (count > length && isExcerpt(operation, value, items))) return [];
    return [
      {
        message: `${name} is not the number of elements that are listed`,
        detail: `${count}, and there are ${length}`,
        pointer,
        // Servers may truncate a list without reporting it.
        isUnsure: count > length && !isShown(operation, name),
      },
    ];
  });
}

/** Whether the description declares that a list within a value contains only some of the elements. */
function isExcerpt({ result, types }: OperationDescription, value: unknown, items: readonly unknown[]): boolean {
  const own = isRecord(value) ? Object.entries(value).find(([, member]) => member === items) : undefined;
  const type = own === undefined ? undefined : memberOf(result, own[0], types)?.type;
  return armsOf(type, types).some((arm) => arm.kind === "list" && arm.isExcerpt === true);
}

/** Whether the examples of the description count this way: then a list is never only a part of the counted elements. */
function isShown({ examples = [] }: OperationDescription, name: string): boolean {
  const counters = examples.flatMap(({ value }) => countersOf(value)).filter((counter) => counter.name === name);
  return counters.length > 0 && counters.every(({ count, items }) => count === items.length);
}

/** Names of members that indicate that a total is not exact. */
const inexactName = /estimat|approx|exact|relation|accura/;

function totalProblems(
  operation: OperationDescription,
  input: Input,
  value: unknown,
  { items, total }: Page & { readonly total: number },
): readonly Problem[] {
  if (membersAround(value).some(({ name }) => inexactName.test(name)) || isSum(total, items)) return [];
  const pointer = totalIn(value, operation)?.pointer;
  const problem = (message: string, detail: string, at = pointer, isUnsure = false): readonly Problem[] => [
    { message, detail, ...(at === undefined ? {} : { pointer: at }), isUnsure },
  ];
  const beside = `${total}, and there are ${items.length}`;
  if (total < items.length) return problem("the total is less than the list has elements", beside);
  if (!isPaged(operation.parameters))
    return total > items.length ? problem("the total is not the number of elements", beside, pointer, true) : [];
  const position = pagePositionOf(operation, input);
  if (position === undefined) return [];
  const { start, size, least, isFiltered } = position;
  const pages = pageMember(value, "pages", isCount);
  const isSizeKept = size === least || items.length === size;
  const expected = Math.ceil(total / size);
  // For no elements there are 0 pages, or one empty page.
  const wrongPages =
    pages === undefined || total === 0 || pages.value === expected || !isSizeKept
      ? []
      : problem(
          "the number of pages is not what the total and the limit make",
          `${pages.value}, and ${total} elements of ${size} a page make ${expected}`,
          pages.pointer,
        );
  // The response to a page after the end is not defined: an empty page, or the last one.
  if (total > 0 && start >= total) return wrongPages;
  const left = Math.max(0, total - start);
  if (items.length > left || items.length < Math.min(left, least)) {
    const detail = `${items.length} elements of ${total} after ${start}, for a limit of ${size}`;
    return [
      ...wrongPages,
      ...problem("the page has fewer or more elements than its total implies", detail, pointer, isFiltered),
    ];
  }
  const more = pageMember(value, "more", isFlag);
  if (more === undefined || isFiltered || more.value === left > items.length) return wrongPages;
  const detail = `${more.value}, and ${left - items.length} are left`;
  return [...wrongPages, ...problem("whether more elements follow contradicts the total", detail, more.pointer)];
}

/** Whether a total is the sum of a member of the elements and not their number. */
function isSum(total: number, items: readonly unknown[]): boolean {
  const elements = items.filter(isRecord);
  const identifier = identifierOf(items);
  return Object.keys(elements[0] ?? {}).some((name) => {
    if (name === identifier) return false;
    const sum = elements.reduce((before, element) => before + Number(element[name]), 0);
    return Math.abs(sum - total) < 0.01;
  });
}
