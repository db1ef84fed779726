import { isRecord } from "@nodewright/api-model";
import {
  type GraphQLArgument,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
} from "graphql";
import { type Finding, uniqueFindings } from "../../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import { withPlace } from "../../suite/with-place.ts";
import { connectionNodeOf } from "./field-names.ts";
import type { FieldSite } from "./field-site.ts";
import { graphqlCase, kebab } from "./graphql-case.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { GraphqlRun, HeldAnswer } from "./graphql-run.ts";
import { placeOf } from "./place-of.ts";
import { stillFound } from "./still-found.ts";
import { type FieldSelection, type GivenArgument, type Selection, writeQuestion } from "./selection.ts";
import { isSame } from "./is-same.ts";

/** Edges of the longest page that is asked for. */
const wholeSize = 10;

/** A page as it was answered. */
interface Page {
  readonly edges: readonly unknown[];
  readonly cursors: readonly (string | undefined)[];
  readonly nodes: readonly unknown[];
  readonly info: Readonly<Record<string, unknown>>;
  /** The connection itself. */
  readonly value: Readonly<Record<string, unknown>>;
}

type Note = (rule: Rule, message: string, detail?: string) => void;

/** The arguments of a connection. */
interface PageArguments {
  readonly first: GraphQLArgument;
  readonly after: GraphQLArgument | undefined;
  readonly last: GraphQLArgument | undefined;
  readonly before: GraphQLArgument | undefined;
}

/** Pages of a connection: as long as asked for, one after the other, and told truly (Relay cursor connections). */
export function planConnection(run: GraphqlRun, site: FieldSite): readonly PlannedCase[] {
  const { field, parentType } = site;
  const [first, after, last, before] = ["first", "after", "last", "before"].map((name) =>
    field.args.find((one) => one.name === name),
  );
  if (first === undefined || connectionNodeOf(getNamedType(field.type)) === undefined) return [];
  const isRoot = parentType === run.schema.getQueryType()?.name;
  return [
    graphqlCase({
      operation: site.operation,
      group: "relation",
      name: `${isRoot ? "" : `${kebab(parentType)}-${kebab(field.name)}-`}pages`,
      rule: graphqlRules.cursor,
      expected: "pages that are as long as asked for, follow each other, and say truly what they are",
      requests: 5,
      play: (play) => playPages(run, site, { first, after, last, before }, play),
    }),
  ];
}

async function playPages(
  run: GraphqlRun,
  site: FieldSite,
  args: PageArguments,
  play: CasePlay,
): Promise<readonly Finding[]> {
  const connection = getNamedType(site.field.type);
  if (!isObjectType(connection)) return [];
  const page = pageSelector(run, site, connection);
  const forward = [
    page("one", [[args.first, 1]]),
    page("two", [[args.first, 2]]),
    page("whole", [[args.first, wholeSize]]),
  ];
  const back = args.last === undefined ? [] : [page("lastOne", [[args.last, 1]]), page("lastTwo", [[args.last, 2]])];
  // What moves is another at the end of an answer than at its beginning.
  const atEnd = page("atEnd", [[args.first, wholeSize]]);
  const ask = (some: readonly FieldSelection[]): Promise<HeldAnswer> =>
    run.ask(play, writeQuestion(site.wrap([...some, atEnd])));
  const isWell = (held: HeldAnswer): boolean => held.data !== undefined && held.response.errors.length === 0;
  let held = await ask([...forward, ...back]);
  // Not every server goes backwards.
  let goesBack = back.length > 0 && isWell(held);
  if (!isWell(held) && back.length > 0) held = await ask(forward);
  if (!isWell(held)) return play.skip("The target does not answer this");
  const found = pageFindings(site, held);
  const still = await stillFound(found, async () => {
    const again = await ask(goesBack ? [...forward, ...back] : forward);
    return isWell(again) ? pageFindings(site, again) : [];
  });
  if (still.length > 0) return uniqueFindings([...held.findings, ...still]);
  const full = await playFull(run, site, (size) => page("full", [[args.first, size]]), held, play);
  if (full.length > 0) return uniqueFindings([...held.findings, ...full]);
  // A cursor is of one list: where there are several, it is nothing to the others.
  const [parent, ...others] = site.parentsIn(held.data ?? {});
  const whole = pageOf(parent?.["whole"]);
  if (others.length > 0 || whole === undefined || args.after === undefined) return held.findings;
  const start = whole.cursors[0] ?? textOf(pageOf(parent?.["one"])?.info["endCursor"]);
  if (start === undefined) return held.findings;
  goesBack &&= args.before !== undefined;
  const end = whole.cursors.at(-1) ?? textOf(whole.info["endCursor"]);
  const third = whole.cursors[2];
  const following = [
    page("whole", [[args.first, wholeSize]]),
    page("next", [
      [args.first, 1],
      [args.after, start],
    ]),
    page("nextTwo", [
      [args.first, 2],
      [args.after, start],
    ]),
    ...(end === undefined
      ? []
      : [
          page("beyond", [
            [args.first, 1],
            [args.after, end],
          ]),
        ]),
    ...(goesBack && third !== undefined && args.last !== undefined && args.before !== undefined
      ? [
          page("previous", [
            [args.last, 5],
            [args.before, third],
          ]),
        ]
      : []),
  ];
  const followed = await ask(following);
  const later = followingFindings(site, whole, followed);
  const sure = await stillFound(later, async () => followingFindings(site, whole, await ask(following)));
  return uniqueFindings([...held.findings, ...followed.findings, ...sure]);
}

