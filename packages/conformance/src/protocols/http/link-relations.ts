import { withPlace } from "../../suite/with-place.ts";
import type { Finding } from "../../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../../suite/suite.ts";
import type { PlainRequest } from "../../contract/exchange.ts";
import { isSuccessStatus, judgeAnswer } from "./http-answer.ts";
import { caseOf, type HttpContext, type Observation, wellObserved } from "./http-context.ts";
import { detailOf, skipUnjudged } from "./http-expect.ts";
import type { Input } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { type PageRelation, pageLinksOf } from "./page-link.ts";
import { linkTarget } from "../../inference/page-members.ts";
import { textOf } from "../../compare/list-of.ts";
import { comparedMember, type ComparedMember, elementValues } from "./element-value.ts";
import { parametersOfRole, roleOf } from "./parameter-roles.ts";
import { baseInputOf, firstValid, isIn, isSameList, itemsOf, observeNow } from "./relation-base.ts";

/** Elements of the pages that are asked for where the size can be chosen. */
const smallPage = 2;

type LinkPlace = "header" | "body";

/** Links of a page lead to the pages that they name: in the header `Link` (RFC 8288), or in members called `next`, `prev`, `first`, `last`. */
export function planLinks(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const base = baseInputOf(context, operation);
  if (base === undefined || operation.method !== "GET") return [];
  const places = (["header", "body"] as const).filter((place) =>
    wellObserved(context, operation.name).some((one) => itemsOf(one).length > 0 && pageLinksOf(one)[place].size > 0),
  );
  return places.flatMap((place) => planLinksOf(context, operation, base, place));
}

function planLinksOf(
  context: HttpContext,
  operation: SuiteHttpOperation,
  base: Input,
  place: LinkPlace,
): readonly PlannedCase[] {
  const [limit] = parametersOfRole(operation, "limit", context.types);
  const sized = limit === undefined ? undefined : firstValid(limit, [smallPage], context.types);
  const input = limit === undefined || sized === undefined ? base : { ...base, [limit.property]: sized };
  const told = { context, operation, place, input, limit: sized === undefined ? undefined : limit };
  const hasLast = wellObserved(context, operation.name).some(
    (one) => typeof pageLinksOf(one)[place].get("last") === "string",
  );
  return [
    ...planFiltered(told),
    caseOf(context, operation, {
      group: "relation",
      name: `next-of-${place}`,
      rule: pagesRule(place),
      expected: "a link `next` that leads to what comes after the page, and `prev` back to it",
      requests: 5,
      isLive: true,
      play: (play) => playNext(play, told),
    }),
    ...(hasLast ? [planLast(told)] : []),
  ];
}

function planLast(told: Linked): PlannedCase {
  return caseOf(told.context, told.operation, {
    group: "relation",
    name: `last-of-${told.place}`,
    rule: pagesRule(told.place),
    expected: "a link `last` that leads to the last page, and none `next` from there",
    requests: 3,
    isLive: true,
    play: (play) => playLast(play, told),
  });
}

/** The link next of a filtered list goes on in the filtered list. */
function planFiltered(told: Linked): readonly PlannedCase[] {
  const { context, operation, place, limit } = told;
  const filter = commonFilter(context, operation);
  if (limit === undefined || filter === undefined || firstValid(limit, [1], context.types) === undefined) return [];
  const { parameter, value, compared } = filter;
  const input = { ...told.input, [limit.property]: 1, [parameter.property]: value };
  return [
    caseOf(context, operation, {
      group: "relation",
      name: `next-of-${place}-filtered`,
      rule: httpRules.pages,
      expected: `a link \`next\` that goes on with what ${parameter.name} chooses`,
      requests: 2,
      isLive: true,
      input,
      play: async (play) => {
        const first = await observeNow(context, play, operation, input);
        const target = pageLinksOf(first)[place].get("next");
        if (typeof target !== "string") return play.skip("The filtered list has no next page");
        const second = await follow(play, told, first, "next", target);
        if (Array.isArray(second)) return second;
        const wanted = [value].flat().map(textOf);
        const others = itemsOf(second).filter(
          (item) =>
            elementValues(item, compared)
              ?.map(textOf)
              .some((one) => wanted.includes(one)) === false,
        );
        if (others.length === 0) return second.judged.findings;
        const message = `The link next leads to elements whose ${compared.member.name} is not what ${parameter.name} says`;
        return [...second.judged.findings, linkFinding(told, message, target)];
      },
    }),
  ];
}

