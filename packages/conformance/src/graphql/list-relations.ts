import { withPlace } from "../suite/with-place.ts";
import {
  type GraphQLArgument,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  isScalarType,
} from "graphql";
import type { Finding } from "../case/finding.ts";
import type { CasePlay, PlannedCase } from "../case/planned-case.ts";
import type { Rule } from "../case/rule.ts";
import { differences } from "../compare/differences.ts";
import { isRecord } from "../types/is-record.ts";
import { showValue } from "../compare/show-value.ts";
import { isMovingName } from "../compare/volatile-names.ts";
import { trimmed } from "./equal-cases.ts";
import { connectionNodeOf, elementTypeOf, isLimitName, isOffsetName } from "./field-names.ts";
import type { FieldSite } from "./field-site.ts";
import { graphqlCase, kebab } from "./graphql-case.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { GraphqlRun } from "./graphql-run.ts";
import { placeOf } from "./place-of.ts";
import { uniqueFindings } from "./read-response.ts";
import type { FieldSelection, GivenArgument, Selection } from "./selection.ts";
import { writeQuestion } from "./selection.ts";

type Objects = Readonly<Record<string, unknown>>;

/** Tells what is wrong between the plain value of a field and the other one, of the same object. */
type Compare = (plain: unknown, other: unknown) => readonly Omit<Finding, "place">[];

/** What arguments of a list, a connection or an element by its position promise by their names and types. */
export function planListRelations(run: GraphqlRun, site: FieldSite): readonly PlannedCase[] {
  const { field } = site;
  if (connectionNodeOf(getNamedType(field.type)) !== undefined) return planConnection(run, site);
  if (!isListType(getNullableType(field.type))) return [];
  return field.args.flatMap((argument) => {
    if (isLimitName(argument.name) && isWhole(argument)) return [planLimit(run, site, argument)];
    if (isOffsetName(argument.name) && isWhole(argument)) return [planOffset(run, site, argument)];
    return planFilter(run, site, argument);
  });
}

function isWhole({ type }: GraphQLArgument): boolean {
  return getNamedType(type).name === "Int";
}

function nameOf({ parentType, field }: FieldSite, run: GraphqlRun): string {
  return parentType === run.schema.getQueryType()?.name ? "" : `${kebab(parentType)}-${kebab(field.name)}-`;
}

function planLimit(run: GraphqlRun, site: FieldSite, argument: GraphQLArgument): PlannedCase {
  const { name, type } = argument;
  const isFromEnd = name === "last";
  return besideCase(
    run,
    site,
    `${kebab(name)}-limits`,
    graphqlRules.limit,
    `at most as many elements as ${name} says`,
    [
      {
        alias: "one",
        given: [{ name, type, value: 1 }],
        compare: (plain, other) => limitFindings(site, name, 1, isFromEnd, plain, other),
      },
      {
        alias: "two",
        given: [{ name, type, value: 2 }],
        compare: (plain, other) => limitFindings(site, name, 2, isFromEnd, plain, other),
      },
    ],
  );
}

function limitFindings(
  { field }: FieldSite,
  name: string,
  limit: number,
  isFromEnd: boolean,
  plain: unknown,
  other: unknown,
): ReturnType<Compare> {
  if (!Array.isArray(plain) || !Array.isArray(other)) return [];
  if (other.length > limit) {
    const message = `${field.name} has more elements than ${name} says`;
    return [{ rule: graphqlRules.limit, message, detail: `${other.length} for ${limit}` }];
  }
  if (other.length < Math.min(limit, plain.length)) {
    const message = `${field.name} has fewer elements than ${name} says and there are`;
    return [{ rule: graphqlRules.limitPrefix, message, detail: `${other.length} of ${plain.length} for ${limit}` }];
  }
  if (isFromEnd || isSame(plain.slice(0, other.length), other)) return [];
  return [
    { rule: graphqlRules.limitPrefix, message: `${field.name} limited by ${name} begins otherwise than without` },
  ];
}

function planOffset(run: GraphqlRun, site: FieldSite, argument: GraphQLArgument): PlannedCase {
  const { name, type } = argument;
  const { field } = site;
  return besideCase(run, site, `${kebab(name)}-skips`, graphqlRules.offset, `the elements after the first ${name}`, [
    {
      alias: "skipped",
      given: [{ name, type, value: 1 }],
      compare: (plain, other) => {
        if (!Array.isArray(plain) || !Array.isArray(other) || plain.length < 2 || isSame(plain[0], plain[1])) return [];
        if (isSame(plain[0], other[0])) {
          return [{ rule: graphqlRules.offset, message: `${field.name} begins with the element that ${name} skips` }];
        }
        if (isSame(plain[1], other[0])) return [];
        return [
          { rule: graphqlRules.limitPrefix, message: `${field.name} after ${name} is not what follows without it` },
        ];
      },
    },
  ]);
}

