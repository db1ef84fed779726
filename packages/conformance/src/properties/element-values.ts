import { isRecord } from "../types/is-record.ts";
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
