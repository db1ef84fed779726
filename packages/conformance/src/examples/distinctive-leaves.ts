import { canonicalText, isEqualJson, isRecord } from "@nodewright/api-model";
import { isVolatileName } from "../compare/volatile-names.ts";

/**
 * Number of distinctive leaves of a documented value, such as long strings and large numbers, and number of equal ones in the actual value.
 */
export interface DistinctiveCount {
  readonly leaves: number;
  readonly served: number;
}

/** Maximum number of leaves to compare: a sample is sufficient. */
const maximumLeaves = 2000;

/** Counts the distinctive leaves of a documented value, and the equal ones at the same place or, within a list, in an equal element. */
export function countDistinctive(documented: unknown, actual: unknown): DistinctiveCount {
  const leaves = [...distinctiveLeaves(documented, actual).take(maximumLeaves)];
  return { leaves: leaves.length, served: leaves.filter((isServed) => isServed).length };
}

/** Yields for each distinctive leaf whether it is equal. */
function* distinctiveLeaves(documented: unknown, actual: unknown): Generator<boolean, void, undefined> {
  if (Array.isArray(documented)) {
    const others: readonly unknown[] = Array.isArray(actual) ? actual : [];
    const texts = new Set(others.map(canonicalText));
    for (const [index, element] of documented.entries())
      yield* distinctiveLeaves(element, texts.has(canonicalText(element)) ? element : others[index]);
  } else if (isRecord(documented)) {
    for (const [name, value] of Object.entries(documented))
      if (!isVolatileName(name)) yield* distinctiveLeaves(value, isRecord(actual) ? actual[name] : undefined);
  } else if (isDistinctive(documented)) yield isEqualJson(documented, actual);
}

/** Whether two data sets are unlikely to share a value by chance. */
function isDistinctive(value: unknown): boolean {
  if (typeof value === "string") return value.length >= 3 && value !== "string";
  if (typeof value === "number") return Math.abs(value) > 9 || !Number.isInteger(value);
  return typeof value === "bigint";
}
