import { isAbstractType, isEnumType, isInterfaceType, isObjectType } from "graphql";
import type { Finding } from "../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../contract/planned-case.ts";
import type { Rule } from "../contract/rule.ts";
import { showValue } from "../compare/show-value.ts";
import { withPlace } from "../suite/with-place.ts";
import { isRecord } from "../types/is-record.ts";
import { compareLeaves } from "./compare-leaves.ts";
import { type Facet, facetsOf, isRange, type RangeTest, typeNamed } from "./filter-facets.ts";
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
import { isSame } from "./is-same.ts";

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
    const total: readonly Selection[] =
      shape.total === undefined ? [] : [{ kind: "field", name: shape.total, selections: [] }];
    const selections = [...shape.select(elementSelection(run, shape, facets)), ...total];
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
  if (leaf.name === "Boolean" || test === "present") return wrapped([true, false]);
  const values = [...seenValues(run, owner.name, member)];
  const numbers = values.filter((value) => compareLeaves(value, value) === 0);
  const sorted = numbers.toSorted((left, right) => compareLeaves(left, right) ?? 0);
  if (isRange(test)) return middleOf(sorted);
  // The least and the greatest tell something whatever a number is compared by.
  if (test === "is" && sorted.length > 1) return [sorted[0], sorted.at(-1)];
  if (test === "contains") return containedParts(values);
  if (test === "prefix") return partsOf(values, (text) => text.slice(0, 3));
  return wrapped(values);
}

/** The parts that fewest values have: one with which a value begins, and one with which none needs to begin. */
function containedParts(values: readonly unknown[]): readonly string[] {
  const texts = values.filter((value) => typeof value === "string");
  const having = (part: string): number => texts.filter((text) => text.includes(part)).length;
  const rarest = (pattern: RegExp, but: readonly string[]): readonly string[] =>
    texts
      .flatMap((text) => pattern.exec(text)?.[0] ?? [])
      .filter((part) => !but.includes(part))
      .toSorted((left, right) => having(left) - having(right))
      .slice(0, 1);
  const first = rarest(/[A-Za-z0-9]{3,}/, []);
  return [...first, ...rarest(/[A-Za-z0-9]{3,}$/, first)];
}

/** What a member was seen with, in objects of all types that a type may be. */
function seenValues(run: GraphqlRun, owner: string, member: string): ReadonlySet<unknown> {
  const named = run.schema.getType(owner);
  const possible = isAbstractType(named) ? run.schema.getPossibleTypes(named).map(({ name }) => name) : [];
  return new Set([owner, ...possible].flatMap((name) => run.pool.valuesOf(name, member).map(({ value }) => value)));
}

function middleOf(numbers: readonly unknown[]): readonly unknown[] {
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
      findings.push(...totalFindings(site, shape, facet, chosen.length < all.length, parent[alias]));
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

/** A page that is shorter than the one of the whole list ends its own list: the total beside it counts what is on it. */
function totalFindings(
  site: FieldSite,
  { total: name, elementsOf }: ListShape,
  facet: Facet,
  isEnd: boolean,
  page: unknown,
): readonly Finding[] {
  const total = name !== undefined && isRecord(page) ? page[name] : undefined;
  const length = elementsOf(page)?.length;
  if (!isEnd || typeof total !== "number" || total === length) return [];
  const message = `${site.field.name}: ${name} is not how many there are by ${facet.name}`;
  return [{ rule: graphqlRules.count, message, detail: `${total} beside ${length}`, ...placeOfFacet(site, facet) }];
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
    case "max":
    case "from":
    case "until":
    case "above":
    case "below":
      return isWithin(test, compareLeaves(actual, wanted));
    case "has":
      return Array.isArray(actual) ? actual.some((one) => isAlike(one, wanted)) : undefined;
    case "present":
      // Whether an empty text is one is left open.
      return actual === "" ? undefined : (actual !== null) === wanted;
    default: {
      if (typeof actual !== "string" || typeof wanted !== "string") return undefined;
      const [text, part] = [actual.toLowerCase(), wanted.toLowerCase()];
      return test === "contains" ? text.includes(part) : text.startsWith(part);
    }
  }
}

/** Undefined at the end of a range that may be part of it or not. */
function isWithin(test: RangeTest, order: number | undefined): boolean | undefined {
  if (order === undefined) return undefined;
  if (order === 0) return test === "from" || test === "until" ? undefined : test === "min" || test === "max";
  return (test === "min" || test === "from" || test === "above") === order > 0;
}

/** The same but for the case of letters. */
function isAlike(left: unknown, right: unknown): boolean {
  return String(left).toLowerCase() === String(right).toLowerCase();
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
