import { withPlace } from "../suite/with-place.ts";
import type { Finding } from "../contract/finding.ts";
import { isRecord } from "../types/is-record.ts";
import { armsOf, memberOf, resolveType } from "../compare/member-facts.ts";
import { escapeSegment } from "../types/json-pointer.ts";
import { showValue } from "../compare/show-value.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../suite/suite.ts";
import type { AnswerCheck, HttpContext, Observation } from "./http-context.ts";
import { httpRules } from "./http-rules.ts";
import { parametersOfRole, roleOf } from "./parameter-roles.ts";
import { defaultOf, integerBounds } from "./relation-base.ts";
import { identifierOf, identityOf, isIdentifier, listOf, textOf } from "../compare/list-of.ts";
import {
  memberForParameter,
  memberOfParameter,
  pathParametersOf,
  singularOf,
  subjectParameterOf,
} from "./operation-shape.ts";

/** What has to hold within every answer, given what was asked for: it costs no request. */
export const answerChecks: readonly AnswerCheck[] = [
  checkIdentity,
  checkRepeated,
  checkRepeatedPage,
  checkOwner,
  checkUnique,
  checkCounts,
  checkPage,
  checkHeaders,
];

const entityTag = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;
const httpDate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const obsoleteDate = /^(?:[A-Z][a-z]+day, \d{2}-|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d )/;

/** Headers that HTTP gives a syntax, whatever the description says of them. */
function checkHeaders(_context: HttpContext, { judged }: Observation): readonly Finding[] {
  const isRight: Readonly<Record<string, (text: string) => boolean>> = {
    link: (text) => text.trim() === "" || /^[\s,]*<[^<>]*>/.test(text),
    etag: (text) => entityTag.test(text),
    "last-modified": (text) => httpDate.test(text) || obsoleteDate.test(text),
  };
  return Object.entries(isRight).flatMap(([name, check]): readonly Finding[] => {
    const text = judged.answer.headers.get(name);
    if (text === undefined || check(text)) return [];
    const message = `The header ${name} is not written as HTTP writes it`;
    return [{ rule: httpRules.headerSyntax, message, detail: showValue(text) }];
  });
}

/** The identifier in the path is the one in the body. */
function checkIdentity(context: HttpContext, observation: Observation): readonly Finding[] {
  const { operation, input, judged } = observation;
  const { value } = judged;
  if (operation.method !== "GET" || !isRecord(value)) return [];
  return pathParametersOf(operation).flatMap((parameter): readonly Finding[] => {
    const name =
      memberForParameter(operation, parameter, Object.keys(value), input[parameter.property]) ??
      memberOfParameter(operation, parameter, judged.type, context.types) ??
      context.linkedMembers.get(parameter);
    const wanted = input[parameter.property];
    if (name === undefined || !isIdentifier(wanted)) return [];
    const actual = value[name];
    if (!isIdentifier(actual) || isSameIdentifier(wanted, actual)) return [];
    if (isNameOfAnother(operation, parameter, value) || isShownOtherwise(operation, parameter, name)) return [];
    const place = memberOf(judged.type, name, context.types)?.place;
    return [
      {
        rule: httpRules.identity,
        message: `/${escapeSegment(name)} is not what ${parameter.name} asks for`,
        detail: `${showValue(actual)}, asked for ${showValue(wanted)}`,
        pointer: `/${escapeSegment(name)}`,
        ...withPlace(place),
      },
    ];
  });
}

/** Parameters of which an answer may repeat another value than the one that was sent: what was found, or what it was made of. */
const adjustedName =
  /limit|size|count|page|offset|skip|start|cursor|token|after|before|sort|order|fields?|include|expand|lang|locale|format|time|date|since|until|version|status|state|type|kind/;

/** Numbers that are so near may be the next one that a grid, or a number of digits, has. */
const nearNumbers = 0.5;

/** What a query asks about, and the answer repeats under the same name, is what was asked about. */
function checkRepeated(context: HttpContext, { operation, input, judged }: Observation): readonly Finding[] {
  const { value } = judged;
  if (operation.method !== "GET" || !isRecord(value)) return [];
  return operation.parameters.flatMap((parameter): readonly Finding[] => {
    const { name, location, property } = parameter;
    if (location !== "query" || adjustedName.test(plainName(name))) return [];
    const member = Object.keys(value).find((one) => plainName(one) === plainName(name));
    const wanted = input[property] ?? defaultOf(parameter, context.types);
    if (member === undefined || !isRepeatable(context, parameter) || isShownOtherwise(operation, parameter, member))
      return [];
    const actual = value[member];
    if (!isPlain(wanted) || !isPlain(actual) || isNearly(wanted, actual)) return [];
    const place = memberOf(judged.type, member, context.types)?.place;
    return [
      {
        rule: httpRules.identity,
        message: `/${escapeSegment(member)} is not what ${name} asks for`,
        detail: `${showValue(actual)}, asked for ${showValue(wanted)}`,
        pointer: `/${escapeSegment(member)}`,
        ...withPlace(place),
      },
    ];
  });
}

