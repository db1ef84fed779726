import { inTurns } from "../basics/in-turns.ts";
import { memberOf } from "../compare/member-facts.ts";
import { isGrouped, isOrdered, orderOf } from "../compare/list-order.ts";
import type { SuiteRpcMethod } from "../suite/suite.ts";
import { canonicalText } from "../types/canonical-text.ts";
import { isRecord } from "../types/is-record.ts";
import { kebabCase } from "../types/kebab-case.ts";
import { isOf, isSameList, kindsOf, largest, type Lists, listDraft, listsOf } from "./list-draft.ts";
import { filterDrafts } from "./list-filters.ts";
import { rangeDrafts } from "./list-ranges.ts";
import { elementTypeOf, wordsOf } from "./list-roles.ts";
import type { CaseDraft, RpcContext } from "./rpc-context.ts";
import { defaultOf, type Input } from "./rpc-params.ts";
import { rpcRules } from "./rpc-rules.ts";

/** What has to hold between lists that are asked for in different parts, orders and choices. */
export function* listDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  const lists = listsOf(context, method);
  if (lists === undefined) return;
  // Where calls are few, no kind takes those of another.
  yield* inTurns([
    filterDrafts(lists),
    rangeDrafts(lists),
    [...sortDrafts(lists)],
    [...directionDrafts(lists)],
    [...offsetDrafts(lists)],
    [...pageDrafts(lists)],
    [...limitDrafts(lists)],
  ]);
}

/** The first elements of a list are those that a small limit gives; some servers count from the end. */
function* limitDrafts({ context, method, roles, base }: Lists): Generator<CaseDraft> {
  const { limit, cursor } = roles;
  if (limit === undefined) return;
  const judge =
    (size: number | undefined) =>
    (whole: readonly unknown[], part: readonly unknown[]): string | undefined => {
      const wanted = Math.min(whole.length, size ?? part.length);
      const isShort = part.length < wanted && cursor === undefined;
      if (isShort) return `there are fewer elements than ${limit.name} asks for and the list has`;
      const count = Math.min(part.length, whole.length);
      const isPart =
        isSameList(part.slice(0, count), whole.slice(0, count)) ||
        isSameList(part, whole.slice(whole.length - part.length));
      return isPart ? undefined : `the elements for a smaller ${limit.name} are not the first of the list`;
    };
  const small = [2, 1].find((size) => isOf(context, limit, size));
  const shared = { rule: rpcRules.limitPrefix, parameter: limit };
  const most = largest(context, limit);
  if (small !== undefined) {
    yield listDraft(context, method, {
      ...shared,
      name: `${kebabCase(limit.name)}-${small}`,
      expected: `the first ${small} elements of the list`,
      whole: limit.required && most !== undefined ? { ...base, [limit.property]: most } : base,
      part: { ...base, [limit.property]: small },
      judge: judge(small),
    });
  }
  const usual = defaultOf(limit);
  if (most === undefined || limit.required || typeof usual !== "number" || usual >= most) return;
  yield listDraft(context, method, {
    ...shared,
    name: `${kebabCase(limit.name)}-default`,
    expected: "as many elements as the documented default says, the first of a longer list",
    whole: { ...base, [limit.property]: most },
    part: base,
    judge: judge(usual),
  });
}

/** Skipping one element leaves the rest of the list. */
function* offsetDrafts({ context, method, roles, base }: Lists): Generator<CaseDraft> {
  const { offset } = roles;
  const start = offset === undefined ? undefined : [1, 2].find((value) => isOf(context, offset, value));
  if (offset === undefined || start === undefined) return;
  const first = isOf(context, offset, 0) ? 0 : 1;
  const skipped = Math.max(1, start - first);
  const wholeInput = offset.required ? { ...base, [offset.property]: first } : base;
  yield listDraft(context, method, {
    rule: rpcRules.pages,
    parameter: offset,
    name: `${kebabCase(offset.name)}-${start}`,
    expected: `the list without its first ${skipped}`,
    whole: wholeInput,
    part: { ...base, [offset.property]: first + skipped },
    judge: (whole, part) => {
      const rest = whole.slice(skipped);
      const isRest = part.length >= rest.length && isSameList(part.slice(0, rest.length), rest);
      // Some servers count from the end.
      const before = whole.slice(0, whole.length - skipped);
      const isBefore = part.length >= before.length && isSameList(part.slice(part.length - before.length), before);
      return isRest || isBefore || whole.length === 0
        ? undefined
        : `the elements for ${offset.name} do not go on where those before them ended`;
    },
  });
}

/** The second page goes on where the first one ended. */
function* pageDrafts(lists: Lists): Generator<CaseDraft> {
  const { context, method, roles, base } = lists;
  const { page, limit } = roles;
  if (page === undefined) return;
  const shown = defaultOf(page);
  const isFirstKnown = typeof shown === "number" || !isOf(context, page, 0);
  if (!isFirstKnown) {
    yield* unknownPageDrafts(lists);
    return;
  }
  const first = typeof shown === "number" ? shown : 1;
  const size = limit === undefined ? undefined : [2, 1].find((value) => isOf(context, limit, value * 2));
  const isSized = limit !== undefined && size !== undefined;
  const numbered = (number: number, length: number): Input => ({
    ...base,
    ...(isSized ? { [limit.property]: length } : {}),
    [page.property]: number,
  });
  yield listDraft(context, method, {
    rule: rpcRules.pages,
    parameter: page,
    name: `${kebabCase(page.name)}-2`,
    expected: "elements that go on where those of the first page ended",
    whole: numbered(first, (size ?? 1) * 2),
    part: numbered(first + 1, size ?? 1),
    judge: (whole, part) => {
      const rest = size === undefined ? [] : whole.slice(size);
      const goesOn = isSized
        ? isSameList(part.slice(0, rest.length), rest)
        : !part.some((item) => whole.some((other) => isSameList([item], [other])));
      return goesOn ? undefined : `the elements for ${page.name} do not go on where those before them ended`;
    },
  });
}

