import { withPlace } from "../suite/with-place.ts";
import type { Finding } from "../contract/finding.ts";
import { isRecord } from "../types/is-record.ts";
import { memberOf } from "../compare/member-facts.ts";
import { escapeSegment } from "../types/json-pointer.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../suite/suite.ts";
import type { HttpContext, Observation, Told } from "./http-context.ts";
import { httpRules } from "./http-rules.ts";
import { isCount, isMoreName, membersAround, moreOf, nextTokenOf, totalIn } from "../inference/page-members.ts";
import { pageLinksOf } from "./page-link.ts";
import type { Input } from "./http-request.ts";
import type { SuiteTypes } from "../suite/suite-type.ts";
import { parametersOfRole, roleOf } from "./parameter-roles.ts";
import { defaultOf, integerBounds } from "./relation-base.ts";
import { listOf } from "../compare/list-of.ts";
import { subjectParameterOf } from "./operation-shape.ts";

/** Members that say how many elements there are, of all pages. */
const totalName =
  /^(?:total|totalcount|totalitems|totalresults|totalelements|totalhits|count|itemcount|resultcount|totalrecords|numresults)$/;
/** Members that say how many elements a page has. */
const pageCountName = /^(?:returned|countonpage|numberofelements|pagelength)$/;

/** What counts elements agrees with them, as far as one answer can tell. */
export function checkCounts(context: HttpContext, { operation, input, judged }: Observation): readonly Finding[] {
  const { value } = judged;
  const header = countHeader(context, { operation, input, judged });
  if (!isRecord(value)) return header;
  const counted = countersOf(operation, value).flatMap(({ name, count, items, isWhole }): readonly Finding[] => {
    const isAll = isAllThere(context, { operation, input, judged }, items.length);
    if (count === items.length || (count > items.length && !isWhole && !isAll)) return [];
    const isSure = count < items.length || isAll || isCountShown(operation, name);
    return [
      {
        rule: isSure ? httpRules.counts : httpRules.countsLikely,
        message: `/${escapeSegment(name)} is not the number of elements that are listed`,
        detail: `${count}, and there are ${items.length}`,
        pointer: `/${escapeSegment(name)}`,
        ...withPlace(memberOf(judged.type, name, context.types)?.place),
      },
    ];
  });
  return [...header, ...counted];
}

/** True where a list is shorter than its page could be, and is neither filtered nor begun behind its start. */
function isAllThere({ types }: HttpContext, { operation, input }: Told, length: number): boolean {
  const [limit] = parametersOfRole(operation, "limit", types);
  if (limit === undefined) return false;
  const others = operation.parameters.filter(
    ({ location, property }) => location === "query" && property !== limit.property,
  );
  const isPlain = others.every(({ property }) => input[property] === undefined);
  const most = input[limit.property] ?? defaultOf(limit, types);
  return isPlain && typeof most === "number" && length < most;
}

interface PageFacts {
  /** Of elements before this page. */
  readonly start: number;
  /** That were asked for, or are the documented default. */
  readonly size: number;
  /** True where some elements were chosen, so that a total might be meant of all that there are. */
  readonly isFiltered: boolean;
}

/** Where an answer's page begins and how long it may be, by what was asked for; undefined where that can't be told. */
function pageFactsOf({ types }: HttpContext, { operation, input }: Told): PageFacts | undefined {
  const [limit] = parametersOfRole(operation, "limit", types);
  const [offset] = parametersOfRole(operation, "offset", types);
  const [page] = parametersOfRole(operation, "page", types);
  if (limit === undefined || (offset === undefined && page === undefined)) return undefined;
  if (offset !== undefined && !/^(?:offset|skip)$/.test(plainName(offset.name))) return undefined;
  const paging: ReadonlySet<SuiteParameter | undefined> = new Set([limit, offset, page]);
  const kinds = operation.parameters
    .filter((one) => one.location === "query" && !paging.has(one) && input[one.property] !== undefined)
    .map((one) => roleOf(operation, one, types).kind)
    .filter((kind) => kind !== "sort" && kind !== "direction");
  if (!kinds.every((kind) => kind === "filter" || kind === "minimum" || kind === "maximum")) return undefined;
  const usual = defaultOf(limit, types);
  const size = input[limit.property] ?? usual;
  const { maximum } = integerBounds(limit.type, types);
  // What is longer than a documented page may be cut to what the server thinks right.
  const isAllowed =
    typeof size === "number" && size >= 1 && size <= (maximum ?? (typeof usual === "number" ? usual : 2));
  const start = isAllowed ? startOf(input, { offset, page, size }, types) : undefined;
  return isAllowed && start !== undefined ? { start, size, isFiltered: kinds.length > 0 } : undefined;
}

interface PageParameters {
  readonly offset: SuiteParameter | undefined;
  readonly page: SuiteParameter | undefined;
  readonly size: number;
}

