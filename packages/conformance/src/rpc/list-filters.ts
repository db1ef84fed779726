import { inTurns } from "../basics/in-turns.ts";
import { listOf } from "../compare/list-of.ts";
import { armsOf } from "../compare/member-facts.ts";
import { canonicalText } from "../types/canonical-text.ts";
import { isRecord } from "../types/is-record.ts";
import { kebabCase } from "../types/kebab-case.ts";
import { isValueOf } from "../types/violations.ts";
import { isSameList, isWhole, type ListComparison, type Lists, listDraft, longestOf, sizeOf } from "./list-draft.ts";
import { type Filter, isLoose } from "./list-roles.ts";
import { isIdentifying } from "./parameter-role.ts";
import type { CaseDraft } from "./rpc-context.ts";
import { defaultOf, type Input } from "./rpc-params.ts";
import { rpcRules } from "./rpc-rules.ts";

/** Values with which one filter is tried. */
const filterValues = 2;

/** A filter picks all elements whose member has its value, and no others; the first value of each filter comes before further ones. */
export function filterDrafts(lists: Lists): readonly CaseDraft[] {
  return inTurns(lists.roles.filters.map((filter) => draftsOf(lists, filter)));
}

function draftsOf(lists: Lists, filter: Filter): readonly CaseDraft[] {
  const { context, method, base } = lists;
  const { parameter, name, member, type, isInside } = filter;
  const isOpen = armsOf(type, context.suite.types).some(({ kind }) => kind === "string");
  const whole = { ...base, ...longestOf(lists) };
  return valuesOfFilter(lists, filter).map((value, index) => {
    const part = { ...base, [parameter.property]: isInside ? { [name]: value } : value };
    return listDraft(context, method, {
      rule: rpcRules.filter,
      parameter,
      name: `filter-${kebabCase(name)}-${isOpen ? index + 1 : kebabCase(String(value))}`,
      expected: `all elements whose ${member.name} is what ${name} says, and no others`,
      whole,
      part,
      judge: (all, found, totals) => {
        const filtered = { value, isOpen, part, whole: all, found };
        const problem = filterProblem(lists, filter, filtered);
        return problem ?? hiddenProblem(lists, filter, filtered, { input: whole, total: totals.whole });
      },
    });
  });
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
  { name, member, isListed }: Filter,
  { value, isOpen, part, whole, found }: Filtered,
): string | undefined {
  // A switch that is off may let everything through.
  if (value === false && isSameList(whole.slice(0, found.length), found)) return undefined;
  const memberOf = (item: unknown): unknown => (isRecord(item) ? item[member.name] : undefined);
  const wanted = canonicalText(value);
  const has = (item: unknown): boolean => {
    const given = memberOf(item);
    if (isListed) return Array.isArray(given) && given.some((one) => canonicalText(one) === wanted);
    return canonicalText(given) === wanted;
  };
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

/** What a filter finds is a part of what is listed without one, where that is all there is. */
function hiddenProblem(
  lists: Lists,
  { name }: Filter,
  { found, whole }: Filtered,
  { input, total }: { readonly input: Input; readonly total: number | undefined },
): ReturnType<ListComparison["judge"]> {
  const isListed = (item: unknown): boolean => whole.some((other) => isSameList([item], [other]));
  if (whole.length === 0 || found.every(isListed) || !isWhole(lists, input, whole, total)) return undefined;
  const message = `elements that ${name} finds are not in the list without it`;
  // A list without limit may be one of the latest. Of what is left out altogether, nobody may ask who does not name it.
  const { limit } = lists.roles;
  const isCertain = total !== undefined || (limit !== undefined && defaultOf(limit) !== undefined);
  return isCertain && found.some(isListed) ? message : { rule: rpcRules.filterHoped, message };
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

/** Values that some elements have, those first that stand behind others in a list of values, then the rarest: the more is left out for them. */
export function valuesOfFilter({ context, method }: Lists, { type, member, ...filter }: Filter): readonly unknown[] {
  const counts = new Map<string, { readonly value: unknown; count: number; behind: number }>();
  const items = context.session.live.answersOf(method.name).flatMap(({ value }) => listOf(value)?.items ?? []);
  for (const item of items) {
    const given = isRecord(item) ? item[member.name] : undefined;
    for (const [position, found] of (filter.isListed && Array.isArray(given) ? given : [given]).entries()) {
      if (found === undefined || found === null || found === "" || found === filter.default) continue;
      if (!isValueOf(type, found, context.suite.types, "request")) continue;
      const key = canonicalText(found);
      const known = counts.get(key) ?? { value: found as unknown, count: 0, behind: 0 };
      counts.set(key, { ...known, count: known.count + 1, behind: Math.max(known.behind, Math.sign(position)) });
    }
  }
  const ranked = [...counts.values()].toSorted((left, right) => right.behind - left.behind || left.count - right.count);
  return ranked.slice(0, filterValues).map(({ value }) => value);
}
