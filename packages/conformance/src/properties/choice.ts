import { canonicalText, isRecord } from "@nodewright/api-model";
import { kindsIn } from "../compare/member-facts.ts";
import { distanceOf } from "../compare/value-order.ts";
import { type InferredFilter, isBound, wordKey } from "../inference/list-filters.ts";
import { hasManyParameters } from "../inference/many-parameters.ts";
import type { SuiteTypes } from "../suite/suite-type.ts";
import { kebabCase } from "@nodewright/api-values";
import { isRound } from "./knowledge.ts";
import type { Input, Page, Result } from "./operation.ts";
import type { Check, Knowledge, Problem } from "./property.ts";

/** What a filter chooses of a list by a value. */
export interface Choice {
  readonly value: unknown;
  /** The list without the filter. */
  readonly all: Page;
  readonly found: Page;
}

interface ChoiceParts extends Pick<Check, "expected"> {
  readonly kind: "filter" | "range";
  /** Values that are called with, at most. */
  readonly most: number;
  values(all: Page): readonly unknown[];
  problems(choice: Choice): readonly Problem[];
}

/** The check that a filter chooses the right elements by each of some values; of an operation with many parameters by one. */
export function choiceCheck(
  { operation, whole }: Knowledge,
  filter: InferredFilter,
  { kind, expected, most, values, problems }: ChoiceParts,
): Check {
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
    verify: async (call) => {
      const [{ page: all }] = await call(whole);
      if (all === undefined) return [];
      const chosen = values(all).slice(0, furtherCalls);
      const results = await call(
        ...chosen.map((value): Input => ({ ...whole, [parameter.property]: filter.given(value) })),
      );
      return chosen.flatMap((value, index) => {
        const found = results[index]?.page;
        return found === undefined ? [] : problems({ value, all, found });
      });
    },
  };
}

/** The problem that some elements are there, or are missing, which a filter chooses otherwise; none without such elements. */
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
 * The total beside chosen elements is of these: not the one of the whole list, where it has elements that were not chosen. A total that is not
 * how many elements the whole list has is of something else.
 */
export function chosenTotalProblems(
  name: string,
  { all, found }: Choice,
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

/** How far an element is within a bound: above zero for what is, below for what is not; undefined where it does not show it. */
export function depthWithin({ path, test }: InferredFilter, item: unknown, bound: unknown): number | undefined {
  const [value, ...others] = valuesAt(item, path) ?? [];
  const distance = value === null || value === undefined || others.length > 0 ? undefined : distanceOf(value, bound);
  return distance === undefined ? undefined : test === "minimum" ? distance : -distance;
}

/** Whether a filter lets an element through; undefined where the element does not show it, or is at a bound. */
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
    // Whether an empty text is a value is left open.
    return values.includes("") ? undefined : values.some((value) => value !== null) === wanted;
  }
  if (isExactMatch(filter, item, wanted)) return true;
  if (!kindsIn(type, types).has("string")) return false;
  if (values.every((value) => value === null)) return undefined;
  // Texts that are not listed may be searched for, in either case.
  const texts = values.map((value) => String(value).toLowerCase());
  const parts = [wanted].flat().map((value) => String(value).toLowerCase());
  return texts.some((text) => parts.some((part) => (test === "prefix" ? text.startsWith(part) : text.includes(part))));
}

/** Whether an element has just what is called for; of several values, any. */
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

/** The elements of the page that a result is. */
export function itemsOf({ page }: Result): readonly unknown[] {
  return page?.items ?? [];
}

/**
 * The values that an element has at a path, through lists on the way: null where there is none. Undefined where the element does not show
 * them, or holds objects there.
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

/** The values at a path that say something, of all elements. */
export function valuesOf(path: readonly string[], items: readonly unknown[]): readonly unknown[] {
  const values = items.flatMap((item) => valuesAt(item, path) ?? []);
  return values.filter((value) => value !== null && value !== undefined && value !== "");
}

/** Of a bound the middle of the values that elements have, else the rarest of them: something is left out for it. */
export function valueAmong({ path, test, type }: InferredFilter, items: readonly unknown[]): unknown {
  const groups = [...Map.groupBy(valuesOf(path, items), canonicalText).values()];
  if (test === "is" || test === "has") return groups.toSorted((left, right) => left.length - right.length)[0]?.[0];
  if (type.kind === "boolean" || groups.length < 2) return undefined;
  const distinct = groups.map(([value]) => value).toSorted((left, right) => distanceOf(left, right) ?? 0);
  return distinct[Math.floor(distinct.length / 2)];
}
