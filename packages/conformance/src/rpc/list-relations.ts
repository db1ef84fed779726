import { inTurns } from "../basics/in-turns.ts";
import type { CasePlay } from "../contract/planned-case.ts";
import type { Finding } from "../contract/finding.ts";
import type { Rule } from "../contract/rule.ts";
import { identifierOf, identityOf, listOf } from "../compare/list-of.ts";
import { armsOf, memberOf } from "../compare/member-facts.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { canonicalText } from "../types/canonical-text.ts";
import { isRecord } from "../types/is-record.ts";
import { kebabCase } from "../types/kebab-case.ts";
import { isValueOf } from "../types/violations.ts";
import { goodFindings } from "./good-answer.ts";
import { elementTypeOf, type Filter, isLoose, type ListRoles, listRolesOf, wordsOf } from "./list-roles.ts";
import { isGrouped, isOrdered, orderOf } from "../compare/list-order.ts";
import { ask } from "./rpc-call.ts";
import { type CaseDraft, memoryKey, type RpcContext } from "./rpc-context.ts";
import { isIdentifying } from "./parameter-role.ts";
import { finding } from "./rpc-finding.ts";
import { defaultOf, type Input } from "./rpc-params.ts";
import type { RpcOutcome } from "./rpc-reply.ts";
import { rpcRules } from "./rpc-rules.ts";

/** Elements that are asked for where a longer list is wanted. */
const longList = 50;
/** Values with which one filter is tried. */
const filterValues = 2;

interface Lists {
  readonly context: RpcContext;
  readonly method: SuiteRpcMethod;
  readonly roles: ListRoles;
  /** A good input without what picks a part of the list or its order. */
  readonly base: Input;
}

/** What has to hold between lists that are asked for in different parts, orders and choices. */
export function* listDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  const roles = listRolesOf(method, context.suite.types);
  const base = roles === undefined ? undefined : baseInput(context, method, roles);
  if (roles === undefined || base === undefined) return;
  const lists = { context, method, roles, base };
  // Where calls are few, no kind takes those of another.
  yield* inTurns([
    [...filterDrafts(lists)],
    [...sortDrafts(lists)],
    [...directionDrafts(lists)],
    [...offsetDrafts(lists)],
    [...pageDrafts(lists)],
    [...limitDrafts(lists)],
  ]);
}

