import { withPlace } from "../suite/with-place.ts";
import {
  type GraphQLArgument,
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";
import type { Finding } from "../case/finding.ts";
import type { CasePlay, PlannedCase } from "../case/planned-case.ts";
import type { Rule } from "../case/rule.ts";
import { differences } from "../compare/differences.ts";
import { isRecord } from "../types/is-record.ts";
import { isMovingName } from "../compare/volatile-names.ts";
import { trimmed } from "./equal-cases.ts";
import { isLimitName } from "./field-names.ts";
import { type FieldSite, nestedSites } from "./field-site.ts";
import { graphqlCase, kebab } from "./graphql-case.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { BaseAnswer, GraphqlRun } from "./graphql-run.ts";
import { placeOf } from "./place-of.ts";
import { uniqueFindings } from "./read-response.ts";
import { refusalOf } from "./refusal.ts";
import { type FieldSelection, type GivenArgument, writeQuestion } from "./selection.ts";

/** Fields below the root whose arguments are tried, in a run. */
const mostSites = 12;
/** Ways in which one field is asked for at once, beside the plain one. */
const mostWays = 14;
/** Leaves of such a field that are compared. */
const comparedSelections = 6;

/** One field of an object beside its plain form. */
interface Way {
  readonly alias: string;
  readonly given: readonly GivenArgument[];
  readonly rule: Rule;
  readonly argument: GraphQLArgument | undefined;
  /** `same`: as without; a number: at most as many elements; `answered`: no error. */
  readonly expects: "same" | "answered" | number;
  readonly saying: string;
}

/** Arguments of fields below the root: defaults and nulls change nothing, choices are answered, limits hold. */
export function planNestedArguments(run: GraphqlRun): readonly PlannedCase[] {
  const best = new Map<string, { readonly site: FieldSite; readonly base: BaseAnswer; readonly weight: number }>();
  for (const base of run.bases.values()) {
    for (const site of nestedSites(run, base, new Set())) {
      const name = `${site.parentType}.${site.field.name}`;
      const weight = weightOf(site, base);
      const known = best.get(name);
      if (known === undefined || known.weight < weight) best.set(name, { site, base, weight });
    }
  }
  return [...best].slice(0, mostSites).flatMap(([name, { site }]) => {
    const ways = waysOf(site).slice(0, mostWays);
    if (ways.length === 0) return [];
    return [
      graphqlCase({
        operation: site.operation,
        group: "boundary",
        name: `${kebab(name)}-arguments`,
        rule: graphqlRules.defaultValue,
        expected: "the same where defaults are sent, no more elements than asked for, and an answer for each choice",
        requests: 2,
        play: (play) => playWays(run, site, ways, play),
      }),
    ];
  });
}

/** How much an answer has at a place: empty lists tell nothing. */
function weightOf(site: FieldSite, { value, selection }: BaseAnswer): number {
  const parents = site.parentsIn({ [selection.alias ?? selection.name]: value });
  const key = site.selection.alias ?? site.selection.name;
  const sizes = parents.slice(0, 20).map((parent) => listOf(parent[key])?.length ?? (parent[key] == null ? 0 : 1));
  // The fewer objects an answer has to be asked of, the better.
  return Math.min(Math.max(0, ...sizes), 3) * 100 - Math.min(parents.length, 50);
}

function waysOf({ field, selection }: FieldSite): readonly Way[] {
  const given = selection.arguments ?? [];
  const open = field.args.filter(({ name }) => !given.some((one) => one.name === name));
  const ways: Way[] = [];
  const add = (way: Omit<Way, "alias">): void => {
    ways.push({ ...way, alias: `way${ways.length}` });
  };
  for (const argument of field.args) {
    const { name, type } = argument;
    const leaf = getNamedType(type);
    if (isLimitName(name) && leaf.name === "Int") {
      const saying = `has more elements than ${name} says`;
      for (const value of [1, 2]) {
        add({ given: [{ name, type, value }], rule: graphqlRules.limit, argument, expects: value, saying });
      }
    }
    if (isListType(getNullableType(type))) continue;
    const choices = isEnumType(leaf) ? leaf.getValues().map((one) => one.name) : [];
    const saying = `is answered with an error for a value that ${name} can have`;
    for (const value of leaf.name === "Boolean" ? [true, false] : choices.slice(0, 6)) {
      add({ given: [{ name, type, value }], rule: graphqlRules.resolved, argument, expects: "answered", saying });
    }
  }
  for (const argument of open) {
    const { name, type, defaultValue, astNode } = argument;
    if (defaultValue !== undefined && astNode?.defaultValue !== undefined) {
      const saying = `is another where the default of ${name} is sent`;
      const one = { name, type, value: defaultValue, isLiteral: true };
      add({ given: [one], rule: graphqlRules.defaultValue, argument, expects: "same", saying });
    } else if (!isNonNullType(type)) {
      const saying = `is another where ${name} is null than where it is left out`;
      add({ given: [{ name, type, value: null }], rule: graphqlRules.nullArgument, argument, expects: "same", saying });
    }
  }
  return ways;
}

async function playWays(
  run: GraphqlRun,
  site: FieldSite,
  ways: readonly Way[],
  play: CasePlay,
): Promise<readonly Finding[]> {
  const selections = trimmed(site.selection.selections).slice(0, comparedSelections);
  const plain: FieldSelection = { ...site.selection, alias: "plain", selections };
  const others = ways.map(({ alias, given }): FieldSelection => {
    const rest = (plain.arguments ?? []).filter((one) => !given.some(({ name }) => name === one.name));
    return { ...plain, alias, arguments: [...rest, ...given] };
  });
  const question = writeQuestion(site.wrap([plain, ...others]));
  const held = await run.ask(play, question);
  if (held.data === undefined) {
    const kind = refusalOf(held.response);
    if (kind !== "unknown") return play.skip("The target does not answer this");
    return held.findings;
  }
  const found = wayFindings(site, ways, held);
  if (found.length === 0) return held.findings;
  // What fails or moves now and then is no fault of the argument.
  const again = await run.ask(play, question);
  const still = new Set(wayFindings(site, ways, again).map(({ message }) => message));
  return uniqueFindings([...held.findings, ...found.filter(({ message }) => still.has(message))]);
}

function wayFindings(
  site: FieldSite,
  ways: readonly Way[],
  { data, response }: Awaited<ReturnType<GraphqlRun["ask"]>>,
): readonly Finding[] {
  if (data === undefined) return [];
  const kind = refusalOf(response);
  const failed = new Set(response.errors.map(({ path }) => path?.at(-1)));
  const hurt = new Set(response.errors.flatMap(({ path }) => path ?? []));
  const findings: Finding[] = [];
  const note = ({ rule, saying, argument }: Way): void => {
    const place = placeOf(argument?.astNode) ?? placeOf(site.field.astNode);
    findings.push({ rule, message: `${site.parentType}.${site.field.name} ${saying}`, ...withPlace(place) });
  };
  for (const way of ways) {
    if (failed.has(way.alias)) {
      // An error that gives a reason may be right, and one that the plain form has as well is not of the argument.
      const isOfArgument = kind === "unknown" && !failed.has("plain");
      if (isOfArgument && way.expects !== "same") note(way);
      continue;
    }
    if (hurt.has(way.alias) || hurt.has("plain") || way.expects === "answered") continue;
    if (site.parentsIn(data).some((parent) => isBroken(way.expects, parent["plain"], parent[way.alias]))) note(way);
  }
  for (const argument of site.field.args) {
    const choices = ways.filter((way) => way.argument === argument && way.expects === "answered");
    const [first] = choices;
    if (first === undefined || !isEchoed(site, argument) || choices.some(({ alias }) => hurt.has(alias))) continue;
    const told = new Set(
      site.parentsIn(data).flatMap((parent) => choices.map(({ alias }) => memberOf(parent[alias], argument.name))),
    );
    told.delete(undefined);
    const saying = `has the same ${argument.name} whichever is asked for`;
    if (choices.length > 1 && told.size === 1) note({ ...first, rule: graphqlRules.echo, saying });
  }
  return findings;
}

/** Whether an object says which choice it was made for: `price(currency:)` with `currency`. What is translated may fall back. */
function isEchoed({ field }: FieldSite, { name, type }: GraphQLArgument): boolean {
  const object = getNamedType(field.type);
  if (!isObjectType(object) || isListType(getNullableType(field.type)) || /lang|locale/i.test(name)) return false;
  const member = object.getFields()[name];
  return member !== undefined && member.args.length === 0 && getNullableType(member.type) === getNullableType(type);
}

function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

function isBroken(expects: Way["expects"], plain: unknown, other: unknown): boolean {
  if (typeof expects === "number") return (listOf(other)?.length ?? 0) > expects;
  return differences(undefined, plain, other, {}).some(({ name }) => !isMovingName(name));
}

/** The elements of a list, or the edges or nodes of a page. */
function listOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return undefined;
  return [value["edges"], value["nodes"], value["items"]].find((one) => Array.isArray(one));
}