/** An argument that has the name of what elements have: they have it with that value. */
function planFilter(run: GraphqlRun, site: FieldSite, argument: GraphQLArgument): readonly PlannedCase[] {
  const element = elementTypeOf(site.field.type);
  if (!isObjectType(element) && !isInterfaceType(element)) return [];
  const type = getNullableType(argument.type);
  if (isInputObjectType(type)) return planInputFilter(run, site, argument);
  const member = element.getFields()[argument.name];
  if (member === undefined || isListType(type) || String(getNullableType(member.type)) !== String(type)) return [];
  if (member.args.length > 0 || (!isEnumType(type) && !isScalarType(type))) return [];
  const name = argument.name;
  const isChoice = isEnumType(type) || type.name === "ID" || type.name === "Boolean" || name.toLowerCase() === "id";
  return [
    filterCase(run, site, kebab(name), name, isChoice ? graphqlRules.filter : graphqlRules.filterLikely, (value) => ({
      name,
      type: argument.type,
      value,
    })),
  ];
}

function planInputFilter(run: GraphqlRun, site: FieldSite, argument: GraphQLArgument): readonly PlannedCase[] {
  const type = getNullableType(argument.type);
  const element = elementTypeOf(site.field.type);
  if (!isInputObjectType(type) || (!isObjectType(element) && !isInterfaceType(element))) return [];
  const base = run.sampleOf(argument.name, argument.type);
  if (!isRecord(base)) return [];
  return Object.values(type.getFields())
    .filter((field) => {
      const member = element.getFields()[field.name];
      if (member === undefined || member.args.length > 0 || isListType(getNullableType(field.type))) return false;
      const leaf = getNullableType(field.type);
      return String(getNullableType(member.type)) === String(leaf) && (isEnumType(leaf) || isScalarType(leaf));
    })
    .slice(0, 3)
    .map((field) => {
      const leaf = getNullableType(field.type);
      const isChoice = isEnumType(leaf) || (isScalarType(leaf) && ["ID", "Boolean"].includes(leaf.name));
      const rule = isChoice ? graphqlRules.filter : graphqlRules.filterLikely;
      return filterCase(run, site, `${kebab(argument.name)}-${kebab(field.name)}`, field.name, rule, (value) => ({
        name: argument.name,
        type: argument.type,
        value: { ...base, [field.name]: value },
      }));
    });
}

function filterCase(
  run: GraphqlRun,
  site: FieldSite,
  label: string,
  member: string,
  rule: Rule,
  given: (value: unknown) => GivenArgument,
): PlannedCase {
  const place = withPlace(placeOf(site.field.astNode));
  return graphqlCase({
    operation: site.operation,
    group: "relation",
    name: `${nameOf(site, run)}${label}-filters`,
    rule,
    expected: `elements whose ${member} is what was asked for`,
    requests: 1,
    play: async (play) => {
      const values = filterValues(run, site, member).slice(0, 2);
      if (values.length === 0) return play.skip("No value to filter by was answered");
      const aliases = values.map((_, index) => `filtered${index}`);
      const selections = [
        ...trimmed(site.selection.selections),
        { kind: "field" as const, name: member, selections: [] },
      ];
      const others = values.map((value, index): FieldSelection => {
        const argument = given(value);
        const rest = (site.selection.arguments ?? []).filter(({ name }) => name !== argument.name);
        return { ...site.selection, alias: aliases[index] ?? "filtered", arguments: [...rest, argument], selections };
      });
      const held = await run.ask(play, writeQuestion(site.wrap(others)));
      if (held.data === undefined || held.response.errors.length > 0)
        return play.skip("The target does not answer this");
      const findings: Finding[] = [...held.findings];
      for (const parent of site.parentsIn(held.data)) {
        for (const [index, value] of values.entries()) {
          const list: unknown = parent[aliases[index] ?? ""];
          if (!Array.isArray(list)) continue;
          const wrong = list.find((one) => isRecord(one) && !isFiltered(rule, one[member], value));
          if (wrong === undefined) continue;
          const message = `${site.field.name} filtered by ${member} has elements with another ${member}`;
          findings.push({
            rule,
            message,
            detail: `${showValue(isRecord(wrong) ? wrong[member] : wrong)} for ${showValue(value)}`,
            ...place,
          });
        }
      }
      return uniqueFindings(findings);
    },
  });
}

