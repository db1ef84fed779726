import { canonicalText, isRecord } from "@nodewright/api-model";
import { distanceOf } from "../compare/value-order.ts";
import type { InferredFilter } from "../inference/list-filters.ts";
import type { Result } from "./operation.ts";

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

/** Of a bound the middle of the values that elements have, else the rarest of them: something is left out for it. */
export function valueAmong({ path, test, type }: InferredFilter, items: readonly unknown[]): unknown {
  const values = items
    .flatMap((item) => valuesAt(item, path) ?? [])
    .filter((value) => value !== null && value !== undefined && value !== "");
  const groups = [...Map.groupBy(values, canonicalText).values()];
  if (test === "is" || test === "has") return groups.toSorted((left, right) => left.length - right.length)[0]?.[0];
  if (type.kind === "boolean" || groups.length < 2) return undefined;
  const distinct = groups.map(([value]) => value).toSorted((left, right) => distanceOf(left, right) ?? 0);
  return distinct[Math.floor(distinct.length / 2)];
}
