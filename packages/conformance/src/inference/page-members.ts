import { escapeSegment, isRecord, segmentsOf } from "@nodewright/api-model";
import { integerBoundsOf, memberAt } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";

type PageRole = "total" | "pages" | "more" | "next" | "following" | "paging";

/** Roles of members next to a list, by their normalized names; `paging`: a parameter with which a response may be one page of several. */
const pageNames: Readonly<Record<PageRole, RegExp>> = {
  total: /^(?:total|totalcount|totalitems|totalresults|totalelements|totalhits|totalrecords|totalrows)$/,
  pages: /^(?:pages|totalpages|pagecount|numpages|numberofpages|pagestotal)$/,
  more: /^(?:hasmore|hasnext|hasnextpage|more|moreavailable)$/,
  /** Link, number or token of the next page. */
  next: /^(?:next|nextcursor|cursor|nextpagetoken|nexttoken|nextpage|continuation|continuationtoken|endcursor|after|nextmarker|marker|nextid)$/,
  /** Names that only refer to the next page: a `cursor` may be that of the page itself. */
  following: /^(?:odata)?next(?:page)?(?:url|uri|link|href|cursor|token|marker|id|number)?$|^continuation(?:token)?$/,
  paging:
    /^(?:limit|pagelimit|count|n|num|size|pagesize|perpage|maxresults|max|first|last|take|top|offset|skip|start|startindex|page|pagenumber|pagetoken|cursor|after|before|marker|startingafter|endingbefore|afterid|beforeid|next|continuation|aftertxid|lastseentxid|since|from|to)$/,
};
const aroundName = /^(?:meta|metadata|paging|pagination|page|pageinfo|links?|cursors)$/;

/** Whether a name has a role of members next to a list. */
export function isPageName(role: PageRole, name: string): boolean {
  return pageNames[role].test(plainName(name));
}

/** Whether a response may be one page of several. */
export function isPaged(parameters: readonly { readonly name: string }[]): boolean {
  return parameters.some(({ name }) => isPageName("paging", name));
}

/** Whether a value is a count. */
export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

/** A member next to the elements of a page. */
interface MemberAround {
  /** Name without separators, in lower case. */
  readonly name: string;
  readonly value: unknown;
  readonly pointer: string;
}

/** Returns plain members next to a list, or within `meta` or `links` there; the target of links. */
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

/** Returns the first member around a page with a name of the role and a matching value. */
export function pageMember<Value>(
  value: unknown,
  role: PageRole,
  isFit: (value: unknown) => value is Value,
): { readonly value: Value; readonly pointer: string } | undefined {
  return membersAround(value).flatMap(({ name, value: own, pointer }) =>
    isPageName(role, name) && isFit(own) ? [{ value: own, pointer }] : [],
  )[0];
}

/** Description of a value that contains a list. */
interface DescribedValue {
  readonly result: SuiteType | undefined;
  readonly types: SuiteTypes;
}

/**
 * Returns the member that is the number of elements on all pages, by its name or by the description. Undefined where the count reaches the
 * limit up to which it is exact, or the greatest value of its type.
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

/** Returns the token or the number of the next page in a response. */
export function nextTokenOf(value: unknown): string | number | undefined {
  const isToken = (one: unknown): one is string | number =>
    typeof one === "number" || (typeof one === "string" && one !== "" && !one.includes("/"));
  return pageMember(value, "next", isToken)?.value;
}

/** Whether a value is a boolean. */
export function isFlag(value: unknown): value is boolean {
  return typeof value === "boolean";
}

/** Returns whether a response reports more elements; undefined where it does not report it. */
export function moreOf(value: unknown): boolean | undefined {
  return pageMember(value, "more", isFlag)?.value;
}

/**
 * Returns whether more elements follow a page: by a boolean, or by a reference to the next page, which is null or empty where there is
 * none. Undefined where the page has neither.
 */
export function followsOf(value: unknown): boolean | undefined {
  const isNext = (one: unknown): one is string | number | null =>
    one === null || ["string", "number"].includes(typeof one);
  const next = pageMember(value, "following", isNext);
  return moreOf(value) ?? (next === undefined ? undefined : next.value !== null && next.value !== "");
}

/** Returns the URL of a link; undefined for other strings. */
export function linkTarget(text: string): URL | undefined {
  const isAddress = /^(?:https?:\/\/|\/|\?|\.{1,2}\/)/.test(text) && !/\s/.test(text);
  return isAddress ? (URL.parse(text, "http://relative.invalid/") ?? undefined) : undefined;
}