/** A text may be looked for within others. */
function isFiltered(rule: Rule, actual: unknown, wanted: unknown): boolean {
  if (isSame(actual, wanted)) return true;
  if (rule === graphqlRules.filter || typeof actual !== "string" || typeof wanted !== "string") return false;
  return actual.toLowerCase().includes(wanted.toLowerCase());
}

/** Values of a member that objects of the list's type were seen with; of an enum, its values. */
function filterValues(run: GraphqlRun, site: FieldSite, member: string): readonly unknown[] {
  const element = elementTypeOf(site.field.type);
  if (!isObjectType(element) && !isInterfaceType(element)) return [];
  const field = element.getFields()[member];
  const leaf = field === undefined ? undefined : getNamedType(field.type);
  if (isEnumType(leaf)) return leaf.getValues().map(({ name }) => name);
  if (leaf?.name === "Boolean") return [true, false];
  const types = isInterfaceType(element) ? run.schema.getPossibleTypes(element) : [element];
  const values = [element, ...types].flatMap(({ name }) => run.pool.valuesOf(name, member).map(({ value }) => value));
  return [...new Set(values)];
}

interface Other {
  readonly alias: string;
  readonly given: readonly GivenArgument[];
  readonly compare: Compare;
}

/** A field plainly and with further arguments, in one request, of the same objects. */
function besideCase(
  run: GraphqlRun,
  site: FieldSite,
  name: string,
  rule: Rule,
  expected: string,
  others: readonly Other[],
): PlannedCase {
  return graphqlCase({
    operation: site.operation,
    group: "relation",
    name: `${nameOf(site, run)}${name}`,
    rule,
    expected,
    play: (play) => playBeside(run, site, others, play),
  });
}

async function playBeside(
  run: GraphqlRun,
  site: FieldSite,
  others: readonly Other[],
  play: CasePlay,
): Promise<readonly Finding[]> {
  const plain: FieldSelection = { ...site.selection, alias: "plain", selections: trimmed(site.selection.selections) };
  const asked: readonly Selection[] = [
    plain,
    ...others.map(({ alias, given }): FieldSelection => {
      const rest = (plain.arguments ?? []).filter((one) => !given.some(({ name }) => name === one.name));
      return { ...plain, alias, arguments: [...rest, ...given] };
    }),
  ];
  const held = await run.ask(play, writeQuestion(site.wrap(asked)));
  if (held.data === undefined || held.response.errors.length > 0) return play.skip("The target does not answer this");
  const place = withPlace(placeOf(site.field.astNode));
  const findings: Finding[] = [...held.findings];
  for (const parent of site.parentsIn(held.data)) {
    for (const { alias, compare } of others) {
      for (const finding of compare(parent["plain"], parent[alias])) findings.push({ ...finding, ...place });
    }
  }
  return uniqueFindings(findings);
}

/** Pages of a connection: as long as asked for, one after the other, and told truly (Relay cursor connections). */
function planConnection(run: GraphqlRun, site: FieldSite): readonly PlannedCase[] {
  const { field } = site;
  const [first, after] = ["first", "after"].map((name) => field.args.find((one) => one.name === name));
  if (first === undefined) return [];
  return [
    graphqlCase({
      operation: site.operation,
      group: "relation",
      name: `${nameOf(site, run)}pages`,
      rule: graphqlRules.cursor,
      expected: "pages that are as long as asked for, and follow each other",
      requests: 2,
      play: (play) => playPages(run, site, first, after, play),
    }),
  ];
}