/** Nothing follows a page of just as many edges as there are. */
async function playFull(
  run: GraphqlRun,
  site: FieldSite,
  full: (size: number) => FieldSelection,
  { data }: HeldAnswer,
  play: CasePlay,
): Promise<readonly Finding[]> {
  const ends = site.parentsIn(data ?? {}).map((parent) => {
    const whole = pageOf(parent["whole"]);
    return whole?.info["hasNextPage"] === false ? whole.edges.length : 0;
  });
  // One and two were called for already.
  const size = ends.find((length) => length > 2 && length < wholeSize);
  if (size === undefined) return [];
  const fullFindings = async (): Promise<readonly Finding[]> => {
    const findings: Finding[] = [];
    const held = await run.ask(play, writeQuestion(site.wrap([full(size)])));
    const parents = held.response.errors.length > 0 ? [] : site.parentsIn(held.data ?? {});
    for (const [index, parent] of parents.entries()) {
      const page = pageOf(parent["full"]);
      if (ends[index] === size && page?.edges.length === size && page.info["hasNextPage"] === true)
        noteFor(site, findings)(graphqlRules.pageInfo, "hasNextPage is true, and there is no more");
    }
    return uniqueFindings(findings);
  };
  return await stillFound(await fullFindings(), fullFindings);
}

type PageSelector = (alias: string, given: readonly (readonly [GraphQLArgument, unknown])[]) => FieldSelection;

function pageSelector(run: GraphqlRun, site: FieldSite, connection: GraphQLObjectType): PageSelector {
  const paging = ["first", "last", "after", "before"];
  const rest = (site.selection.arguments ?? []).filter(({ name }) => !paging.includes(name));
  const selections = pageSelection(run, connection);
  return (alias, given) => ({
    kind: "field",
    name: site.field.name,
    alias,
    arguments: [...rest, ...given.map(([{ name, type }, value]): GivenArgument => ({ name, type, value }))],
    selections,
  });
}

function pageSelection(run: GraphqlRun, connection: GraphQLObjectType): readonly Selection[] {
  const leaf = (name: string): FieldSelection => ({ kind: "field", name, selections: [] });
  const fields = connection.getFields();
  const edge = fields["edges"] === undefined ? undefined : getNamedType(fields["edges"].type);
  const node = connectionNodeOf(connection);
  const known = node === undefined ? undefined : run.schema.getType(node.name);
  const members = isObjectType(known) || isInterfaceType(known) ? known.getFields() : {};
  const identity = ["id", "hash", "name", "number", "code", "slug"].filter((name) => {
    const field = members[name];
    return field !== undefined && field.args.length === 0 && isLeafType(getNamedType(field.type));
  });
  const ofNode = [leaf("__typename"), ...identity.map(leaf)];
  const hasCursor = isObjectType(edge) && edge.getFields()["cursor"] !== undefined;
  const selections: Selection[] = [
    {
      kind: "field",
      name: "edges",
      selections: [...(hasCursor ? [leaf("cursor")] : []), { kind: "field", name: "node", selections: ofNode }],
    },
  ];
  const { nodes, pageInfo, totalCount } = fields;
  const isNodes =
    nodes !== undefined &&
    nodes.args.length === 0 &&
    isListType(getNullableType(nodes.type)) &&
    getNamedType(nodes.type) === node;
  if (isNodes) selections.push({ kind: "field", name: "nodes", selections: ofNode });
  if (totalCount !== undefined && totalCount.args.length === 0 && isLeafType(getNamedType(totalCount.type))) {
    selections.push(leaf("totalCount"));
  }
  const info = pageInfo === undefined ? undefined : getNamedType(pageInfo.type);
  if (isObjectType(info)) {
    const names = ["hasNextPage", "hasPreviousPage", "startCursor", "endCursor"];
    const some = names.filter((name) => info.getFields()[name] !== undefined);
    if (some.length > 0) selections.push({ kind: "field", name: "pageInfo", selections: some.map(leaf) });
  }
  return selections;
}

