import { escapeSegment, isRecord, segmentsOf } from "@nodewright/api-model";
import { integerBoundsOf, memberAt } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";

type PageRole = "total" | "pages" | "more" | "next" | "following" | "paging";

/** What members next to a list say of its pages, by their names without separators; `paging`: of a parameter by which a response may be a part. */
const pageNames: Readonly<Record<PageRole, RegExp>> = {
  total: /^(?:total|totalcount|totalitems|totalresults|totalelements|totalhits|totalrecords|totalrows)$/,
  pages: /^(?:pages|totalpages|pagecount|numpages|numberofpages|pagestotal)$/,
  more: /^(?:hasmore|hasnext|hasnextpage|more|moreavailable)$/,
  /** What leads to the next page, by a link, a number or a token. */
  next: /^(?:next|nextcursor|cursor|nextpagetoken|nexttoken|nextpage|continuation|continuationtoken|endcursor|after|nextmarker|marker|nextid)$/,
  /** What leads there and nowhere else: a `cursor` may be that of the page itself. */
  following: /^(?:odata)?next(?:page)?(?:url|uri|link|href|cursor|token|marker|id|number)?$|^continuation(?:token)?$/,
  paging:
    /^(?:limit|pagelimit|count|n|num|size|pagesize|perpage|maxresults|max|first|last|take|top|offset|skip|start|startindex|page|pagenumber|pagetoken|cursor|after|before|marker|startingafter|endingbefore|afterid|beforeid|next|continuation|aftertxid|lastseentxid|since|from|to)$/,
};
const aroundName = /^(?:meta|metadata|paging|pagination|page|pageinfo|links?|cursors)$/;

/** Whether a name says so of a list. */
export function isPageName(role: PageRole, name: string): boolean {
  return pageNames[role].test(plainName(name));
}

/** Whether a response may be one page of several. */
export function isPaged(parameters: readonly { readonly name: string }[]): boolean {
  return parameters.some(({ name }) => isPageName("paging", name));
}

/** Whether a value is a number of things. */
export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

/** A member next to the elements of a page. */
interface MemberAround {
  /** Without separators, in lower case. */
  readonly name: string;
  readonly value: unknown;
  readonly pointer: string;
}

/** Plain members next to a list, or within what is called `meta` or `links` there; of a link its target. */
export function membersAround(value: unknown, pointer = "", depth = 0): readonly MemberAround[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([member, inner]): readonly MemberAround[] => {
    const name = plainName(member);
    const at = `${pointer}/${escapeSegment(member)}`;
    if (!isRecord(inner)) return [{ name, value: inner, pointer: at }];
    if (inner["href"] !== undefined) return [{ name, value: inner["href"], pointer: at }];
    return depth < 2 && aroundName.test(name) ? membersAround(inner, at, depth + 1) : [];
  });
}

/** The first member around a page that is called so and has a fitting value. */
export function pageMember<Value>(
  value: unknown,
  role: PageRole,
  isFit: (value: unknown) => value is Value,
): { readonly value: Value; readonly pointer: string } | undefined {
  return membersAround(value).flatMap(({ name, value: own, pointer }) =>
    isPageName(role, name) && isFit(own) ? [{ value: own, pointer }] : [],
  )[0];
}

/** What the description says of a value that has a list. */
interface DescribedValue {
  readonly result: SuiteType | undefined;
  readonly types: SuiteTypes;
}

/**
 * The member that says how many elements there are on all pages, by its name or by the description. Undefined where that says that counting
 * has stopped before, or where it has the greatest value of its type.
 */
export function totalIn(
  value: unknown,
  { result, types }: DescribedValue = { result: undefined, types: {} },
): { readonly total: number; readonly pointer: string } | undefined {
  const counts = membersAround(value).flatMap(({ name, value: total, pointer }) => {
    const member = memberAt(result, segmentsOf(pointer), types);
    return isCount(total) ? [{ name, total, pointer, member }] : [];
  });
  const found =
    counts.find(({ name }) => isPageName("total", name)) ?? counts.find(({ member }) => member?.isTotal === true);
  const greatest = found?.member === undefined ? undefined : integerBoundsOf(found.member.type, types).greatest;
  const isExact = (found?.total ?? 0) < (found?.member?.isExactTo ?? Number.POSITIVE_INFINITY);
  return found === undefined || !isExact || found.total === greatest
    ? undefined
    : { total: found.total, pointer: found.pointer };
}

/** What an answer says to go on with: a token or a number of the next page. */
export function nextTokenOf(value: unknown): string | number | undefined {
  const isToken = (one: unknown): one is string | number =>
    typeof one === "number" || (typeof one === "string" && one !== "" && !one.includes("/"));
  return pageMember(value, "next", isToken)?.value;
}

/** Whether a value says yes or no. */
export function isFlag(value: unknown): value is boolean {
  return typeof value === "boolean";
}

/** What an answer says itself of whether there is more; undefined where it says nothing. */
export function moreOf(value: unknown): boolean | undefined {
  return pageMember(value, "more", isFlag)?.value;
}

/**
 * Whether more elements follow a page, as it says itself: in words, or by what leads to the next page, which is null or empty where there is
 * none. Undefined where it says neither.
 */
export function followsOf(value: unknown): boolean | undefined {
  const isNext = (one: unknown): one is string | number | null =>
    one === null || ["string", "number"].includes(typeof one);
  const next = pageMember(value, "following", isNext);
  return moreOf(value) ?? (next === undefined ? undefined : next.value !== null && next.value !== "");
}

/** The address of a link; undefined for a text that is none. */
export function linkTarget(text: string): URL | undefined {
  const isAddress = /^(?:https?:\/\/|\/|\?|\.{1,2}\/)/.test(text) && !/\s/.test(text);
  return isAddress ? (URL.parse(text, "http://relative.invalid/") ?? undefined) : undefined;
}