interface CommonFilter {
  readonly parameter: SuiteParameter;
  readonly value: unknown;
  readonly compared: ComparedMember;
}

/** A filter by a value that several elements have, and not all. */
function commonFilter(context: HttpContext, operation: SuiteHttpOperation): CommonFilter | undefined {
  const { types } = context;
  const seen = wellObserved(context, operation.name).map(itemsOf);
  const items = seen.toSorted((left, right) => right.length - left.length)[0] ?? [];
  for (const parameter of operation.parameters) {
    const role = roleOf(operation, parameter, types);
    if (parameter.required || role.kind !== "filter") continue;
    const compared = comparedMember(role.member, parameter.type, types);
    const held = items.map((item) => elementValues(item, compared) ?? []);
    const countOf = (value: unknown): number => held.filter((values) => values.includes(value)).length;
    const known = [...new Set(held.flat())].filter((value) => value !== null && value !== undefined);
    const usable = known.filter((value) => countOf(value) >= 2 && countOf(value) < items.length);
    const [common] = usable.toSorted((left, right) => countOf(right) - countOf(left));
    const value = common === undefined ? undefined : firstValid(parameter, [common, [common]], types);
    if (value !== undefined) return { parameter, value, compared };
  }
  return undefined;
}

interface Linked {
  readonly context: HttpContext;
  readonly operation: SuiteHttpOperation;
  readonly place: LinkPlace;
  /** Of a first page. */
  readonly input: Input;
  /** By which the size of pages was chosen. */
  readonly limit: SuiteParameter | undefined;
}

async function playNext(play: CasePlay, linked: Linked): Promise<readonly Finding[]> {
  const { context, operation, place, input, limit } = linked;
  const first = await observeNow(context, play, operation, input);
  const items = itemsOf(first);
  const target = pageLinksOf(first)[place].get("next");
  if (target === undefined || target === null) return lackingNext(play, linked, first);
  const second = await follow(play, linked, first, "next", target);
  if (Array.isArray(second)) return second;
  const found = second.judged.findings;
  const there = itemsOf(second);
  if (items.some((item) => isIn(context, operation, item, there))) {
    const [again, current] = [itemsOf(await observeNow(context, play, operation, input)), there];
    const shared = again.filter((item) => isIn(context, operation, item, current));
    if (shared.length === 0) return found;
    const message = "The link next leads to elements that the page has itself";
    return [...found, pagesFinding(linked, message, `${shared.length} of ${items.length}`)];
  }
  if (there.length === 0 && pageLinksOf(second)[place].has("next") && pageLinksOf(second)[place].get("next") !== null) {
    return [...found, linkFinding(linked, "A page without elements has a link next", target)];
  }
  if (limit !== undefined) {
    const wide = { ...input, [limit.property]: smallPage * 2 };
    const goesOn = async (): Promise<boolean> => {
      const whole = itemsOf(await observeNow(context, play, operation, wide)).slice(items.length);
      return isSameList(context, operation, whole, there.slice(0, whole.length));
    };
    const isValid = firstValid(limit, [smallPage * 2], context.types) !== undefined;
    if (isValid && items.length === smallPage && !(await goesOn()) && !(await goesOn())) {
      const message = "The link next does not lead to what comes after the page";
      return [...found, linkFinding(linked, message, target)];
    }
  }
  const back = pageLinksOf(second)[place].get("prev");
  if (typeof back !== "string") return found;
  const returned = await follow(play, linked, second, "prev", back);
  if (Array.isArray(returned)) return [...found, ...returned];
  const isBack = (all: readonly unknown[]): boolean => isSameList(context, operation, all, itemsOf(returned));
  if (isBack(items) || isBack(itemsOf(await observeNow(context, play, operation, input)))) return found;
  const message = "The link prev of the page after it does not lead to the page";
  return [...found, pagesFinding(linked, message, back)];
}

