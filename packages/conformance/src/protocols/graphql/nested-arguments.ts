import { isRecord } from "@nodewright/api-model";
import { propertyRules } from "../../properties/property-rules.ts";
import { withPlace } from "../../suite/with-place.ts";
import { type GraphQLArgument, getNamedType, getNullableType, isListType, isNonNullType, isObjectType } from "graphql";
import { type Finding, uniqueFindings } from "../../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import { differences } from "../../compare/differences.ts";
import { isMovingName } from "../../compare/volatile-names.ts";
import { type FieldSite, nestedSites } from "./field-site.ts";
import { graphqlCase, kebab } from "./graphql-case.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { BaseAnswer, GraphqlRun, HeldAnswer } from "./graphql-run.ts";
import { planDefaults, planListRelations } from "./property-cases.ts";
import { planPosition } from "./object-relations.ts";
import { planBoundaries } from "./input-cases.ts";
import { inputTypeOf } from "./input-type.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { placeOf } from "./place-of.ts";
import { refusalOf } from "./refusal.ts";
import { stillFound } from "./still-found.ts";
import { type FieldSelection, type GivenArgument, trimmed, writeQuestion } from "./selection.ts";

/** Fields below the root whose arguments are tried, in a run. */
const mostSites = 12;
/** Ways in which one field is asked for at once, beside the plain one. */
const mostWays = 18;
/** Leaves of such a field that are compared. */
const comparedSelections = 6;

/** One field of an object beside its plain form. */
interface Way {
  readonly alias: string;
  readonly given: readonly GivenArgument[];
  readonly rule: Rule;
  readonly argument: GraphQLArgument | undefined;
  /** `same`: as without; `answered`: no error. */
  readonly expects: "same" | "answered";
  readonly saying: string;
}

/** Arguments of fields below the root: nulls change nothing, choices are answered, limits hold. */
export function planNestedArguments(run: GraphqlRun): readonly PlannedCase[] {
  const best = new Map<string, { readonly site: FieldSite; readonly weight: number }>();
  for (const base of run.bases.values()) {
    for (const site of nestedSites(run, base, new Set())) {
      const name = `${declaringType(run, site)}.${site.field.name}`;
      const weight = weightOf(site, base);
      const known = best.get(name);
      if (known === undefined || known.weight < weight) best.set(name, { site, weight });
    }
  }
  return [...best.values()]
    .slice(0, mostSites)
    .flatMap(({ site }) => [
      ...planBoundaries(run, site),
      ...planWays(`${site.parentType}.${site.field.name}`, run, site),
      ...planPosition(run, site, false),
      ...planDefaults(run, site),
      ...planListRelations(run, site),
    ]);
}

/** The interface that a field is of, where its type has one: what it promises is looked at in one of its types. */
function declaringType(run: GraphqlRun, { parentType, field }: FieldSite): string {
  const type = run.schema.getType(parentType);
  const interfaces = isObjectType(type) ? type.getInterfaces() : [];
  return interfaces.find((one) => one.getFields()[field.name] !== undefined)?.name ?? parentType;
}

function planWays(name: string, run: GraphqlRun, site: FieldSite): readonly PlannedCase[] {
  const ways = waysOf(site).slice(0, mostWays);
  if (ways.length === 0) return [];
  return [
    graphqlCase({
      operation: site.operation,
      group: "boundary",
      name: `${kebab(name)}-arguments`,
      rule: propertyRules.validInput,
      expected: "the same where arguments are null, and a response for each choice",
      requests: 2,
      play: (play) => playWays(run, site, ways, play),
    }),
  ];
}

/** How much an answer has at a place: empty lists tell nothing. */
function weightOf(site: FieldSite, { value, selection }: BaseAnswer): number {
  const parents = site.parentsIn({ [selection.alias ?? selection.name]: value });
  const key = site.selection.alias ?? site.selection.name;
  const sizes = parents.slice(0, 20).map((parent) => listOf(parent[key])?.length ?? (parent[key] == null ? 0 : 1));
  // The fewer objects an answer has to be asked of, the better.
  return Math.min(Math.max(0, ...sizes), 3) * 100 - Math.min(parents.length, 50);
}

