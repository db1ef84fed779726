import { type GraphQLArgument, getNamedType, isInterfaceType, isObjectType } from "graphql";
import type { Finding } from "../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../contract/planned-case.ts";
import type { Rule } from "../contract/rule.ts";
import { withPlace } from "../suite/with-place.ts";
import { isRecord } from "../types/is-record.ts";
import { isLimitName, isOffsetName } from "./field-names.ts";
import type { FieldSite } from "./field-site.ts";
import { graphqlCase, kebab } from "./graphql-case.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { GraphqlRun, HeldAnswer } from "./graphql-run.ts";
import { type ListShape, listShapeOf } from "./list-shape.ts";
import { placeOf } from "./place-of.ts";
import { uniqueFindings } from "./read-response.ts";
import { identityOf } from "./select-fields.ts";
import { stillFound } from "./still-found.ts";
import { type FieldSelection, type GivenArgument, type Selection, writeQuestion } from "./selection.ts";
import { isSame } from "./is-same.ts";

/** Elements of the longest page that is asked for. */
const wholeSize = 10;
/** Where there are more, the last page is not looked for: counts of very many are often not exact, and far pages dear. */
const mostCounted = 1000;

/** How pages of a list are asked for. */
interface Paging {
  readonly shape: ListShape;
  readonly limit: GraphQLArgument;
  readonly offset: GraphQLArgument | undefined;
}

/** A page as it was answered. */
interface Page {
  readonly elements: readonly unknown[];
  readonly total: number | undefined;
  readonly more: boolean | undefined;
}

type Note = (rule: Rule, message: string, detail?: string) => void;

/** Pages of one list, with or without a total beside them: Relay's own stand in `connection-pages.ts`. */
export function planPages(run: GraphqlRun, site: FieldSite): readonly PlannedCase[] {
  const { field, parentType, operation } = site;
  const shape = listShapeOf(field.type);
  const isInt = ({ type }: GraphQLArgument): boolean => getNamedType(type).name === "Int";
  const limit = field.args.find((one) => isLimitName(one.name) && one.name !== "last" && isInt(one));
  const offset = field.args.find((one) => isOffsetName(one.name) && isInt(one));
  if (shape === undefined || limit === undefined || (shape.total ?? shape.more ?? offset) === undefined) return [];
  const isRoot = parentType === run.schema.getQueryType()?.name;
  return [
    graphqlCase({
      operation,
      group: "relation",
      name: `${isRoot ? "" : `${kebab(parentType)}-${kebab(field.name)}-`}pages`,
      rule: graphqlRules.pageWhole,
      expected:
        "pages that are as long as asked for where the list is, and as many elements as they say that there are",
      requests: 3,
      play: (play) => playPages(run, site, { shape, limit, offset }, play),
    }),
  ];
}

async function playPages(
  run: GraphqlRun,
  site: FieldSite,
  paging: Paging,
  play: CasePlay,
): Promise<readonly Finding[]> {
  const ask = (pages: Readonly<Record<string, readonly [limit: number, offset?: number]>>): Promise<HeldAnswer> =>
    run.ask(
      play,
      writeQuestion(
        site.wrap(
          Object.entries(pages).map(([alias, [size, start]]) => pageSelection(run, site, paging, alias, size, start)),
        ),
      ),
    );
  const isWell = (held: HeldAnswer): boolean => held.data !== undefined && held.response.errors.length === 0;
  const skips = paging.offset !== undefined;
  const askBeginning = (): Promise<HeldAnswer> =>
    ask({
      one: [1],
      two: [2],
      whole: [wholeSize],
      ...(skips ? { second: [1, 1], skipped: [wholeSize, 1] } : {}),
      // What moves is another at the end of an answer than at its beginning.
      atEnd: [wholeSize],
    });
  const held = await askBeginning();
  if (!isWell(held)) return play.skip("The target does not answer this");
  const again = async (): Promise<readonly Finding[]> => beginningFindings(site, paging, await askBeginning());
  const still = await stillFound(beginningFindings(site, paging, held), again);
  if (still.length > 0 || !skips) return uniqueFindings([...held.findings, ...still]);
  // Lists of several objects have ends of their own.
  const [parent, ...others] = site.parentsIn(held.data ?? {});
  const total = pageOf(paging, parent?.["whole"])?.total;
  if (others.length > 0 || total === undefined || total > mostCounted || total < 1) return held.findings;
  const askEnd = (): Promise<HeldAnswer> =>
    ask({ whole: [wholeSize], last: [2, total - 1], beyond: [1, total], atEnd: [wholeSize] });
  const ended = await askEnd();
  const late = async (): Promise<readonly Finding[]> => endFindings(site, paging, total, await askEnd());
  const sure = await stillFound(endFindings(site, paging, total, ended), late);
  return uniqueFindings([...held.findings, ...ended.findings, ...sure]);
}

