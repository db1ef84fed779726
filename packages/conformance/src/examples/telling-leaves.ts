import { canonicalText, isEqualJson, isRecord } from "@nodewright/api-model";
import { isVolatileName } from "../compare/volatile-names.ts";

/** Leaves of a documented value that only the same data has, as long texts and great numbers, and how many of them are served. */
export interface TellingCount {
  readonly leaves: number;
  readonly served: number;
}

/** Looks at no more leaves: a sample says as much. */
const mostLeaves = 2000;

/** Counts the telling leaves of a documented value, and those that are served at the same place, or anywhere in the same list. */
export function countTelling(documented: unknown, actual: unknown): TellingCount {
  const leaves = [...tellingLeaves(documented, actual).take(mostLeaves)];
  return { leaves: leaves.length, served: leaves.filter((isServed) => isServed).length };
}

/** Whether it is served, of each telling leaf. */
function* tellingLeaves(documented: unknown, actual: unknown): Generator<boolean, void, undefined> {
  if (Array.isArray(documented)) {
    const others: readonly unknown[] = Array.isArray(actual) ? actual : [];
    const texts = new Set(others.map(canonicalText));
    for (const [index, element] of documented.entries())
      yield* tellingLeaves(element, texts.has(canonicalText(element)) ? element : others[index]);
  } else if (isRecord(documented)) {
    for (const [name, value] of Object.entries(documented))
      if (!isVolatileName(name)) yield* tellingLeaves(value, isRecord(actual) ? actual[name] : undefined);
  } else if (isTelling(documented)) yield isEqualJson(documented, actual);
}

/** Whether two sets of data hardly share a value by chance. */
function isTelling(value: unknown): boolean {
  if (typeof value === "string") return value.length >= 3 && value !== "string";
  if (typeof value === "number") return Math.abs(value) > 9 || !Number.isInteger(value);
  return typeof value === "bigint";
}
