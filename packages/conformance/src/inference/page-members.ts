import { escapeSegment, isRecord } from "@nodewright/api-model";
import { plainName } from "../compare/volatile-names.ts";

/** Members around a page that say how many elements all pages have. */
const allName = /^(?:total|totalcount|totalitems|totalresults|totalelements|totalhits|totalrecords|totalrows)$/;
const aroundName = /^(?:meta|metadata|paging|pagination|page|pageinfo|links?|cursors)$/;

/** Whether a member, by its name without separators, says how many elements all pages have. */
export function isTotalName(plain: string): boolean {
  return allName.test(plain);
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

/** The member that says how many elements there are on all pages. */
export function totalIn(value: unknown): { readonly total: number; readonly pointer: string } | undefined {
  const member = membersAround(value).find((one) => isTotalName(one.name) && isCount(one.value));
  return member !== undefined && isCount(member.value) ? { total: member.value, pointer: member.pointer } : undefined;
}

/** Members that lead to the next page. */
const nextName =
  /^(?:next|nextcursor|cursor|nextpagetoken|nexttoken|nextpage|continuation|continuationtoken|endcursor|after|nextmarker|marker|nextid)$/;

/** Whether a member leads to the next page: by a link, a number or a token. */
export function isNextName(name: string): boolean {
  return nextName.test(plainName(name));
}

/** What an answer says to go on with: a token or a number of the next page. */
export function nextTokenOf(value: unknown): string | number | undefined {
  const tokens = membersAround(value).flatMap(({ name, value: token }) =>
    nextName.test(name) && (typeof token === "number" || typeof token === "string") ? [token] : [],
  );
  return tokens.find((token) => typeof token === "number" || (token !== "" && !token.includes("/")));
}

const moreName = /^(?:hasmore|hasnext|hasnextpage|more|moreavailable)$/;

/** Whether a member says that there are more elements than a page has. */
export function isMoreName(name: string): boolean {
  return moreName.test(plainName(name));
}

/** What an answer says itself of whether there is more; undefined where it says nothing. */
export function moreOf(value: unknown): boolean | undefined {
  return membersAround(value)
    .map((one) => (moreName.test(one.name) ? one.value : undefined))
    .find((said) => typeof said === "boolean");
}

/** Members that lead to the next page and nowhere else: a `cursor` may be that of the page itself. */
const followingName =
  /^(?:odata)?next(?:page)?(?:url|uri|link|href|cursor|token|marker|id|number)?$|^continuation(?:token)?$/;

/**
 * Whether more elements follow a page, as it says itself: in words, or by what leads to the next page, which is null or empty where there is
 * none. Undefined where it says neither.
 */
export function followsOf(value: unknown): boolean | undefined {
  const next = membersAround(value).find(
    (one) => followingName.test(one.name) && (one.value === null || ["string", "number"].includes(typeof one.value)),
  );
  return moreOf(value) ?? (next === undefined ? undefined : next.value !== null && next.value !== "");
}

/** The address of a link; undefined for a text that is none. */
export function linkTarget(text: string): URL | undefined {
  const isAddress = /^(?:https?:\/\/|\/|\?|\.{1,2}\/)/.test(text) && !/\s/.test(text);
  return isAddress ? (URL.parse(text, "http://relative.invalid/") ?? undefined) : undefined;
}

/** Members that say how many pages there are. */
const pagesName = /^(?:pages|totalpages|pagecount|numpages|numberofpages|pagestotal)$/;

/** Whether a member says how many pages there are. */
export function isPagesName(name: string): boolean {
  return pagesName.test(plainName(name));
}

/** Parameters by which a response may be a part of what there is. */
const pagingName =
  /^(?:limit|pagelimit|count|n|num|size|pagesize|perpage|maxresults|max|first|last|take|top|offset|skip|start|startindex|page|pagenumber|pagetoken|cursor|after|before|marker|startingafter|endingbefore|afterid|beforeid|next|continuation|aftertxid|lastseentxid|since|from|to)$/;

/** Whether a response may be one page of several. */
export function isPaged(parameters: readonly { readonly name: string }[]): boolean {
  return parameters.some(({ name }) => pagingName.test(plainName(name)));
}