/** A page that the answers themselves show not to be the last, without a link to the next one where others have it. */
async function lackingNext(play: CasePlay, linked: Linked, first: Observation): Promise<readonly Finding[]> {
  const { context, operation, place, input, limit } = linked;
  if (limit === undefined || itemsOf(first).length !== smallPage) return [];
  const links = pageLinksOf(first)[place];
  const hasOthers = links.size > 0;
  const isToldLast = links.get("next") === null;
  const isUsual = wellObserved(context, operation.name).some(
    (one) => typeof pageLinksOf(one)[place].get("next") === "string",
  );
  if (!hasOthers && !isToldLast && !isUsual) return [];
  const value = firstValid(limit, [smallPage * 2], context.types);
  if (value === undefined) return [];
  const wide = await observeNow(context, play, operation, { ...input, [limit.property]: value });
  const again = await observeNow(context, play, operation, input);
  const next = pageLinksOf(again)[place].get("next");
  if (itemsOf(wide).length <= itemsOf(again).length || typeof next === "string") return [];
  return [linkFinding(linked, "There is no link next where the list goes on", `${itemsOf(wide).length} elements`)];
}

async function playLast(play: CasePlay, linked: Linked): Promise<readonly Finding[]> {
  const { context, operation, place, input } = linked;
  const first = await observeNow(context, play, operation, input);
  const target = pageLinksOf(first)[place].get("last");
  if (typeof target !== "string") return play.skip("No link leads to the last page");
  const last = await follow(play, linked, first, "last", target);
  if (Array.isArray(last)) return last;
  const found = last.judged.findings;
  if (itemsOf(first).length > 0 && itemsOf(last).length === 0) {
    const again = await observeNow(context, play, operation, input);
    if (pageLinksOf(again)[place].get("last") !== target) return found;
    return [...found, linkFinding(linked, "The link last leads to a page without elements", target)];
  }
  const next = pageLinksOf(last)[place].get("next");
  if (typeof next !== "string") return found;
  return [...found, pagesFinding(linked, "The page that the link last leads to has a link next", next)];
}

/** Returns the rule of what a link means by itself: RFC 8288 says that of the header, names that of members. */
function pagesRule(place: LinkPlace): Rule {
  return place === "header" ? httpRules.linkedPages : httpRules.pages;
}

/** A finding of what a link means by itself, whatever the parameters mean. */
function pagesFinding(linked: Linked, message: string, detail: string): Finding {
  return { ...linkFinding(linked, message, detail), rule: pagesRule(linked.place) };
}

/** What a link leads to; findings where that is no page. Skips the case where the link leads elsewhere than to the target. */
async function follow(
  play: CasePlay,
  { context, operation, place }: Linked,
  from: Observation,
  relation: PageRelation,
  target: string,
): Promise<Observation | Finding[]> {
  const request = requestTo(context, from, target);
  if (request === undefined) return play.skip("The link leads elsewhere than to the target");
  const judged = judgeAnswer(operation, await play.send(request), context.types);
  const observation: Observation = { operation, input: from.input, request, judged };
  if (judged.kind === "success") return observation;
  skipUnjudged(context, play, observation);
  if (isSuccessStatus(judged.answer.status)) return [...judged.findings];
  const message = `The link ${relation} of the ${place} is answered with status ${judged.answer.status}`;
  return [{ rule: pagesRule(place), message, ...detailOf(observation), ...withPlace(operation.place) }];
}

/** The request that follows a link: below the target's address, or to the same path where a proxy hides which one that is. */
function requestTo({ session }: HttpContext, { request }: Observation, target: string): PlainRequest | undefined {
  const base = URL.parse(session.options.baseUrl);
  if (base === null || linkTarget(target) === undefined) return undefined;
  const prefix = base.pathname.replace(/\/+$/, "");
  const from = `${base.origin}${prefix}${request.path}${request.query === "" ? "" : `?${request.query}`}`;
  const url = URL.parse(target, from);
  if (url === null) return undefined;
  const query = url.search.slice(1);
  if (url.pathname === `${prefix}${request.path}` || url.pathname.endsWith(request.path)) return { ...request, query };
  const isHere = url.host === base.host && url.pathname.startsWith(`${prefix}/`);
  return isHere ? { ...request, path: url.pathname.slice(prefix.length), query } : undefined;
}

function linkFinding({ operation, place }: Linked, message: string, detail: string): Finding {
  return { rule: httpRules.pages, message: `${message} (${place})`, detail, ...withPlace(operation.place) };
}