function startOf(input: Input, { offset, page, size }: PageParameters, types: SuiteTypes): number | undefined {
  if (offset !== undefined) {
    const start = input[offset.property] ?? 0;
    const begins = integerBounds(offset.type, types).minimum ?? 0;
    return typeof start === "number" && begins === 0 && page === undefined ? start : undefined;
  }
  if (page === undefined) return undefined;
  const least = integerBounds(page.type, types).minimum;
  const first = defaultOf(page, types) ?? least;
  const number = input[page.property] ?? first;
  const isCounted = typeof number === "number" && typeof first === "number" && (least ?? first) === first;
  return isCounted && number >= first ? (number - first) * size : undefined;
}

/** A page holds as many elements of all that there are as it has room for; how many pages there are, and whether more, is told rightly. */
export function checkPage(context: HttpContext, told: Told): readonly Finding[] {
  const { judged } = told;
  const items = listOf(judged.value)?.items;
  const facts = items === undefined ? undefined : pageFactsOf(context, told);
  const counted = totalOf(told);
  if (items === undefined || facts === undefined || counted === undefined) return [];
  const { total, where, pointer } = counted;
  const pages = checkPages(told, facts, counted);
  // What a page behind the end is, nobody says: none, or the last one.
  if (total > 0 && facts.start >= total) return pages;
  const left = Math.max(0, total - facts.start);
  const expected = Math.min(left, facts.size);
  if (items.length !== expected) {
    const isSure = !facts.isFiltered || isOfPages(context, told);
    const message = `The page has not as many elements as ${where} and what was asked for say`;
    const detail = `${items.length} elements, ${expected} expected of ${total} behind ${facts.start}`;
    const rule = isSure ? httpRules.counts : httpRules.countsLikely;
    return [...pages, { rule, message, detail, ...(pointer === undefined ? {} : { pointer }) }];
  }
  const more = membersAround(judged.value).find(({ name, value }) => isMoreName(name) && typeof value === "boolean");
  if (more === undefined || facts.isFiltered || more.value === left > facts.size) return pages;
  const message = `${more.pointer} does not say what ${where} and what was asked for say`;
  const detail = `${String(more.value)}, ${left} left`;
  return [...pages, { rule: httpRules.counts, message, detail, pointer: more.pointer }];
}

/** Members that say how many pages there are. */
const pagesName = /^(?:pages|totalpages|pagecount|numpages|numberofpages|pagestotal)$/;

/** As many pages are told as the elements that are told need. */
function checkPages({ judged }: Told, { size }: PageFacts, { total, where }: Total): readonly Finding[] {
  const pages = membersAround(judged.value).find(({ name, value }) => pagesName.test(name) && isCount(value));
  const expected = Math.ceil(total / size);
  // Of nothing there is no page, or an empty one.
  if (pages === undefined || total === 0 || pages.value === expected) return [];
  const message = `${pages.pointer} is not how many pages ${where} and what was asked for make`;
  const detail = `${String(pages.value)}, and ${total} elements of ${size} a page make ${expected}`;
  return [{ rule: httpRules.counts, message, detail, pointer: pages.pointer }];
}

/** Whether a total stands among what else is told of the pages that were asked for: then it is theirs. */
function isOfPages({ types }: HttpContext, { operation, judged }: Told): boolean {
  const names = (["limit", "offset", "page"] as const).flatMap((kind) =>
    parametersOfRole(operation, kind, types).map(({ name }) => plainName(name)),
  );
  return membersAround(judged.value).some(
    ({ name, value }) => typeof value === "number" && (pagesName.test(name) || names.includes(name)),
  );
}

/** What says whether there is more agrees with what leads there. */
export function checkMore(context: HttpContext, told: Told): readonly Finding[] {
  const { operation, judged } = told;
  const said = moreOf(judged.value);
  const link = pageLinksOf(told).body.get("next");
  const place = withPlace(operation.place);
  if (said === false && typeof link === "string") {
    const message = "The body says that there is no more, and links to the next page";
    return [{ rule: httpRules.pages, message, detail: link, ...place }];
  }
  const isCounted = (["offset", "page"] as const).some(
    (kind) => parametersOfRole(operation, kind, context.types).length > 0,
  );
  if (said !== true || isCounted || link !== null || nextTokenOf(judged.value) !== undefined) return [];
  const message = "The body says that there is more, and that there is no next page";
  return [{ rule: httpRules.pages, message, ...place }];
}

interface Total {
  readonly total: number;
  /** As messages call it. */
  readonly where: string;
  readonly pointer?: string;
}

/** How many elements all pages have, as an answer tells it: beside the list, within `meta` or the like, or in a header. */
export function totalOf({ judged }: Pick<Observation, "judged">): Total | undefined {
  const member = totalIn(judged.value);
  if (member !== undefined) return { ...member, where: member.pointer };
  const { headers } = judged.answer;
  const header = ["x-total-count", "x-total", "total-count"].find((name) => /^\d+$/.test(headers.get(name) ?? ""));
  return header === undefined ? undefined : { total: Number(headers.get(header)), where: `the header ${header}` };
}

