import { inputWith, isCallableWith, isExactMatch, itemsOf, lets, valuesOf } from "./choice.ts";
import type { Input, PageLink, Result } from "./operation.ts";
import type { Call, Check, Knowledge, Problem, Property } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/** Property that the links of a page lead to the pages that they name. */
export const linksProperty: Property = { name: "links", rule: propertyRules.pagination, checks };

/** Number of elements of the requested pages where the size can be set. */
const smallPage = 2;

function* checks(knowledge: Knowledge): Generator<Check> {
  const { operation, list, base, limitOf } = knowledge;
  const pages = operation.known.flatMap(({ page }) =>
    page?.links === undefined || page.items.length === 0 ? [] : [page],
  );
  if (list === undefined || pages.length === 0) return;
  const first = { ...base, ...limitOf(smallPage) };
  const check = (name: string, expected: string, furtherCalls: number, verify: Check["verify"]): Check => {
    const guess = "links to other pages are taken to be called after the pages that they lead to";
    return { name, expected, guess, inputs: [first], furtherCalls, verify };
  };
  yield* filteredChecks(knowledge);
  const isUsual = pages.some(({ links }) => isLink(links?.next));
  yield check("next", "a link `next` that leads to what comes after the page, and `prev` back to it", 3, (call) =>
    nextProblems(knowledge, call, first, isUsual),
  );
  if (!pages.some(({ links }) => isLink(links?.last))) return;
  yield check("last", "a link `last` that leads to the last page, and none `next` from there", 1, async (call) => {
    const [page] = await call(first);
    const target = page.page?.links?.last;
    if (!isLink(target)) return [];
    const [last] = await call(target);
    if (itemsOf(page).length > 0 && itemsOf(last).length === 0)
      return [{ message: "The link last leads to a page without elements" }];
    if (!isLink(last.page?.links?.next)) return [];
    return [{ message: "The page that the link last leads to has a link next", ...ownRule(page) }];
  });
}

function isLink(link: PageLink | undefined): link is Input {
  return typeof link === "object" && link !== null;
}

/** Returns the rule for links of a header: RFC 8288 defines their meaning independently of parameters. */
function ownRule({ page }: Result): Pick<Problem, "rule"> {
  return page?.links?.isOfHeader === true ? { rule: propertyRules.linkedPages } : {};
}

async function nextProblems(
  knowledge: Knowledge,
  call: Call,
  first: Input,
  isUsual: boolean,
): Promise<readonly Problem[]> {
  const { isSameList, isAmong, limitOf } = knowledge;
  const wide = limitOf(2 * smallPage);
  const [page, whole] = await call(first, { ...first, ...wide });
  const items = itemsOf(page);
  // The following elements are known only where both sizes are accepted.
  const following = wide !== undefined && items.length === smallPage ? itemsOf(whole).slice(smallPage) : [];
  const target = page.page?.links?.next;
  if (!isLink(target)) {
    const isLacking = target !== "elsewhere" && following.length > 0 && (page.page?.links !== undefined || isUsual);
    return isLacking ? [{ message: "The link next is missing where the list continues" }] : [];
  }
  const [next] = await call(target);
  const there = itemsOf(next);
  if (items.some((item) => isAmong(item, there)))
    return [{ message: "The link next leads to elements that the page has itself", ...ownRule(page) }];
  if (there.length === 0 && isLink(next.page?.links?.next))
    return [{ message: "A page without elements has a link next" }];
  if (!isSameList(following, there.slice(0, following.length)))
    return [{ message: "The link next does not lead to what comes after the page" }];
  const back = next.page?.links?.prev;
  if (!isLink(back)) return [];
  const [returned] = await call(back);
  return isSameList(items, itemsOf(returned))
    ? []
    : [{ message: "The link prev of the page after it does not lead to the page", ...ownRule(page) }];
}

/** Yields the check that the link `next` of a filtered list leads to the next page of the filtered list. */
function* filteredChecks(knowledge: Knowledge): Generator<Check> {
  const { operation, base, limitOf, filters } = knowledge;
  const one = limitOf(1);
  if (one === undefined) return;
  const items = operation.known.flatMap(({ page }) => page?.items ?? []);
  for (const filter of filters.filter(({ isRequired, test }) => !isRequired && test === "is")) {
    const { path, name, guess } = filter;
    const isCommon = (value: unknown): boolean => {
      const { length } = items.filter((item) => isExactMatch(filter, item, value));
      return length >= 2 && length < items.length && isCallableWith(knowledge, filter, value);
    };
    const value = valuesOf(path, items).find(isCommon);
    if (value === undefined) continue;
    const input = inputWith({ ...base, ...one }, filter, value);
    yield {
      name: "next-filtered",
      expected: `a link \`next\` that goes on with what ${name} chooses`,
      guess,
      inputs: [input],
      furtherCalls: 1,
      verify: async (call) => {
        const [first] = await call(input);
        const target = first.page?.links?.next;
        if (!isLink(target)) return [];
        const [next] = await call(target);
        const isOther = itemsOf(next).some((item) => lets(operation, filter, item, value) === false);
        const message = `The link next leads to elements whose ${path.join(".")} does not match ${name}`;
        return isOther ? [{ message }] : [];
      },
    };
    return;
  }
}