/** What is wrong with pages of one beginning. */
function pageFindings(site: FieldSite, { data }: HeldAnswer): readonly Finding[] {
  const findings: Finding[] = [];
  const note = noteFor(site, findings);
  for (const parent of site.parentsIn(data ?? {})) {
    const [one, two, whole] = [pageOf(parent["one"]), pageOf(parent["two"]), pageOf(parent["whole"])];
    if (one === undefined || two === undefined || whole === undefined) continue;
    for (const page of [one, two, whole]) ownFindings(page, note);
    if (!isSame(whole.nodes, pageOf(parent["atEnd"])?.nodes)) continue;
    if (one.edges.length > 1 || two.edges.length > 2 || whole.edges.length > wholeSize)
      note(
        graphqlRules.connection,
        "a page has more edges than first says",
        `${one.edges.length} and ${two.edges.length}`,
      );
    if (whole.edges.length >= 2 && (one.edges.length < 1 || two.edges.length < 2))
      note(graphqlRules.limitPrefix, "a page has fewer edges than first says, and there are more");
    if (
      !isSame(one.nodes, whole.nodes.slice(0, one.nodes.length)) ||
      !isSame(two.nodes, whole.nodes.slice(0, two.nodes.length))
    )
      note(graphqlRules.limitPrefix, "a longer page begins otherwise");
    for (const page of [one, two]) {
      if (page.info["hasNextPage"] === false && whole.edges.length > page.edges.length)
        note(graphqlRules.pageInfo, "hasNextPage is false, and there is more");
    }
    if (one.info["hasNextPage"] === true && two.edges.length <= 1)
      note(graphqlRules.pageInfo, "hasNextPage is true, and there is no more");
    // Nothing is before the first page, and who can't tell says so with false.
    if ([one, two, whole].some(({ info }) => info["hasPreviousPage"] === true))
      note(graphqlRules.pageInfo, "hasPreviousPage is true on the first page");
    countFindings(one, two, whole, note);
    backwardFindings(parent, whole, note);
  }
  return uniqueFindings(findings);
}

/** What a page says of itself. */
function ownFindings({ edges, cursors, nodes, info, value }: Page, note: Note): void {
  const known = cursors.filter((one) => one !== undefined);
  if (new Set(known).size < known.length) note(graphqlRules.cursor, "edges of one page have the same cursor");
  const [start, end] = [info["startCursor"], info["endCursor"]];
  if (typeof start === "string" && known.length > 0 && start !== cursors[0])
    note(graphqlRules.pageInfo, "startCursor is not the first edge's cursor");
  if (typeof end === "string" && known.length > 0 && end !== cursors.at(-1))
    note(graphqlRules.pageInfo, "endCursor is not the last edge's cursor");
  if (start === null && edges.length > 0)
    note(graphqlRules.pageInfoLikely, "startCursor is null on a page that has edges");
  if (end === null && edges.length > 0) {
    const rule = info["hasNextPage"] === true ? graphqlRules.pageInfo : graphqlRules.pageInfoLikely;
    note(rule, "endCursor is null on a page that has edges");
  }
  if (Array.isArray(value["nodes"]) && !isSame(value["nodes"], nodes))
    note(graphqlRules.connection, "nodes are not the nodes of the edges");
}

/** `totalCount` is of the whole list, whatever the page. */
function countFindings(one: Page, two: Page, whole: Page, note: Note): void {
  const totals = [one, two, whole].map(({ value }) => value["totalCount"]);
  const [total] = totals;
  if (typeof total !== "number") return;
  if (totals.some((other) => other !== total)) {
    note(propertyRules.count, "totalCount is another for pages of another size", totals.join(", "));
  } else if (whole.info["hasNextPage"] === false && whole.edges.length < wholeSize && total !== whole.edges.length) {
    note(propertyRules.count, "totalCount is not how many edges there are", `${total} of ${whole.edges.length}`);
  }
}

