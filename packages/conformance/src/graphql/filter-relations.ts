import { isAbstractType, isEnumType, isInterfaceType, isObjectType } from "graphql";
import type { Finding } from "../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../contract/planned-case.ts";
import type { Rule } from "../contract/rule.ts";
import { differences } from "../compare/differences.ts";
import { showValue } from "../compare/show-value.ts";
import { isMovingName } from "../compare/volatile-names.ts";
import { withPlace } from "../suite/with-place.ts";
import { isRecord } from "../types/is-record.ts";
import { type Facet, facetsOf, typeNamed } from "./filter-facets.ts";
import type { FieldSite } from "./field-site.ts";
import { graphqlCase, kebab } from "./graphql-case.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { GraphqlRun, HeldAnswer } from "./graphql-run.ts";
import { type ListShape, listShapeOf } from "./list-shape.ts";
import { placeOf } from "./place-of.ts";
import { uniqueFindings } from "./read-response.ts";
import { refusalOf } from "./refusal.ts";
import { identityOf } from "./select-fields.ts";
import { stillFound } from "./still-found.ts";
import { type FieldSelection, type GivenArgument, type Selection, writeQuestion } from "./selection.ts";

/** Facets that are tried in one request: servers limit aliases. */
const facetsAtOnce = 4;
/** Facets of one field that are tried. */
const mostFacets = 16;

/** What the alias of a list ends with that is asked for once more. */
const atEnd = "AtEnd";

/** A list asked for by one value of one facet. */
interface Choice {
  readonly alias: string;
  readonly facet: Facet;
  readonly value: unknown;
  /** The list without it. */
  readonly plain: string;
}

/** What can be chosen among the elements of a list: each has what it was chosen by, and none that has it is left out. */
export function planFilters(run: GraphqlRun, site: FieldSite): readonly PlannedCase[] {
  const shape = listShapeOf(site.field.type);
  if (shape === undefined) return [];
  const given = site.selection.arguments ?? [];
  const facets = site.field.args
    .flatMap((argument) =>
      facetsOf(
        run,
        shape.element,
        argument,
        given.find(({ name }) => name === argument.name),
      ),
    )
    .slice(0, mostFacets);
  const cases: PlannedCase[] = [];
  for (let start = 0; start < facets.length; start += facetsAtOnce) {
    const some = facets.slice(start, start + facetsAtOnce);
    cases.push(filterCase(run, site, shape, some));
  }
  return cases;
}

function filterCase(run: GraphqlRun, site: FieldSite, shape: ListShape, facets: readonly Facet[]): PlannedCase {
  const isRoot = site.parentType === run.schema.getQueryType()?.name;
  const prefix = isRoot ? "" : `${kebab(site.parentType)}-${kebab(site.field.name)}-`;
  return graphqlCase({
    operation: site.operation,
    group: "relation",
    name: `${prefix}${facets[0]?.label ?? ""}-filters`,
    rule: graphqlRules.filter,
    expected: `elements that have what they are chosen by: ${facets.map(({ name }) => name).join(", ")}`,
    requests: 2,
    play: (play) => playFilters(run, site, shape, facets, play),
  });
}