function pageSelection(
  run: GraphqlRun,
  site: FieldSite,
  { shape, limit, offset }: Paging,
  alias: string,
  size: number,
  start: number | undefined,
): FieldSelection {
  const leaf = (name: string): FieldSelection => ({ kind: "field", name, selections: [] });
  const paging = new Set([limit.name, offset?.name]);
  const rest = (site.selection.arguments ?? []).filter(({ name }) => !paging.has(name));
  const given: GivenArgument[] = [{ name: limit.name, type: limit.type, value: size }];
  if (offset !== undefined && start !== undefined) given.push({ name: offset.name, type: offset.type, value: start });
  const beside = [shape.total, shape.more].filter((name) => name !== undefined).map(leaf);
  const selections: readonly Selection[] = [...shape.select(namesOf(run, shape).map(leaf)), ...beside];
  return { kind: "field", name: site.field.name, alias, arguments: [...rest, ...given], selections };
}

/** Members that tell elements apart. */
function namesOf(run: GraphqlRun, { element }: ListShape): readonly string[] {
  const type = run.schema.getType(element.name);
  if (isObjectType(type)) {
    const keys = identityOf(type).filter(({ name, args }) => args.length === 0 && name !== "__typename");
    return ["__typename", ...keys.map(({ name }) => name)];
  }
  return isInterfaceType(type) && type.getFields()["id"] !== undefined ? ["__typename", "id"] : ["__typename"];
}

function pageOf({ shape }: Paging, value: unknown): Page | undefined {
  const elements = shape.elementsOf(value);
  if (elements === undefined) return undefined;
  const beside = (name: string | undefined): unknown =>
    name !== undefined && isRecord(value) ? value[name] : undefined;
  const [total, more] = [beside(shape.total), beside(shape.more)];
  return {
    elements,
    total: typeof total === "number" ? total : undefined,
    more: typeof more === "boolean" ? more : undefined,
  };
}

/** What is wrong with pages at the beginning of a list. */
function beginningFindings(site: FieldSite, paging: Paging, { data }: HeldAnswer): readonly Finding[] {
  const findings: Finding[] = [];
  const note = noteFor(site, findings);
  for (const parent of site.parentsIn(data ?? {})) {
    const page = (alias: string): Page | undefined => pageOf(paging, parent[alias]);
    const [one, two, whole, second, skipped] = ["one", "two", "whole", "second", "skipped"].map(page);
    if (one === undefined || two === undefined || whole === undefined) continue;
    // A list that moves while it is asked for has no pages to compare.
    if (!isSame(parent["whole"], parent["atEnd"]) || whole.total !== page("atEnd")?.total) continue;
    lengthFindings(paging, whole, [one, two], note);
    totalFindings(paging, [one, two, whole, second, skipped], note);
    for (const some of [one, two]) {
      if (some.more === false && whole.elements.length > some.elements.length)
        note(graphqlRules.pageInfo, `${paging.shape.more} is false, and there is more`);
    }
    if (one.more === true && two.elements.length === 1)
      note(graphqlRules.pageInfo, `${paging.shape.more} is true, and there is no more`);
    if (second !== undefined && one.elements.length + second.elements.length !== two.elements.length)
      note(graphqlRules.pageWhole, "two pages of one element have not as many as the page of both");
    if (second !== undefined && skipped !== undefined) skippedFindings(paging, whole, second, skipped, note);
  }
  return uniqueFindings(findings);
}

/** Servers may leave out of a page what is not for the caller: only a list without gaps says how long its pages are. */
function isGapless({ elements, total }: Page): boolean {
  return elements.length >= wholeSize || elements.length === total;
}