/** The last edges are those at the end, in the order that the list has. */
function backwardFindings(parent: Readonly<Record<string, unknown>>, whole: Page, note: Note): void {
  const [one, two] = [pageOf(parent["lastOne"]), pageOf(parent["lastTwo"])];
  if (one === undefined || two === undefined) return;
  for (const page of [one, two]) ownFindings(page, note);
  if (one.edges.length > 1 || two.edges.length > 2)
    note(
      graphqlRules.connection,
      "a page has more edges than last says",
      `${one.edges.length} and ${two.edges.length}`,
    );
  if (one.info["hasPreviousPage"] === false && whole.edges.length > 1)
    note(graphqlRules.pageInfo, "hasPreviousPage is false, and there is more before the last edge");
  if (whole.info["hasNextPage"] !== false || whole.edges.length >= wholeSize) return;
  const isEnd = (page: Page, size: number): boolean =>
    isSame(page.nodes, whole.nodes.slice(Math.max(0, whole.nodes.length - size)));
  if (!isEnd(one, 1) || !isEnd(two, 2))
    note(graphqlRules.connection, "the last edges are not those at the end, in their order");
}

/** What is wrong with pages that go on from a cursor, where the list is what it was before. */
function followingFindings(site: FieldSite, before: Page, { data, response }: HeldAnswer): readonly Finding[] {
  const findings: Finding[] = [];
  const note = noteFor(site, findings);
  if (data === undefined || response.errors.length > 0) {
    const failed = new Set(response.errors.map(({ path }) => path?.at(-1)));
    if (["next", "nextTwo", "beyond"].some((alias) => failed.has(alias)))
      note(graphqlRules.cursor, "the page after an answered cursor is refused", response.errors[0]?.message);
    return findings;
  }
  const [parent] = site.parentsIn(data);
  const [whole, next, nextTwo] = [pageOf(parent?.["whole"]), pageOf(parent?.["next"]), pageOf(parent?.["nextTwo"])];
  if (whole === undefined || next === undefined || nextTwo === undefined || !isSame(whole.nodes, before.nodes))
    return [];
  for (const page of [next, nextTwo]) ownFindings(page, note);
  if (next.edges.length > 1 || nextTwo.edges.length > 2)
    note(graphqlRules.connection, "a page after a cursor has more edges than first says");
  const [head] = whole.nodes;
  if ([next, nextTwo].some(({ nodes }) => nodes.some((node) => isSame(node, head)))) {
    note(graphqlRules.cursor, "the page after a cursor holds what came before it");
  } else if (!isSame(next.nodes, whole.nodes.slice(1, 2)) || !isSame(nextTwo.nodes, whole.nodes.slice(1, 3))) {
    note(graphqlRules.cursor, "the page after a cursor does not go on where it stopped");
  }
  const total = whole.value["totalCount"];
  if (typeof total === "number" && next.value["totalCount"] !== total)
    note(propertyRules.count, "totalCount is another after a cursor");
  const beyond = pageOf(parent?.["beyond"]);
  if (beyond !== undefined) {
    if (whole.info["hasNextPage"] === true && beyond.edges.length === 0)
      note(graphqlRules.pageInfo, "hasNextPage is true, and there is no more");
    if (whole.info["hasNextPage"] === false && beyond.edges.length > 0)
      note(graphqlRules.pageInfo, "hasNextPage is false, and there is more");
  }
  const previous = pageOf(parent?.["previous"]);
  if (previous !== undefined && !isSame(previous.nodes, whole.nodes.slice(0, 2)))
    note(graphqlRules.cursor, "the page before a cursor is not what came before it");
  return uniqueFindings(findings);
}

function noteFor(site: FieldSite, findings: Finding[]): Note {
  const place = withPlace(placeOf(site.field.astNode));
  return (rule, message, detail) => {
    findings.push({
      rule,
      message: `${site.field.name}: ${message}`,
      ...(detail === undefined ? {} : { detail }),
      ...place,
    });
  };
}

function pageOf(value: unknown): Page | undefined {
  if (!isRecord(value) || !Array.isArray(value["edges"])) return undefined;
  const edges: readonly unknown[] = value["edges"];
  return {
    edges,
    cursors: edges.map((edge) => (isRecord(edge) ? textOf(edge["cursor"]) : undefined)),
    nodes: edges.map((edge) => (isRecord(edge) ? edge["node"] : undefined)),
    info: isRecord(value["pageInfo"]) ? value["pageInfo"] : {},
    value,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