/** Where nothing says what the first page is called: page 1 is the first one or the second. */
function* unknownPageDrafts({ context, method, roles, base }: Lists): Generator<CaseDraft> {
  const { page, limit } = roles;
  const most = limit === undefined ? undefined : largest(context, limit);
  const size = limit === undefined ? undefined : [2, 1].find((value) => isOf(context, limit, value));
  if (page === undefined || limit === undefined || most === undefined || size === undefined) return;
  yield listDraft(context, method, {
    rule: rpcRules.pages,
    parameter: page,
    name: `${kebabCase(page.name)}-2`,
    expected: "elements that go on where those of the first page ended",
    whole: { ...base, [limit.property]: most },
    part: { ...base, [limit.property]: size, [page.property]: 2 },
    judge: (whole, part) => {
      const goesOn = [size, 2 * size].some((start) => {
        const rest = whole.slice(start, start + size);
        return isSameList(part.slice(0, rest.length), rest);
      });
      // What is not looked through to the end, or has one page, says nothing.
      return goesOn || whole.length < 3 * size
        ? undefined
        : `the elements for ${page.name} do not go on where those before them ended`;
    },
  });
}

/** Elements are in the order of the member that is named. */
function* sortDrafts({ context, method, roles, base }: Lists): Generator<CaseDraft> {
  const { sort, direction } = roles;
  if (sort === undefined) return;
  const { types } = context.suite;
  const element = elementTypeOf(method, types);
  for (const word of wordsOf(sort, types)) {
    const order = orderOf(word, element, types);
    if (order === undefined) continue;
    const input = { ...base, [sort.property]: word };
    // Words of a list stand in an order that only the server knows.
    const isChoice = kindsOf(memberOf(element, order.member, types)?.type, types).has("enumeration");
    // The direction in which a list goes on its own is known where it is documented.
    const usual = direction === undefined ? undefined : defaultOf(direction);
    const sign = order.sign ?? (typeof usual === "string" ? (/^asc/i.test(usual) ? 1 : -1) : undefined);
    yield listDraft(context, method, {
      rule: rpcRules.sorted,
      parameter: sort,
      name: `sorted-by-${kebabCase(word)}`,
      expected: `elements in the order of ${order.member}`,
      part: input,
      judge: (_whole, part) => {
        const values = part.map((item) => (isRecord(item) ? item[order.member] : undefined));
        return isOrdered(values, sign) || (isChoice && isGrouped(values))
          ? undefined
          : `the elements are not in the order of ${order.member}`;
      },
    });
  }
}

/** A list in the other direction is another list, in which what went up goes down. */
function* directionDrafts(lists: Lists): Generator<CaseDraft> {
  const { context, method, roles, base } = lists;
  const { direction, sort } = roles;
  if (direction === undefined) return;
  // Where there is a member to sort by, an order may mean nothing without it.
  const element = elementTypeOf(method, context.suite.types);
  const member =
    sort === undefined
      ? undefined
      : wordsOf(sort, context.suite.types).find((word) => {
          const order = orderOf(word, element, context.suite.types);
          return order !== undefined && order.sign === undefined;
        });
  if (sort !== undefined && member === undefined) return;
  const sorted = sort === undefined ? base : { ...base, [sort.property]: member };
  const words = wordsOf(direction, context.suite.types);
  const [up, down] = [/^asc/i, /^desc/i].map((pattern) => words.find((word) => pattern.test(word)));
  if (up === undefined || down === undefined) return;
  yield listDraft(context, method, {
    rule: rpcRules.sorted,
    parameter: direction,
    name: `${kebabCase(direction.name)}-both`,
    expected: "elements in the order that is asked for",
    whole: { ...sorted, [direction.property]: up },
    part: { ...sorted, [direction.property]: down },
    judge: (ascending, descending) => {
      if (new Set(ascending.map(canonicalText)).size < 2) return undefined;
      if (isSameList(ascending, descending)) return `${direction.name} does not change the order`;
      const names = isRecord(ascending[0]) ? Object.keys(ascending[0]) : [];
      const goes = (items: readonly unknown[], name: string, sign: 1 | -1): boolean => {
        const values = items.map((item) => (isRecord(item) ? item[name] : undefined));
        return new Set(values).size === values.length && values.length > 2 && isOrdered(values, sign);
      };
      const isRight = names.some((name) => goes(ascending, name, 1) && goes(descending, name, -1));
      const isWrong = names.some((name) => goes(ascending, name, -1) && goes(descending, name, 1));
      return isWrong && !isRight ? `${direction.name} means the other order` : undefined;
    },
  });
}