async function playFilters(
  run: GraphqlRun,
  site: FieldSite,
  shape: ListShape,
  facets: readonly Facet[],
  play: CasePlay,
): Promise<readonly Finding[]> {
  const plains = new Map<string, GivenArgument | undefined>();
  const choices = facets.flatMap((facet, index): readonly Choice[] => {
    const plain = facet.plain === undefined ? "plain" : `plain${kebab(facet.argument.name).replaceAll("-", "")}`;
    const values = valuesFor(run, facet);
    if (values.length > 0) plains.set(plain, facet.plain);
    return values.map((value, other) => ({ alias: `chosen${index}by${other}`, facet, value, plain }));
  });
  if (choices.length === 0) return play.skip("No value to choose by was answered");
  const ask = async (some: readonly Choice[]): Promise<HeldAnswer> => {
    const selections = shape.select(elementSelection(run, shape, facets));
    const one = (alias: string, argument: GivenArgument | undefined, replaced: string): FieldSelection => {
      const rest = (site.selection.arguments ?? []).filter(({ name }) => name !== replaced);
      return { ...site.selection, alias, arguments: argument === undefined ? rest : [...rest, argument], selections };
    };
    const asked = [
      ...[...plains].map(([alias, argument]) => one(alias, argument, argument?.name ?? "")),
      ...some.map(({ alias, facet, value }) => one(alias, facet.given(value), facet.argument.name)),
      // What moves is another at the end of an answer than at its beginning.
      ...[...plains].map(([alias, argument]) => one(`${alias}${atEnd}`, argument, argument?.name ?? "")),
    ];
    return await run.ask(play, writeQuestion(site.wrap(asked)));
  };
  const held = await ask(choices);
  const failed = failedChoices(held, choices);
  const rest = choices.filter((one) => !failed.includes(one));
  // One that fails takes the others with it where nothing between may be null.
  const whole = held.data === undefined && failed.length > 0 && rest.length > 0 ? await ask(rest) : held;
  if (whole.data === undefined && failed.length === 0) return play.skip("The target does not answer this");
  const found = [...failureFindings(site, failed, held), ...filterFindings(run, site, shape, rest, whole)];
  if (found.length === 0) return whole.findings;
  // What is listed may have changed between the answers for two values.
  const still = await stillFound(found, async () => {
    const again = await ask(choices);
    const later = failedChoices(again, choices);
    const answered = again.data === undefined ? await ask(rest) : again;
    return [...failureFindings(site, later, again), ...filterFindings(run, site, shape, rest, answered)];
  });
  return uniqueFindings([...whole.findings, ...still]);
}

/** What names the elements, and what they are chosen by. */
function elementSelection(run: GraphqlRun, { element }: ListShape, facets: readonly Facet[]): readonly Selection[] {
  const leaf = (name: string): FieldSelection => ({ kind: "field", name, selections: [] });
  const type = run.schema.getType(element.name);
  const keys = isObjectType(type) ? identityOf(type).filter(({ args }) => args.length === 0) : [];
  const ofInterface = isInterfaceType(type) && type.getFields()["id"] !== undefined ? ["id"] : [];
  const selections: Selection[] = [leaf("__typename"), ...ofInterface.map(leaf), ...keys.map(({ name }) => leaf(name))];
  for (const { path } of facets) {
    const nested = path
      .toReversed()
      .reduce<readonly Selection[]>((inner, name) => [{ kind: "field", name, selections: inner }], []);
    if (path[0] !== "__typename" && !(path.length === 1 && keys.some(({ name }) => name === path[0]))) {
      selections.push(...nested);
    }
  }
  return selections;
}

/** Values to choose by that elements were seen with: such as leave some of them out. */
function valuesFor(run: GraphqlRun, facet: Facet): readonly unknown[] {
  return plausibleValues(run, facet).filter((value) => value !== facet.defaultValue);
}

function plausibleValues(run: GraphqlRun, { leaf, owner, path, test }: Facet): readonly unknown[] {
  const member = path.at(-1) ?? "";
  const wrapped = (values: readonly unknown[]): readonly unknown[] =>
    test === "in" ? [values.slice(0, 1), values.slice(0, 2)].slice(0, values.length) : values.slice(0, 2);
  if (isEnumType(leaf)) {
    const names = leaf.getValues().map(({ name }) => name);
    return test === "in" ? wrapped(names) : [...names.slice(0, 2), ...names.slice(2).slice(-1)];
  }
  if (leaf.name === "Boolean") return wrapped([true, false]);
  const values = [...seenValues(run, owner.name, member)];
  const numbers = values.filter((value) => typeof value === "number").toSorted((left, right) => left - right);
  if (test === "min" || test === "max") return middleOf(numbers);
  // The least and the greatest tell something whatever a number is compared by.
  if (test === "is" && numbers.length > 1) return [numbers[0], numbers.at(-1)];
  if (test === "contains") return partsOf(values, (text) => /[A-Za-z0-9]{3,}/.exec(text)?.[0]);
  if (test === "prefix") return partsOf(values, (text) => text.slice(0, 3));
  return wrapped(values);
}