/**
 * Where an answer repeats which part of a list was asked for, it is that part. Sizes are held to it where as many elements are there:
 * others may be how many there are.
 */
function checkRepeatedPage(context: HttpContext, { operation, input, judged }: Observation): readonly Finding[] {
  const { value } = judged;
  const length = isRecord(value) ? listOf(value)?.items.length : undefined;
  if (operation.method !== "GET" || !isRecord(value) || length === undefined || length === 0) return [];
  return (["page", "offset", "limit"] as const).flatMap((kind) =>
    parametersOfRole(operation, kind, context.types).flatMap((parameter): readonly Finding[] => {
      const wanted = input[parameter.property];
      const member = Object.keys(value).find((one) => plainName(one) === plainName(parameter.name));
      const actual = member === undefined ? undefined : value[member];
      if (member === undefined || typeof wanted !== "number" || typeof actual !== "number" || wanted === actual)
        return [];
      if ((kind === "limit" && length !== wanted) || isShownOtherwise(operation, parameter, member)) return [];
      return [
        {
          rule: httpRules.identity,
          message: `/${escapeSegment(member)} is not what ${parameter.name} asks for`,
          detail: `${showValue(actual)}, asked for ${showValue(wanted)}`,
          pointer: `/${escapeSegment(member)}`,
          ...withPlace(memberOf(judged.type, member, context.types)?.place),
        },
      ];
    }),
  );
}

/** Numbers, and texts of few forms: of free text an answer may repeat what it understood. */
function isRepeatable({ types }: HttpContext, { type }: SuiteParameter): boolean {
  return armsOf(type, types).every(
    (arm) =>
      arm.kind === "number" || arm.kind === "enumeration" || (arm.kind === "string" && arm.pattern !== undefined),
  );
}

function isPlain(value: unknown): value is string | number | bigint {
  return isIdentifier(value) || typeof value === "number";
}

function isNearly(wanted: string | number | bigint, actual: string | number | bigint): boolean {
  const [left, right] = [Number(wanted), Number(actual)];
  if (Number.isNaN(left) || Number.isNaN(right)) return isSameIdentifier(wanted, actual);
  return Math.abs(left - right) <= (Number.isInteger(left) && Number.isInteger(right) ? 0 : nearNumbers);
}

/**
 * Whether a member that is called as a parameter may be about something else: where the path goes on to a thing of its own, which the
 * answer doesn't name, the answer is about what that thing leads to. `GET /tx/{txid}/outspend/{vout}` answers with the `txid` of a spender.
 */
function isNameOfAnother(
  operation: SuiteHttpOperation,
  parameter: SuiteParameter,
  value: Readonly<Record<string, unknown>>,
): boolean {
  const last = pathParametersOf(operation).at(-1);
  if (last === undefined || last === parameter) return false;
  return memberForParameter(operation, last, Object.keys(value)) === undefined;
}

/** Whether the description itself shows that the two are not the same. */
function isShownOtherwise(operation: SuiteHttpOperation, { property }: SuiteParameter, name: string): boolean {
  return operation.examples.some(({ input, outcome }) => {
    if (outcome.kind !== "success" || !isRecord(outcome.value)) return false;
    const [wanted, shown] = [input[property], outcome.value[name]];
    return isIdentifier(wanted) && isIdentifier(shown) && !isSameIdentifier(wanted, shown);
  });
}

/** Names of lists whose elements may be of others than the one that the path names. */
const ofOthers = /follow|friend|message|mention|share|invite|notif|transfer|member|participant|related|similar|spen/i;