/** Counts of an object with the lengths of the lists that they count. */
export function gapsOf(
  operation: SuiteHttpOperation,
  value: unknown,
): readonly { readonly name: string; readonly count: number; readonly length: number }[] {
  if (!isRecord(value)) return [];
  return countersOf(operation, value).map(({ name, count, items }) => ({ name, count, length: items.length }));
}

interface Counter {
  readonly name: string;
  readonly count: number;
  readonly items: readonly unknown[];
  /** False: the list may be a part of what is counted. */
  readonly isWhole: boolean;
}

/** Members of an object that count the elements of a list beside them. */
function countersOf(operation: SuiteHttpOperation, value: Readonly<Record<string, unknown>>): readonly Counter[] {
  const list = listOf(value);
  const isWhole = !isPaged(operation.parameters);
  return Object.entries(value).flatMap(([name, count]): readonly Counter[] => {
    if (typeof count !== "number" || !Number.isInteger(count)) return [];
    // Elements that count by the same name are groups of what is counted.
    if (list?.items.some((item) => isRecord(item) && Object.hasOwn(item, name)) === true) return [];
    const plain = plainName(name);
    // The total of one thing may be a sum of anything.
    if (list !== undefined && totalName.test(plain) && subjectParameterOf(operation) === undefined) {
      // With pages, `count` may be of the page or of all.
      return plain === "count" && !isWhole ? [] : [{ name, count, items: list.items, isWhole }];
    }
    if (list !== undefined && pageCountName.test(plain)) return [{ name, count, items: list.items, isWhole: true }];
    const counted = countedBy(plain, value);
    return counted === undefined || counted.length === 0 ? [] : [{ name, count, items: counted, isWhole }];
  });
}

/** Whether what the description shows is counted so: then a list is never a part of what is counted. */
function isCountShown(operation: SuiteHttpOperation, name: string): boolean {
  const shown = operation.examples.flatMap(({ outcome }) => {
    if (outcome.kind !== "success" || !isRecord(outcome.value)) return [];
    return countersOf(operation, outcome.value).filter((counter) => counter.name === name);
  });
  // Nothing among nothing says nothing.
  return shown.some(({ items }) => items.length > 0) && shown.every(({ count, items }) => count === items.length);
}

/** `tx_count`, `nTx`, `num_outputs`, `txCount`: the list of the same object that it counts. */
function countedBy(plain: string, value: Readonly<Record<string, unknown>>): readonly unknown[] | undefined {
  const thing = /^(?:n|num|number(?:of)?)([a-z]+)$/.exec(plain)?.[1] ?? /^([a-z]+?)s?count$/.exec(plain)?.[1];
  if (thing === undefined) return undefined;
  const singular = thing.replace(/s$/, "");
  const isThing = (name: string): boolean =>
    name === singular || name === `${singular}s` || name === `${singular}es` || name === `${singular}ids`;
  const lists = Object.entries(value).filter(([name, member]) => Array.isArray(member) && isThing(plainName(name)));
  const [only] = lists;
  return lists.length === 1 && Array.isArray(only?.[1]) ? only[1] : undefined;
}

/** Parameters by which an answer may be a part of what there is. */
const pagingName =
  /^(?:limit|pagelimit|count|n|num|size|pagesize|perpage|maxresults|max|first|last|take|top|offset|skip|start|startindex|page|pagenumber|pagetoken|cursor|after|before|marker|startingafter|endingbefore|afterid|beforeid|next|continuation|aftertxid|lastseentxid|since|from|to)$/;

/** Whether an answer may be one page of several. */
export function isPaged(parameters: readonly SuiteParameter[]): boolean {
  return parameters.some(({ name }) => pagingName.test(plainName(name)));
}

/** `X-Total-Count` is the number of elements where all are listed, and never less. */
function countHeader(context: HttpContext, told: Told): readonly Finding[] {
  const { operation, judged } = told;
  const { answer } = judged;
  const value = listOf(judged.value)?.items;
  if (value === undefined || subjectParameterOf(operation) !== undefined) return [];
  for (const name of ["x-total-count", "x-total", "total-count"]) {
    const text = answer.headers.get(name);
    if (text === undefined || !/^\d+$/.test(text)) continue;
    const count = Number(text);
    const isComplete = !isPaged(operation.parameters) || isAllThere(context, told, value.length);
    if (count < value.length || (isComplete && count > value.length)) {
      return [
        {
          rule: httpRules.counts,
          message: `The header ${name} is not the number of elements that are listed`,
          detail: `${text}, and there are ${value.length}`,
        },
      ];
    }
  }
  return [];
}