/** What a member was seen with, in objects of all types that a type may be. */
function seenValues(run: GraphqlRun, owner: string, member: string): ReadonlySet<unknown> {
  const named = run.schema.getType(owner);
  const possible = isAbstractType(named) ? run.schema.getPossibleTypes(named).map(({ name }) => name) : [];
  return new Set([owner, ...possible].flatMap((name) => run.pool.valuesOf(name, member).map(({ value }) => value)));
}

function middleOf(numbers: readonly number[]): readonly number[] {
  const middle = numbers[Math.floor(numbers.length / 2)];
  return middle === undefined ? [] : [middle];
}

function partsOf(values: readonly unknown[], part: (text: string) => string | undefined): readonly string[] {
  const parts = values.flatMap((value) => (typeof value === "string" ? [part(value)] : []));
  return [...new Set(parts.filter((one) => one !== undefined && one.length >= 3))].slice(0, 2) as readonly string[];
}

/** Choices that failed, each by an error of its own that says nothing of why. */
function failedChoices({ response }: HeldAnswer, choices: readonly Choice[]): readonly Choice[] {
  const failed = new Set(response.errors.flatMap(({ path }) => path ?? []));
  return choices.filter(({ alias }) => failed.has(alias));
}

function failureFindings(site: FieldSite, failed: readonly Choice[], { response }: HeldAnswer): readonly Finding[] {
  return failed.flatMap(({ alias, facet }): readonly Finding[] => {
    const errors = response.errors.filter(({ path }) => path?.includes(alias) === true);
    // Deeper, it is a member of the elements that fails.
    if (errors.some(({ path }) => path?.at(-1) !== alias) || refusalOf({ ...response, errors }) !== "unknown")
      return [];
    const message = `${site.field.name} is answered with an error for a value that ${facet.name} can have`;
    const detail = errors[0]?.message ?? "";
    return [{ rule: graphqlRules.resolved, message, detail, ...placeOfFacet(site, facet) }];
  });
}

function filterFindings(
  run: GraphqlRun,
  site: FieldSite,
  shape: ListShape,
  choices: readonly Choice[],
  { data, response }: HeldAnswer,
): readonly Finding[] {
  if (data === undefined) return [];
  const hurt = new Set(response.errors.flatMap(({ path }) => path ?? []));
  const findings: Finding[] = [];
  const idle = new Map<Facet, boolean[]>();
  for (const parent of site.parentsIn(data)) {
    for (const { alias, facet, value, plain } of choices) {
      const chosen = shape.elementsOf(parent[alias]);
      const all = shape.elementsOf(parent[plain]);
      if (chosen === undefined || hurt.has(alias)) continue;
      // Elements that change by themselves have another value by now than they were chosen by.
      if (run.restless.has(facet.path.at(-1) ?? "")) continue;
      const judge = (element: unknown): boolean | undefined => isChosen(run, shape, facet, element, value);
      if (isKnownChoice(run, facet, value)) findings.push(...wrongElements(site, facet, chosen, judge));
      if (all === undefined || hurt.has(plain)) continue;
      if (!isSame(all, shape.elementsOf(parent[`${plain}${atEnd}`]))) continue;
      findings.push(...leftOut(site, facet, chosen, all, judge));
      if (all.some((element) => judge(element) === false)) {
        idle.set(facet, [...(idle.get(facet) ?? []), isSame(all, chosen)]);
      }
    }
  }
  for (const [facet, same] of idle) {
    if (same.length < 2 || !same.every(Boolean)) continue;
    const message = `${site.field.name} is the same whatever ${facet.name} is, though its elements differ in it`;
    findings.push({ rule: graphqlRules.filterEffect, message, ...placeOfFacet(site, facet) });
  }
  return uniqueFindings(findings);
}

