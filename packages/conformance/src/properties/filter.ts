import { isRecord } from "@nodewright/api-model";
import { identifierOf } from "../compare/list-of.ts";
import { distanceOf } from "../compare/value-order.ts";
import { listedValues } from "../inference/filter-values.ts";
import { type InferredFilter, isBound } from "../inference/list-filters.ts";
import { isGraded, isLoose } from "../inference/name-meaning.ts";
import { kindsIn } from "../compare/member-facts.ts";
import {
  type Selection,
  selectionCheck,
  chosenTotalProblems,
  elementProblems,
  isCallableWith,
  isEqual,
  isExactMatch,
  lets,
  valuesAt,
  valuesOf,
} from "./choice.ts";
import type { Check, Knowledge, Problem, Property } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/** Property that a filter returns all elements that match it, and no others. */
export const filterProperty: Property = { name: "filter", rule: propertyRules.filter, checks };

/** Maximum number of values of one filter to call with. */
const mostValues = 3;

function* checks(knowledge: Knowledge): Generator<Check> {
  for (const filter of knowledge.filters.filter((one) => !isBound(one))) {
    yield selectionCheck(knowledge, filter, {
      kind: "filter",
      expected: `exactly the elements whose ${filter.path.join(".")} matches the value of the parameter ${filter.name}`,
      most: mostValues,
      values: ({ items }) =>
        filter.isRequired ? requiredValues(knowledge, filter, items) : valuesToCallFor(knowledge, filter, items),
      problems: (choice) => problemsOf(knowledge, filter, choice),
    });
  }
}

/**
 * Returns the values to check of a required parameter: the one in the base, if some elements have it, then one of elements that do not
 * match it. Returns none where the parameter may mean something else: an identifier of the elements' parent, or the start of an ordered
 * list.
 */
function requiredValues(knowledge: Knowledge, filter: InferredFilter, items: readonly unknown[]): readonly unknown[] {
  const { parameter, name, path } = filter;
  const value = knowledge.base[parameter.property];
  const isPlain = name === parameter.name && value !== null && typeof value !== "object";
  const mayMeanMore = isLoose(name) || distanceOf(value, value) !== undefined || identifierOf(items) === path[0];
  const isSeen = items.some((item) => isExactMatch(filter, item, value));
  if (!isPlain || mayMeanMore || !isSeen) return [];
  const other = items
    .filter((item) => lets(knowledge.operation, filter, item, value) === false)
    .flatMap((item) => valuesAt(item, path) ?? [])
    .findLast((one) => one !== null && knowledge.valid(parameter, one));
  return other === undefined ? [value] : [value, other];
}

/** Returns values of the elements, the rarest first, as they leave out the most; then listed values that no element has. */
export function valuesToCallFor(
  knowledge: Knowledge,
  filter: InferredFilter,
  items: readonly unknown[],
): readonly unknown[] {
  const { operation, defaultOf } = knowledge;
  const { parameter, test, type, member, path, takesList } = filter;
  const isCallable = (value: unknown): boolean =>
    value !== defaultOf(parameter) && isCallableWith(knowledge, filter, value);
  if (test === "present") return [true, false].filter(isCallable);
  const listed = listedValues(type, operation.types);
  // The document may spell a value differently in the request: `DOCTOR` for `Doctor`.
  const had = valuesOf(path, items).map((found) => listed.find((one) => isEqual(one, found, true)) ?? found);
  const groups = Map.groupBy(had, String);
  const seen = [...groups.values()].toSorted((left, right) => left.length - right.length).map(([value]) => value);
  if (test === "contains" || test === "prefix") return partsOf(seen, test).filter(isCallable);
  // A value that the member cannot have, such as `all`, may match any value.
  const own = listedValues(member, operation.types);
  const unseen = listed.filter(
    (value) => !groups.has(String(value)) && (own.length === 0 || own.some((one) => isEqual(one, value, true))),
  );
  // A value that all elements have leaves nothing out.
  const single = (seen.length > 1 ? [...seen, ...unseen] : [...unseen.slice(0, 1), ...seen, ...unseen.slice(1)]).filter(
    isCallable,
  );
  const [first, second] = single;
  const several = takesList && second !== undefined && isCallable([first, second]) ? [[first, second]] : [];
  return [...several, ...single];
}

/** Returns parts of strings that few of the strings contain. */
function partsOf(values: readonly unknown[], test: "contains" | "prefix"): readonly string[] {
  const texts = values.filter((value) => typeof value === "string");
  if (test === "prefix") return texts.map((text) => text.slice(0, 3)).filter((part) => part.length === 3);
  const having = (part: string): number => texts.filter((text) => text.includes(part)).length;
  const rarest = (pattern: RegExp): readonly string[] =>
    texts
      .flatMap((text) => pattern.exec(text)?.[0] ?? [])
      .toSorted((left, right) => having(left) - having(right))
      .slice(0, 1);
  return [...new Set([...rarest(/[A-Za-z0-9]{3,}/), ...rarest(/[A-Za-z0-9]{3,}$/)])];
}

