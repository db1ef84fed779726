import { canonicalText, isRecord } from "@nodewright/api-model";
import { kindsIn } from "../compare/member-facts.ts";
import { distanceOf } from "../compare/value-order.ts";
import { wordKey } from "../inference/filter-values.ts";
import { type InferredFilter, isBound } from "../inference/list-filters.ts";
import { hasManyParameters } from "../inference/many-parameters.ts";
import type { SuiteTypes } from "../suite/suite-type.ts";
import { kebabCase } from "@nodewright/api-values";
import { verifyWidest } from "./attempt.ts";
import { isRound } from "./knowledge.ts";
import type { Input, Page, Result } from "./operation.ts";
import type { Check, Knowledge, Problem } from "./property.ts";

/** Elements of a list that a filter selects by a value. */
export interface Selection {
  readonly value: unknown;
  /** Page of the list without the filter. */
  readonly all: Page;
  readonly found: Page;
}

interface SelectionParts extends Pick<Check, "expected"> {
  readonly kind: "filter" | "range";
  /** Maximum number of values to call with. */
  readonly most: number;
  values(all: Page): readonly unknown[];
  problems(choice: Selection): readonly Problem[];
}

/** Returns a check that a filter selects the right elements for each of some values; for one value if the operation has many parameters. */
export function selectionCheck(
  knowledge: Knowledge,
  filter: InferredFilter,
  { kind, expected, most, values, problems }: SelectionParts,
): Check {
  const { operation, whole } = knowledge;
  const { parameter, name, guess, path } = filter;
  const furtherCalls = hasManyParameters(operation) ? 1 : most;
  return {
    name: `${kind}-${kebabCase(name)}`,
    expected,
    parameter,
    guess,
    inputs: [whole],
    furtherCalls,
    reads: [path],
    verify: (call) =>
      verifyWidest(knowledge, async (start) => {
        const [{ page: all }] = await call(start);
        if (all === undefined) return [];
        const chosen = values(all).slice(0, furtherCalls);
        const results = await call(...chosen.map((value) => inputWith(start, filter, value)));
        return chosen.flatMap((value, index) => {
          const found = results[index]?.page;
          return found === undefined ? [] : problems({ value, all, found });
        });
      }),
  };
}

/** Returns an input with a value of a filter. */
export function inputWith(start: Input, { parameter, given }: InferredFilter, value: unknown): Input {
  return withMembers(start, { [parameter.property]: given(value) });
}

/** Whether a parameter accepts a value of a filter, next to the required members of its object. */
export function isCallableWith({ valid, base }: Knowledge, filter: InferredFilter, value: unknown): boolean {
  return valid(filter.parameter, inputWith(base, filter, value)[filter.parameter.property]);
}

/** Adds members to an object, and to objects within it. */
export function withMembers(before: Input, added: Input): Input {
  const members = Object.entries(added).map(([name, value]) => {
    const own = before[name];
    return [name, isRecord(own) && isRecord(value) ? withMembers(own, value) : value] as const;
  });
  return { ...before, ...Object.fromEntries(members) };
}

/** Returns the problem that a filter wrongly returns or omits some elements; none if there are no such elements. */
export function elementProblems(
  message: string,
  { path }: Pick<InferredFilter, "path">,
  some: readonly unknown[],
  items: readonly unknown[],
): readonly Problem[] {
  const detail = `${some.length} of ${items.length}`;
  return some.length === 0 ? [] : [{ message, detail, pointer: `/*/${path.join("/")}` }];
}

/**
 * Returns problems of the total next to selected elements. The total has to count these, not the complete list, where the list has other
 * elements too. A total that is not the number of elements of the complete list counts something else and is not checked.
 */
export function chosenTotalProblems(
  name: string,
  { all, found }: Selection,
  isChosen: (item: unknown) => boolean | undefined,
): readonly Problem[] {
  const { total } = found;
  if (total === undefined || all.total === undefined) return [];
  const message = `the total is not the number of elements that ${name} chooses`;
  const isShorter = found.items.length < all.items.length;
  const isCounted = all.total === all.items.length || (total === all.total && !isRound(all.total));
  if (isShorter && isCounted && total !== found.items.length)
    return [{ message, detail: `${total}, and there are ${found.items.length}` }];
  const isOfAll = total === all.total && !isRound(total) && all.items.some((item) => isChosen(item) === false);
  const areChosen = found.items.length > 0 && found.items.every((item) => isChosen(item) === true);
  return isOfAll && areChosen ? [{ message, detail: `${total} as without ${name}` }] : [];
}