/** Elements of `/products/{productId}/reviews` that have a name of their own, and a `productId`, have this one. */
function checkOwner(_context: HttpContext, { operation, input, judged }: Observation): readonly Finding[] {
  const match = /\/([^/{}]+)\/\{([^{}]*)\}\/([^/{}]+)\/?$/.exec(operation.path);
  const parameter = match === null ? undefined : pathParametersOf(operation).find(({ name }) => name === match[2]);
  if (match === null || parameter === undefined || ofOthers.test(match[3] ?? "")) return [];
  const list = listOf(judged.value);
  const wanted = input[parameter.property];
  const ownerName = `${singularOf(plainName(match[1] ?? ""))}id`;
  if (plainName(parameter.name) !== ownerName || !isIdentifier(wanted)) return [];
  const ownName = `${singularOf(plainName(match[3] ?? ""))}id`;
  for (const item of list?.items ?? []) {
    if (!isRecord(item)) continue;
    const names = Object.keys(item);
    const hasOwn = names.some((name) => plainName(name) === "id" || plainName(name) === ownName);
    const owner = names.find((name) => plainName(name) === ownerName);
    const actual = owner === undefined ? undefined : item[owner];
    if (!hasOwn || owner === undefined || !isIdentifier(actual) || isSameIdentifier(wanted, actual)) continue;
    const pointer = `${list?.pointer ?? ""}/*/${escapeSegment(owner)}`;
    const message = `${pointer} is not what ${parameter.name} asks for`;
    const detail = `${showValue(actual)}, asked for ${showValue(wanted)}`;
    return [{ rule: httpRules.identity, message, detail, pointer, ...withPlace(operation.place) }];
  }
  return [];
}

/** Hexadecimal and names may be spelt in either case, and `latest` stands for a number. */
function isSameIdentifier(wanted: string | number | bigint, actual: string | number | bigint): boolean {
  const [left, right] = [textOf(wanted).toLowerCase(), textOf(actual).toLowerCase()];
  if (left === right || left.replace(/^0x/, "") === right.replace(/^0x/, "")) return true;
  const isWord = !/\d/.test(left);
  const isOtherKind = /^\d+$/.test(left) !== /^\d+$/.test(right);
  if (isWord && isOtherKind) return true;
  // One thing may have identifiers of several kinds, of which a path takes any: a height or a hash, a name or a number.
  return isOtherKind;
}

/** No element is listed twice, told by its identifier. */
function checkUnique(context: HttpContext, { operation, input, judged }: Observation): readonly Finding[] {
  const list = listOf(judged.value);
  if (list === undefined || list.items.length < 2) return [];
  const identifier = identifierOf(list.items);
  const isPlain = identifier === undefined && list.items.every((item) => typeof item === "string" && item.length >= 16);
  if (identifier === undefined && !isPlain) return [];
  if (identifier !== undefined && !isOwnIdentifier(operation.path, identifier)) return [];
  const seen = new Set<string>();
  for (const item of list.items) {
    const identity = identityOf(item, identifier);
    if (identity === undefined) continue;
    if (seen.has(identity))
      return [repeated(context, { operation, input, judged }, list.pointer, identifier, identity)];
    seen.add(identity);
  }
  return [];
}

/** An element's own name: `txid` of an output list names what it is an output of. */
export function isOwnIdentifier(path: string, identifier: string): boolean {
  const plain = plainName(identifier);
  if (plain === "id" || plain === "uuid" || plain === "guid") return true;
  const last = plainName(path.split("/").findLast((segment) => segment !== "" && !segment.includes("{")) ?? "");
  const things: readonly (readonly [RegExp, RegExp])[] = [
    [/^(?:txid|hash|transactionid)$/, /^(?:txs?|transactions?|txids|mempool|unconfirmed|recent)$/],
    [/^(?:hash|blockhash)$/, /^(?:blocks?|headers?)$/],
  ];
  return (
    things.some(([name, where]) => name.test(plain) && where.test(last)) || plain === `${last.replace(/s$/, "")}id`
  );
}

type Told = Pick<Observation, "operation" | "input" | "judged">;

function repeated(
  context: HttpContext,
  { judged }: Told,
  pointer: string,
  identifier: string | undefined,
  identity: string,
): Finding {
  const where = `${pointer}/*${identifier === undefined ? "" : `/${escapeSegment(identifier)}`}`;
  const resolved = resolveType(judged.type, context.types);
  return {
    rule: httpRules.unique,
    message: `${where} is the same in several elements`,
    detail: `${showValue(identity)} stands there more than once`,
    pointer: where,
    ...withPlace(resolved?.place),
  };
}

/** Members that say how many elements there are, of all pages. */
const totalName =
  /^(?:total|totalcount|totalitems|totalresults|totalelements|totalhits|count|itemcount|resultcount|totalrecords|numresults)$/;
/** Members that say how many elements a page has. */
const pageCountName = /^(?:returned|countonpage|numberofelements|pagelength)$/;