function problemsOf(knowledge: Knowledge, filter: InferredFilter, choice: Selection): readonly Problem[] {
  const { name, path } = filter;
  const { all, found, value } = choice;
  const member = path.join(".");
  const isIn = (item: unknown, items: readonly unknown[]): boolean => isAmong(knowledge, item, items);
  const matches = (item: unknown): boolean | undefined => lets(knowledge.operation, filter, item, value);
  const total = chosenTotalProblems(name, choice, matches);
  if (total.length > 0) return total;
  if (mayMeanOther(knowledge, filter, choice, matches)) return [];
  const wrong = found.items.filter((item) => matches(item) === false);
  if (wrong.length > 0)
    return elementProblems(`some elements have a ${member} that does not match ${name}`, filter, wrong, found.items);
  if (!knowledge.isEnded(found, all)) return [];
  // With several values an element may have to match any or all of them: the returned elements show which.
  const several: readonly unknown[] = Array.isArray(value) ? value : [value];
  const hasAll = (item: unknown): boolean => several.every((one) => isExactMatch(filter, item, one));
  const areAll = found.items.every(hasAll);
  const missing = all.items.filter(
    (item) => (areAll ? hasAll(item) : isExactMatch(filter, item, value)) && !isIn(item, found.items),
  );
  if (missing.length > 0)
    return elementProblems(`elements are missing whose ${member} matches ${name}`, filter, missing, all.items);
  const isListed = (item: unknown): boolean => isIn(item, all.items);
  if (!knowledge.isEnded(all) || found.items.every(isListed) || !found.items.some(isListed)) return [];
  return [{ message: `elements that ${name} finds are not in the list without it` }];
}

/**
 * Whether a list starts with the only element that has a value and continues like the complete list: the value is then the start, such as
 * the `sha` of a list of commits.
 */
function goesOnFrom(
  { isSameList }: Knowledge,
  all: readonly unknown[],
  found: readonly unknown[],
  matches: (item: unknown) => boolean,
): boolean {
  const start = all.findIndex(matches);
  const rest = all.slice(start);
  if (start === -1 || rest.filter(matches).length > 1) return false;
  return isSameList(rest, found.slice(0, rest.length));
}

/**
 * Whether an element is among others. Elements without an identifier may be groups of the selected elements: their numbers depend on the
 * selection, and their names distinguish them.
 */
function isAmong(knowledge: Knowledge, item: unknown, items: readonly unknown[]): boolean {
  if (!isRecord(item) || identifierOf([item, ...items]) !== undefined) return knowledge.isAmong(item, items);
  const names = Object.keys(item).filter((name) => isWord(item[name]));
  return items.some((other) => isRecord(other) && names.every((name) => other[name] === item[name]));
}

function isWord(value: unknown): boolean {
  return typeof value === "boolean" || (typeof value === "string" && distanceOf(value, value) === undefined);
}

/** Minimum number of different values in a list that show that the filter had no effect. */
const distinctive = 3;

/** Whether a filter may mean something other than that elements have exactly this value. */
function mayMeanOther(
  knowledge: Knowledge,
  { name, path, test, type, isOneSided }: InferredFilter,
  { value, all, found }: Selection,
  matches: (item: unknown) => boolean | undefined,
): boolean {
  const isUnfiltered = knowledge.isSameList(all.items.slice(0, found.items.length), found.items);
  // With `false` a filter may match everything, where the description does not define it; with `true` it may include elements that are
  // omitted without it.
  if (test === "is" && value === false && isUnfiltered && isOneSided === true) return true;
  if (test === "is" && value === true && !all.items.some((item) => matches(item) === true)) return true;
  // A word that no element has may match all of them: `state=all`.
  const isSeen = [...all.items, ...found.items].some((item) => matches(item) === true);
  const isWider = all.items.every((item) => isAmong(knowledge, item, found.items));
  const isMixed = new Set(found.items.flatMap((item) => valuesAt(item, path) ?? [])).size > 1;
  if (!isSeen && typeof value !== "boolean" && found.items.length > 0 && (isWider || isMixed)) return true;
  if (test === "is" && goesOnFrom(knowledge, all.items, found.items, (item) => matches(item) === true)) return true;
  const last = name.split(".").at(-1) ?? name;
  const isOpen = kindsIn(type, knowledge.operation.types).has("string");
  if (test !== "is" || !(isGraded(last) || (isOpen && isLoose(last)))) return false;
  const given = new Set(found.items.flatMap((item) => valuesAt(item, path) ?? []).map(String));
  return !isUnfiltered || given.size < distinctive;
}