/** Whether some element has what is chosen by: `ALL` and `ANY` are choices of an enum too that none is of. */
function isKnownChoice(run: GraphqlRun, { leaf, owner, path }: Facet, value: unknown): boolean {
  if (!isEnumType(leaf) || path[0] === "__typename" || Array.isArray(value)) return true;
  return seenValues(run, owner.name, path.at(-1) ?? "").has(value);
}

function wrongElements(
  site: FieldSite,
  facet: Facet,
  chosen: readonly unknown[],
  judge: (element: unknown) => boolean | undefined,
): readonly Finding[] {
  const wrong = chosen.find((element) => judge(element) === false);
  if (wrong === undefined) return [];
  const rule: Rule = facet.isCertain ? graphqlRules.filter : graphqlRules.filterLikely;
  const member = facet.path.join(".");
  const message = `${site.field.name} filtered by ${facet.name} has elements with another ${member}`;
  return [{ rule, message, detail: showValue(memberAt(wrong, facet.path)), ...placeOfFacet(site, facet) }];
}

/** Elements that stand in the whole list and have the value, and are not among the chosen ones although there is room. */
function leftOut(
  site: FieldSite,
  facet: Facet,
  chosen: readonly unknown[],
  all: readonly unknown[],
  judge: (element: unknown) => boolean | undefined,
): readonly Finding[] {
  if (chosen.length >= all.length) return [];
  const missing = all.find((element) => judge(element) === true && !chosen.some((one) => isSame(one, element)));
  if (missing === undefined) return [];
  const rule: Rule = facet.isCertain ? graphqlRules.filterWhole : graphqlRules.filterLikely;
  const message = `${site.field.name} filtered by ${facet.name} leaves out elements that have what was asked for`;
  return [{ rule, message, detail: showValue(memberAt(missing, facet.path)), ...placeOfFacet(site, facet) }];
}

/** Undefined where it can't be told. */
function isChosen(
  run: GraphqlRun,
  { element }: ListShape,
  { path, test }: Facet,
  one: unknown,
  wanted: unknown,
): boolean | undefined {
  const actual = memberAt(one, path);
  if (actual === undefined) return undefined;
  const isOf = (value: unknown): boolean => {
    if (path[0] === "__typename") return actual === typeNamed(run, element, String(value));
    return isSame(actual, value);
  };
  switch (test) {
    case "is":
      return isOf(wanted);
    case "in":
      return Array.isArray(wanted) && wanted.some(isOf);
    case "min":
    case "max": {
      if (typeof actual !== "number" || typeof wanted !== "number") return undefined;
      return test === "min" ? actual >= wanted : actual <= wanted;
    }
    default: {
      if (typeof actual !== "string" || typeof wanted !== "string") return undefined;
      const [text, part] = [actual.toLowerCase(), wanted.toLowerCase()];
      return test === "contains" ? text.includes(part) : text.startsWith(part);
    }
  }
}

function memberAt(element: unknown, path: readonly string[]): unknown {
  let value = element;
  // Of an object that is null, every member is.
  for (const name of path) value = isRecord(value) ? value[name] : value === null ? null : undefined;
  return value;
}

function placeOfFacet(site: FieldSite, facet: Facet): ReturnType<typeof withPlace> {
  return withPlace(placeOf(facet.argument.astNode) ?? placeOf(site.field.astNode));
}

/** The same but for what changes by itself. */
function isSame(left: unknown, right: unknown): boolean {
  return differences(undefined, left, right, {}).every(({ name }) => name !== "" && isMovingName(name));
}