async function playPages(
  run: GraphqlRun,
  site: FieldSite,
  first: GraphQLArgument,
  after: GraphQLArgument | undefined,
  play: CasePlay,
): Promise<readonly Finding[]> {
  const connection = getNamedType(site.field.type);
  const node = connectionNodeOf(connection);
  if (!isObjectType(connection) || node === undefined) return [];
  const hasPageInfo = connection.getFields()["pageInfo"] !== undefined;
  const rest = (site.selection.arguments ?? []).filter(
    ({ name }) => !["first", "last", "after", "before"].includes(name),
  );
  const page = (alias: string, size: number, cursor?: string): FieldSelection => ({
    kind: "field",
    name: site.field.name,
    alias,
    arguments: [
      ...rest,
      { name: first.name, type: first.type, value: size },
      ...(after === undefined || cursor === undefined ? [] : [{ name: after.name, type: after.type, value: cursor }]),
    ],
    selections: pageSelection(run, site, hasPageInfo),
  });
  const held = await run.ask(play, writeQuestion(site.wrap([page("one", 1), page("two", 2)])));
  if (held.data === undefined || held.response.errors.length > 0) return play.skip("The target does not answer this");
  const place = withPlace(placeOf(site.field.astNode));
  const findings: Finding[] = [...held.findings];
  const note = (rule: Rule, message: string, detail?: string): void => {
    findings.push({
      rule,
      message: `${site.field.name}: ${message}`,
      ...(detail === undefined ? {} : { detail }),
      ...place,
    });
  };
  let cursor: string | undefined;
  for (const parent of site.parentsIn(held.data)) {
    const [one, two] = [edgesOf(parent["one"]), edgesOf(parent["two"])];
    if (one.length > 1 || two.length > 2)
      note(graphqlRules.connection, "a page has more edges than first says", `${one.length} and ${two.length}`);
    if (one.length > 0 && !isSame(one[0], two[0])) note(graphqlRules.limitPrefix, "a longer page begins otherwise");
    if (pageInfoOf(parent["one"])["hasNextPage"] === false && two.length > one.length)
      note(graphqlRules.pageInfo, "hasNextPage is false, and there is more");
    if (pageInfoOf(parent["one"])["hasNextPage"] === true && two.length === 1)
      note(graphqlRules.pageInfo, "hasNextPage is true, and there is no more");
    const end = pageInfoOf(parent["one"])["endCursor"];
    const last = one.at(-1);
    const edgeCursor = isRecord(last) ? last["cursor"] : undefined;
    if (typeof end === "string" && typeof edgeCursor === "string" && end !== edgeCursor)
      note(graphqlRules.pageInfo, "endCursor is not the last edge's cursor");
    cursor ??= typeof edgeCursor === "string" ? edgeCursor : typeof end === "string" ? end : undefined;
    // A cursor is of one list: where there are several, it is nothing to the others.
    const isOnly = site.parentsIn(held.data).length === 1;
    if (isOnly && findings.length === 0 && cursor !== undefined && after !== undefined) {
      const next = await run.ask(play, writeQuestion(site.wrap([page("next", 1, cursor)])));
      if (next.data === undefined || next.response.errors.length > 0) {
        note(graphqlRules.cursor, "the page after an answered cursor is refused", next.response.errors[0]?.message);
        break;
      }
      findings.push(...next.findings);
      const following = edgesOf(site.parentsIn(next.data)[0]?.["next"]);
      const firstNode = nodeOf(one[0]);
      if (following.some((edge) => isSame(nodeOf(edge), firstNode)))
        note(graphqlRules.cursor, "the page after a cursor holds what came before it");
      else if (two.length > 1 && !isSame(nodeOf(following[0]), nodeOf(two[1])))
        note(graphqlRules.cursorLikely, "the page after a cursor does not go on where it stopped");
      break;
    }
  }
  return uniqueFindings(findings);
}

function pageSelection(run: GraphqlRun, site: FieldSite, hasPageInfo: boolean): readonly Selection[] {
  const connection = getNamedType(site.field.type);
  const edges = isObjectType(connection) ? connection.getFields()["edges"] : undefined;
  const edge = edges === undefined ? undefined : getNamedType(edges.type);
  const node = connectionNodeOf(connection);
  const known = node === undefined ? undefined : run.schema.getType(node.name);
  const leaf = (name: string): FieldSelection => ({ kind: "field", name, selections: [] });
  const names = isObjectType(known) || isInterfaceType(known) ? Object.keys(known.getFields()) : [];
  const identity = ["id", "hash", "name", "number"].filter((name) => {
    const field = isObjectType(known) || isInterfaceType(known) ? known.getFields()[name] : undefined;
    return (
      names.includes(name) && field !== undefined && field.args.length === 0 && !isObjectType(getNamedType(field.type))
    );
  });
  const hasCursor = isObjectType(edge) && edge.getFields()["cursor"] !== undefined;
  const inner: Selection[] = [
    ...(hasCursor ? [leaf("cursor")] : []),
    { kind: "field", name: "node", selections: [leaf("__typename"), ...identity.map(leaf)] },
  ];
  const info = hasPageInfo
    ? [{ kind: "field" as const, name: "pageInfo", selections: ["hasNextPage", "endCursor"].map(leaf) }]
    : [];
  return [{ kind: "field", name: "edges", selections: inner }, ...info];
}

function edgesOf(value: unknown): readonly unknown[] {
  return isRecord(value) && Array.isArray(value["edges"]) ? value["edges"] : [];
}

function pageInfoOf(value: unknown): Objects {
  return isRecord(value) && isRecord(value["pageInfo"]) ? value["pageInfo"] : {};
}

function nodeOf(edge: unknown): unknown {
  return isRecord(edge) ? edge["node"] : undefined;
}

/** The same but for what changes by itself. */
function isSame(left: unknown, right: unknown): boolean {
  return differences(undefined, left, right, {}).every(({ name }) => isMovingName(name));
}