/** Returns how far an element is within a bound: positive inside, negative outside, undefined where the element does not show it. */
export function depthWithin({ path, test, order }: InferredFilter, item: unknown, bound: unknown): number | undefined {
  const [value, ...others] = valuesAt(item, path) ?? [];
  const distance =
    value === null || value === undefined || others.length > 0 ? undefined : distanceIn(order, value, bound);
  return distance === undefined ? undefined : test === "minimum" ? distance : -distance;
}

/** Returns the distance of two values, by their places in an enumeration for its values. */
function distanceIn(order: readonly unknown[] | undefined, value: unknown, bound: unknown): number | undefined {
  return order === undefined ? distanceOf(value, bound) : order.indexOf(value) - order.indexOf(bound);
}

/** Returns whether a filter matches an element; undefined where the element does not show it, or is exactly at a bound. */
export function lets(
  { types }: { readonly types: SuiteTypes },
  filter: InferredFilter,
  item: unknown,
  wanted: unknown,
): boolean | undefined {
  const { test, path, type } = filter;
  if (isBound(filter)) {
    const depth = depthWithin(filter, item, wanted);
    return depth === undefined || depth === 0 ? undefined : depth > 0;
  }
  const values = valuesAt(item, path);
  if (values === undefined) return undefined;
  if (test === "present") {
    // Whether an empty string counts as a value is left open.
    return values.includes("") ? undefined : values.some((value) => value !== null) === wanted;
  }
  if (isExactMatch(filter, item, wanted)) return true;
  if (!kindsIn(type, types).has("string")) return false;
  if (values.every((value) => value === null)) return undefined;
  // Strings that are not listed may be searched for case-insensitively.
  const texts = values.map((value) => String(value).toLowerCase());
  const parts = [wanted].flat().map((value) => String(value).toLowerCase());
  return texts.some((text) => parts.some((part) => (test === "prefix" ? text.startsWith(part) : text.includes(part))));
}

/** Whether an element has exactly the value of the filter; with several values, any of them. */
export function isExactMatch({ test, path, type }: InferredFilter, item: unknown, wanted: unknown): boolean {
  const values = valuesAt(item, path) ?? [];
  if (test === "present") return values.some((value) => value !== null && value !== "") === wanted;
  const part = String(wanted);
  if (test === "prefix") return values.some((value) => String(value).startsWith(part));
  if (test === "contains") return values.some((value) => String(value).includes(part));
  return values.some((value) => [wanted].flat().some((one) => isEqual(one, value, type.kind === "enumeration")));
}

export function isEqual(left: unknown, right: unknown, areWords: boolean): boolean {
  if (String(left) === String(right)) return true;
  return areWords && typeof left === "string" && typeof right === "string" && wordKey(left) === wordKey(right);
}

/** Returns the elements of the page of a result. */
export function itemsOf({ page }: Result): readonly unknown[] {
  return page?.items ?? [];
}

/**
 * Returns the values of an element at a path, through lists on the way: null where a value is missing. Returns undefined where the element does
 * not show them, or has objects there.
 */
export function valuesAt(item: unknown, path: readonly string[]): readonly unknown[] | undefined {
  let values: readonly unknown[] = [item];
  for (const name of path) {
    const next = values.map((value) => (isRecord(value) ? value[name] : value === null ? null : undefined));
    if (next.includes(undefined)) return undefined;
    values = next.flat();
  }
  return values.some((value) => typeof value === "object" && value !== null) ? undefined : values;
}

/** Returns the values of all elements at a path that are neither null nor empty. */
export function valuesOf(path: readonly string[], items: readonly unknown[]): readonly unknown[] {
  const values = items.flatMap((item) => valuesAt(item, path) ?? []);
  return values.filter((value) => value !== null && value !== undefined && value !== "");
}

/**
 * Returns a value for which a filter leaves some elements out: the middle of the values of the elements for a bound, else the rarest value.
 */
export function valueAmong({ path, test, type }: InferredFilter, items: readonly unknown[]): unknown {
  const groups = [...Map.groupBy(valuesOf(path, items), canonicalText).values()];
  if (test === "is" || test === "has") return groups.toSorted((left, right) => left.length - right.length)[0]?.[0];
  if (type.kind === "boolean" || groups.length < 2) return undefined;
  const distinct = groups.map(([value]) => value).toSorted((left, right) => distanceOf(left, right) ?? 0);
  return distinct[Math.floor(distinct.length / 2)];
}