/** Pages of one and of two elements beside the whole beginning. */
function lengthFindings({ limit }: Paging, whole: Page, pages: readonly Page[], note: Note): void {
  for (const [index, { elements }] of [...pages, whole].entries()) {
    const size = [1, 2, wholeSize][index] ?? wholeSize;
    if (elements.length > size)
      note(graphqlRules.limit, `a page has more elements than ${limit.name} says`, `${elements.length} for ${size}`);
    if (elements.length < Math.min(size, whole.elements.length)) {
      const rule = isGapless(whole) ? graphqlRules.pageWhole : graphqlRules.limitPrefix;
      note(rule, `a page has fewer elements than ${limit.name} says, and there are more`);
    } else if (!isSame(elements.slice(0, size), whole.elements.slice(0, size))) {
      note(graphqlRules.limitPrefix, `limited by ${limit.name} it begins otherwise than where it is longer`);
    }
  }
}

/** Pages without the first element: they go on with the second one, and none is missing. */
function skippedFindings({ offset }: Paging, whole: Page, second: Page, skipped: Page, note: Note): void {
  const name = offset?.name ?? "";
  const [head, ...rest] = whole.elements;
  if (rest.length === 0 || isSame(head, rest[0])) return;
  if ([second, skipped].some(({ elements }) => elements.length > 0 && isSame(elements[0], head))) {
    note(graphqlRules.offset, `it begins with the element that ${name} skips`);
    return;
  }
  if (!isSame(second.elements.slice(0, 1), rest.slice(0, 1)))
    note(graphqlRules.limitPrefix, `after ${name} it is not what follows without it`);
  // What goes on in the same order further behind leaves out what is between.
  const start = rest.findIndex((one) => isSame(one, skipped.elements[0]));
  const follows = rest.slice(start);
  if (start > 0 && follows.length > 1 && isSame(follows, skipped.elements.slice(0, follows.length)))
    note(graphqlRules.pageWhole, `after ${name} it leaves out elements`);
  if (rest.length < 2 || !isGapless(whole)) return;
  if (second.elements.length === 0 || skipped.elements.length < rest.length)
    note(graphqlRules.pageWhole, `a page after ${name} has fewer elements than there are`);
  // Which order a list has without being asked for one is its own affair: what it holds is not.
  const isKnown = (element: unknown): boolean => rest.some((one) => isSame(one, element));
  if (skipped.elements.length > 0 && !skipped.elements.some(isKnown))
    note(graphqlRules.pageWhole, `a page after ${name} has none of the elements that follow`);
}

/** The total is of the whole list, whatever the page. */
function totalFindings({ shape }: Paging, pages: readonly (Page | undefined)[], note: Note): void {
  const totals = pages.flatMap((page) => (page?.total === undefined ? [] : [page.total]));
  if (new Set(totals).size > 1)
    note(graphqlRules.count, `${shape.total} is another for other pages of one list`, totals.join(", "));
}

/** What is wrong where a list ends by its own total. */
function endFindings(
  site: FieldSite,
  paging: Paging,
  total: number,
  { data, response }: HeldAnswer,
): readonly Finding[] {
  const findings: Finding[] = [];
  const note = noteFor(site, findings);
  const [parent] = site.parentsIn(data ?? {});
  if (parent === undefined || response.errors.length > 0 || !isSame(parent["whole"], parent["atEnd"])) return [];
  const [whole, last, beyond] = ["whole", "last", "beyond"].map((alias) => pageOf(paging, parent[alias]));
  if (whole === undefined || last === undefined || beyond === undefined || whole.total !== total) return [];
  const { total: name, more } = paging.shape;
  // What is left out of pages may be counted all the same; a list that is cut at a round number may have more than that.
  const isExact = whole.elements.length >= Math.min(wholeSize, total);
  const isRound = total >= 100 && total % 100 === 0;
  if (last.elements.length > 1 || beyond.elements.length > 0) {
    note(isRound ? graphqlRules.countLikely : graphqlRules.count, `${name} is less than there are elements`);
  } else if (last.elements.length === 0) {
    note(isExact ? graphqlRules.count : graphqlRules.countLikely, `${name} is more than there are elements`);
  } else if (last.more === true || beyond.more === true) {
    note(graphqlRules.pageInfo, `${more} is true on the last page`);
  }
  return uniqueFindings(findings);
}

function noteFor(site: FieldSite, findings: Finding[]): Note {
  const place = withPlace(placeOf(site.field.astNode));
  return (rule, message, detail) => {
    const said = `${site.field.name}: ${message}`;
    findings.push({ rule, message: said, ...(detail === undefined ? {} : { detail }), ...place });
  };
}