/** What counts elements agrees with them, as far as one answer can tell. */
function checkCounts(context: HttpContext, { operation, input, judged }: Observation): readonly Finding[] {
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

/** Members around a page that say how many elements all pages have. */
const allName = /^(?:total|totalcount|totalitems|totalresults|totalelements|totalhits|totalrecords)$/;
const moreName = /^(?:hasmore|hasnext|hasnextpage|more|moreavailable)$/;
const aroundName = /^(?:meta|metadata|paging|pagination|page|pageinfo)$/;

interface PageFacts {
  /** Of elements before this page. */
  readonly start: number;
  /** That were asked for, or are the documented default. */
  readonly size: number;
}

/** Where an answer's page begins and how long it may be, by what was asked for alone; undefined where something else counts too. */
function pageFactsOf({ types }: HttpContext, { operation, input }: Told): PageFacts | undefined {
  const [limit] = parametersOfRole(operation, "limit", types);
  const [offset] = parametersOfRole(operation, "offset", types);
  const [page] = parametersOfRole(operation, "page", types);
  if (limit === undefined || (offset === undefined && page === undefined)) return undefined;
  if (offset !== undefined && !/^(?:offset|skip)$/.test(plainName(offset.name))) return undefined;
  const paging: ReadonlySet<SuiteParameter | undefined> = new Set([limit, offset, page]);
  const isFiltered = operation.parameters.some((one) => {
    const isOrder = ["sort", "direction"].includes(roleOf(operation, one, types).kind);
    return one.location === "query" && !paging.has(one) && !isOrder && input[one.property] !== undefined;
  });
  const usual = defaultOf(limit, types);
  const size = input[limit.property] ?? usual;
  const { maximum } = integerBounds(limit.type, types);
  // What is longer than a documented page may be cut to what the server thinks right.
  const isAllowed =
    typeof size === "number" && size >= 1 && size <= (maximum ?? (typeof usual === "number" ? usual : 2));
  if (isFiltered || !isAllowed) return undefined;
  if (offset !== undefined) {
    const start = input[offset.property] ?? 0;
    const begins = integerBounds(offset.type, types).minimum ?? 0;
    return typeof start === "number" && begins === 0 && page === undefined ? { start, size } : undefined;
  }
  if (page === undefined) return undefined;
  const least = integerBounds(page.type, types).minimum;
  const first = defaultOf(page, types) ?? least;
  const number = input[page.property] ?? first;
  const isCounted = typeof number === "number" && typeof first === "number" && (least ?? first) === first;
  return isCounted && number >= first ? { start: (number - first) * size, size } : undefined;
}

/** A page holds as many elements of all that there are as it has room for; whether there are more is told rightly. */
function checkPage(context: HttpContext, told: Told): readonly Finding[] {
  const { judged } = told;
  const items = listOf(judged.value)?.items;
  const facts = items === undefined ? undefined : pageFactsOf(context, told);
  if (items === undefined || facts === undefined) return [];
  const around = membersAround(judged.value);
  const counted = totalOf(told);
  if (counted === undefined) return [];
  const { total, where, pointer } = counted;
  // What a page behind the end is, nobody says: none, or the last one.
  if (total > 0 && facts.start >= total) return [];
  const left = Math.max(0, total - facts.start);
  const expected = Math.min(left, facts.size);
  const found: Finding[] = [];
  if (items.length !== expected) {
    found.push({
      rule: httpRules.counts,
      message: `The page has not as many elements as ${where} and what was asked for say`,
      detail: `${items.length} elements, ${expected} expected of ${total} behind ${facts.start}`,
      ...(pointer === undefined ? {} : { pointer }),
    });
  }
  const more = around.find(({ name, value }) => moreName.test(name) && typeof value === "boolean");
  if (more !== undefined && more.value !== left > facts.size) {
    const message = `${more.pointer} does not say what ${where} and what was asked for say`;
    found.push({
      rule: httpRules.counts,
      message,
      detail: `${String(more.value)}, ${left} left`,
      pointer: more.pointer,
    });
  }
  return found;
}

interface Total {
  readonly total: number;
  /** As messages call it. */
  readonly where: string;
  readonly pointer?: string;
}

/** How many elements all pages have, as an answer tells it: beside the list, within `meta` or the like, or in a header. */
export function totalOf({ judged }: Pick<Observation, "judged">): Total | undefined {
  const member = membersAround(judged.value).find(({ name, value }) => allName.test(name) && isCount(value));
  if (member !== undefined && isCount(member.value)) {
    return { total: member.value, where: member.pointer, pointer: member.pointer };
  }
  const { headers } = judged.answer;
  const header = ["x-total-count", "x-total", "total-count"].find((name) => /^\d+$/.test(headers.get(name) ?? ""));
  return header === undefined ? undefined : { total: Number(headers.get(header)), where: `the header ${header}` };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

/** Plain members beside a list, or within what is called `meta` there. */
function membersAround(
  value: unknown,
  pointer = "",
): readonly { readonly name: string; readonly value: unknown; readonly pointer: string }[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = `${pointer}/${escapeSegment(name)}`;
    if (isRecord(member)) return pointer === "" && aroundName.test(plainName(name)) ? membersAround(member, at) : [];
    return [{ name: plainName(name), value: member, pointer: at }];
  });
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