/** Of the good inputs, the one with the longest list, without what picks a part of it or its order. */
function baseInput({ session }: RpcContext, method: SuiteRpcMethod, roles: ListRoles): Input | undefined {
  const { limit, offset, page, cursor, direction, sort, filters } = roles;
  const parts = [limit, offset, page, cursor, direction, sort, ...filters.map(({ parameter }) => parameter)];
  const dropped = new Set(parts.flatMap((one) => (one === undefined || one.required ? [] : [one.property])));
  const bases = session.live.answersOf(method.name).map(({ input, value }) => {
    const base = Object.fromEntries(Object.entries(input).filter(([property]) => !dropped.has(property)));
    return { base, length: listOf(value)?.items.length ?? 0, size: Object.keys(base).length };
  });
  return bases.toSorted((left, right) => right.length - left.length || left.size - right.size)[0]?.base;
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

/** A filter picks all elements whose member has its value, and no others. */
function* filterDrafts(lists: Lists): Generator<CaseDraft> {
  const { context, method, roles, base } = lists;
  const longest = longestOf(lists);
  for (const filter of roles.filters) {
    const { parameter, name, member, type, isInside } = filter;
    const isOpen = armsOf(type, context.suite.types).some(({ kind }) => kind === "string");
    for (const [index, value] of valuesOfFilter(lists, filter).entries()) {
      const part = { ...base, [parameter.property]: isInside ? { [name]: value } : value };
      yield listDraft(context, method, {
        rule: rpcRules.filter,
        parameter,
        name: `filter-${kebabCase(name)}-${isOpen ? index + 1 : kebabCase(String(value))}`,
        expected: `all elements whose ${member.name} is what ${name} says, and no others`,
        whole: { ...base, ...longest },
        part,
        judge: (whole, found) => filterProblem(lists, filter, { value, isOpen, part, whole, found }),
      });
    }
  }
}

interface Filtered {
  readonly value: unknown;
  /** True for a text that is not one of a list: it may be searched for. */
  readonly isOpen: boolean;
  readonly part: Input;
  readonly whole: readonly unknown[];
  readonly found: readonly unknown[];
}

function filterProblem(
  { roles }: Lists,
  { name, member }: Filter,
  { value, isOpen, part, whole, found }: Filtered,
): string | undefined {
  // A switch that is off may let everything through.
  if (value === false && isSameList(whole.slice(0, found.length), found)) return undefined;
  const memberOf = (item: unknown): unknown => (isRecord(item) ? item[member.name] : undefined);
  const has = (item: unknown): boolean => canonicalText(memberOf(item)) === canonicalText(value);
  const isWrong = (item: unknown): boolean => {
    const given = memberOf(item);
    if (has(item)) return false;
    return !isOpen || (typeof given === "string" && !given.toLowerCase().includes(String(value).toLowerCase()));
  };
  if (found.some(isWrong) && !isOther({ name, value, found, whole, has, memberOf }))
    return `there are elements whose ${member.name} is not what ${name} says`;
  const most = sizeOf(roles, part);
  if (roles.cursor !== undefined || (most !== undefined && found.length >= most)) return undefined;
  const isGiven = (item: unknown): boolean => found.some((other) => isSameList([item], [other]));
  return whole.some((item) => has(item) && !isGiven(item))
    ? `there are elements missing whose ${member.name} is what ${name} says`
    : undefined;
}

interface Choice extends Pick<Filtered, "value" | "found" | "whole"> {
  readonly name: string;
  has(item: unknown): boolean;
  memberOf(item: unknown): unknown;
}

/** Values of a member that a list needs to have for it to say that nothing was picked. */
const manyValues = 3;

/** Whether a choice may be meant in another way than that elements have just this value. */
function isOther({ name, value, found, whole, has, memberOf }: Choice): boolean {
  // A switch that lets in what is left out without it.
  if (value === true && !whole.some(has)) return true;
  const given = found.map(memberOf);
  // At least, or at most.
  if (typeof value === "number" && !isIdentifying({ name })) {
    const numbers = given.filter((one) => typeof one === "number");
    if (numbers.every((one) => one >= value) || numbers.every((one) => one <= value)) return true;
  }
  if (!isLoose(name)) return false;
  return !isSameList(whole.slice(0, found.length), found) || new Set(given.map(canonicalText)).size < manyValues;
}

/** Values that some elements have, the rarest first: the more is left out for them. */
function valuesOfFilter({ context, method }: Lists, { type, member, ...filter }: Filter): readonly unknown[] {
  const counts = new Map<string, { readonly value: unknown; count: number }>();
  for (const { value } of context.session.live.answersOf(method.name)) {
    for (const item of listOf(value)?.items ?? []) {
      const found = isRecord(item) ? item[member.name] : undefined;
      if (found === undefined || found === null || found === "" || found === filter.default) continue;
      if (!isValueOf(type, found, context.suite.types, "request")) continue;
      const known = counts.get(canonicalText(found));
      if (known === undefined) counts.set(canonicalText(found), { value: found, count: 1 });
      else known.count += 1;
    }
  }
  const ranked = [...counts.values()].toSorted((left, right) => left.count - right.count);
  return ranked.slice(0, filterValues).map(({ value }) => value);
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

interface ListComparison {
  readonly rule: Rule;
  readonly parameter: SuiteParameter;
  readonly name: string;
  readonly expected: string;
  /** What the other list is held against; absent where it is looked at alone. */
  readonly whole?: Input;
  readonly part: Input;
  /** What is wrong with the second list, in one sentence without values. */
  judge(whole: readonly unknown[], part: readonly unknown[]): string | undefined;
}

function listDraft(context: RpcContext, method: SuiteRpcMethod, comparison: ListComparison): CaseDraft {
  const { rule, name, expected, whole, part } = comparison;
  const asked = [...(whole === undefined ? [] : [whole]), part];
  // What is remembered later is not looked at: a case that is played again is to see the same.
  const remembered = new Map(
    asked.flatMap((input) => {
      const outcome = context.memory.get(memoryKey(method, input));
      return outcome === undefined ? [] : [[memoryKey(method, input), outcome] as const];
    }),
  );
  return {
    group: "relation",
    name,
    rule,
    expected,
    requests: 3 * asked.length + 1,
    usualRequests: asked.length - remembered.size,
    isLive: true,
    input: part,
    play: async (play) => await playLists(context, play, method, comparison, remembered),
  };
}

/** Lists that move while they are looked at, or come in no order of their own, are not blamed. */
async function playLists(
  context: RpcContext,
  play: CasePlay,
  method: SuiteRpcMethod,
  { rule, parameter, whole, part, judge }: ListComparison,
  remembered: ReadonlyMap<string, RpcOutcome>,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const read = async (input: Input | undefined, isKept: boolean): Promise<readonly unknown[] | undefined> => {
    if (input === undefined) return [];
    const known = isKept ? remembered.get(memoryKey(method, input)) : undefined;
    const reply = known === undefined ? await ask(context, play, method, input) : undefined;
    if (reply !== undefined) findings.splice(0, findings.length, ...goodFindings(method, reply, "likely"));
    const outcome = known ?? reply?.outcome;
    return outcome?.kind === "result" ? listOf(outcome.value)?.items : undefined;
  };
  const compare = async (isKept: boolean): Promise<Compared | undefined> => {
    const [all, some] = [await read(whole, isKept), await read(part, isKept)];
    const message = all === undefined || some === undefined ? undefined : judge(all, some);
    return all === undefined || some === undefined || message === undefined ? undefined : { all, some, message };
  };
  if ((await compare(true)) === undefined) return findings;
  const compared = await compare(false);
  if (compared === undefined) return findings;
  // What is drawn by lot, or goes round, is the same once by chance, and not each time.
  for (const [input, before] of [
    [part, compared.some],
    [whole, compared.all],
    [part, compared.some],
  ] as const) {
    const again = await read(input, false);
    if (again === undefined || !isSameList(before, again)) return findings;
  }
  const beside = whole === undefined ? "" : `, beside ${compared.all.length}`;
  const place = parameter.place ?? method.place;
  return [...findings, finding(rule, compared.message, `${compared.some.length} elements${beside}`, { place })];
}

interface Compared {
  readonly all: readonly unknown[];
  readonly some: readonly unknown[];
  readonly message: string;
}

/** Whether two lists have the same elements in the same order, told by their identifiers where these tell them apart. */
function isSameList(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false;
  const identifier = identifierOf([...left, ...right]);
  const isTelling = [left, right].every(
    (items) => new Set(items.map((item) => identityOf(item, identifier))).size === items.length,
  );
  const textOf = (item: unknown): string =>
    (isTelling ? identityOf(item, identifier) : undefined) ?? canonicalText(item);
  return left.every((item, index) => textOf(item) === textOf(right[index]));
}

/** Parameters with which a list is as long as it may be. */
function longestOf({ context, roles: { limit } }: Lists): Input {
  const most = limit === undefined ? undefined : largest(context, limit);
  return limit === undefined || most === undefined ? {} : { [limit.property]: most };
}

function kindsOf(type: SuiteType | undefined, types: SuiteTypes): ReadonlySet<string> {
  return new Set(armsOf(type, types).map(({ kind }) => kind));
}

/** The greatest value of a limit, not more than what one looks through. */
function largest(context: RpcContext, limit: SuiteParameter): number | undefined {
  const bounds = armsOf(limit.type, context.suite.types).flatMap((arm) =>
    arm.kind === "number" && arm.maximum !== undefined ? [Number(arm.maximum)] : [],
  );
  const most = Math.min(longList, ...bounds);
  return isOf(context, limit, most) ? most : undefined;
}

/** How many elements an input asks for at most. */
function sizeOf({ limit }: ListRoles, input: Input): number | undefined {
  if (limit === undefined) return undefined;
  const size = input[limit.property] ?? defaultOf(limit);
  return typeof size === "number" ? size : 0;
}

function isOf({ suite }: RpcContext, { type }: SuiteParameter, value: unknown): boolean {
  return isValueOf(type, value, suite.types, "request");
}