function waysOf(site: FieldSite): readonly Way[] {
  const { field, selection } = site;
  const given = selection.arguments ?? [];
  const ways: Way[] = [];
  const add = (way: Omit<Way, "alias">): void => {
    ways.push({ ...way, alias: `way${ways.length}` });
  };
  for (const argument of field.args) {
    const { name, type, defaultValue } = argument;
    if (given.some((one) => one.name === name) || defaultValue !== undefined || isNonNullType(type)) continue;
    const saying = `is another where ${name} is null than where it is left out`;
    add({ given: [{ name, type, value: null }], rule: graphqlRules.nullArgument, argument, expects: "same", saying });
  }
  for (const argument of field.args.filter((one) => isEchoed(site, one))) {
    const { name, type } = argument;
    const saying = `is answered with an error for a value that ${name} can have`;
    for (const value of fewValuesOf(inputTypeOf(type)))
      add({ given: [{ name, type, value }], rule: propertyRules.validInput, argument, expects: "answered", saying });
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
  // What moves is another at the end of an answer than at its beginning.
  const plainAtEnd: FieldSelection = { ...plain, alias: "atEnd" };
  const others = ways.map(({ alias, given }): FieldSelection => {
    const rest = (plain.arguments ?? []).filter((one) => !given.some(({ name }) => name === one.name));
    return { ...plain, alias, arguments: [...rest, ...given] };
  });
  const ask = (except: ReadonlySet<string>): Promise<HeldAnswer> =>
    run.ask(
      play,
      writeQuestion(site.wrap([plain, ...others.filter(({ alias }) => !except.has(alias ?? "")), plainAtEnd])),
    );
  const held = await ask(new Set());
  if (!held.response.hasData) return play.skip("The target does not answer this");
  // Where nothing between may be null, one that fails takes the answers of all others with it.
  const failed = failedWays(ways, held.response);
  const rest = held.data === undefined && failed.size > 0 && failed.size < ways.length ? await ask(failed) : held;
  const found = [...failureFindings(site, ways, held), ...wayFindings(site, ways, rest)];
  if (found.length === 0) return rest.findings;
  // What fails or moves now and then is no fault of the argument.
  const still = await stillFound(found, async () => {
    const again = await ask(new Set());
    const later = again.data === undefined && failed.size > 0 ? await ask(failed) : again;
    return [...failureFindings(site, ways, again), ...wayFindings(site, ways, later)];
  });
  return uniqueFindings([...rest.findings, ...still]);
}

/** The values of a short list. */
function fewValuesOf(type: SuiteType): readonly unknown[] {
  return type.kind === "boolean" ? [true, false] : type.kind === "enumeration" ? type.values : [];
}

/** Aliases of the forms that failed. */
function failedWays(ways: readonly Way[], { errors }: HeldAnswer["response"]): ReadonlySet<string> {
  const steps = new Set(errors.flatMap(({ path }) => path ?? []));
  return new Set(ways.map(({ alias }) => alias).filter((alias) => steps.has(alias)));
}

/** Forms that fail, and do not say why: an error that gives a reason may be right. */
function failureFindings(site: FieldSite, ways: readonly Way[], { response }: HeldAnswer): readonly Finding[] {
  const failed = new Set(response.errors.map(({ path }) => path?.at(-1)));
  // What the plain form fails with as well is not of an argument.
  if (failed.has("plain")) return [];
  return ways.flatMap(({ alias, argument, given: [given] }): readonly Finding[] => {
    if (!failed.has(alias)) return [];
    const errors = response.errors.filter(({ path }) => path?.at(-1) === alias);
    if (refusalOf({ ...response, errors }) !== "unknown") return [];
    const what = given?.value === null ? "null" : "a value";
    const message = `${site.parentType}.${site.field.name} is answered with an error for ${what} that ${argument?.name ?? ""} can have`;
    const place = placeOf(argument?.astNode) ?? placeOf(site.field.astNode);
    return [{ rule: propertyRules.validInput, message, detail: errors[0]?.message ?? "", ...withPlace(place) }];
  });
}

function wayFindings(site: FieldSite, ways: readonly Way[], { data, response }: HeldAnswer): readonly Finding[] {
  if (data === undefined) return [];
  const hurt = new Set(response.errors.flatMap(({ path }) => path ?? []));
  const findings: Finding[] = [];
  const note = ({ rule, saying, argument }: Way): void => {
    const place = placeOf(argument?.astNode) ?? placeOf(site.field.astNode);
    findings.push({ rule, message: `${site.parentType}.${site.field.name} ${saying}`, ...withPlace(place) });
  };
  for (const way of ways) {
    if (hurt.has(way.alias) || hurt.has("plain") || way.expects === "answered") continue;
    const isMoving = (parent: Readonly<Record<string, unknown>>): boolean => isOther(parent["plain"], parent["atEnd"]);
    const broken = site.parentsIn(data).filter((parent) => isOther(parent["plain"], parent[way.alias]));
    if (broken.some((parent) => !isMoving(parent))) note(way);
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

function isOther(plain: unknown, other: unknown): boolean {
  return differences(undefined, plain, other, {}).some(({ name }) => !isMovingName(name));
}

/** The elements of a list, or the edges or nodes of a page. */
function listOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return undefined;
  return [value["edges"], value["nodes"], value["items"]].find((one) => Array.isArray(one));
}
