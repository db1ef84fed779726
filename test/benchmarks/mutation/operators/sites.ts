import { slotsOf } from "./json-tree.ts";
import type { JudgedAnswer, Site } from "./subject.ts";

const mostValues = 40;

/** Finds where the good answers of each operation have values, and the inputs that they were given to. */
export function sitesFrom(answers: readonly JudgedAnswer[]): {
  readonly sites: ReadonlyMap<string, readonly Site[]>;
  readonly goodInputs: ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>;
} {
  const seen = new Map<string, Map<string, Map<string, unknown>>>();
  const goodInputs = new Map<string, Readonly<Record<string, unknown>>[]>();
  for (const { operation, isSuccess, isOfType, value, input } of answers) {
    if (!isSuccess || !isOfType) {
      continue;
    }
    goodInputs.set(operation, [...(goodInputs.get(operation) ?? []), input]);
    const places = seen.get(operation) ?? new Map<string, Map<string, unknown>>();
    seen.set(operation, places);
    for (const [name, slots] of slotsOf(value).slots) {
      const values = places.get(name) ?? new Map<string, unknown>();
      places.set(name, values);
      for (const slot of slots) {
        if (values.size < mostValues) {
          values.set(JSON.stringify(slot.value), slot.value);
        }
      }
    }
  }
  const sites = new Map(
    [...seen].map(([operation, places]) => [
      operation,
      [...places].map(([name, values]): Site => ({ name, values: [...values.values()] })),
    ]),
  );
  return { sites, goodInputs };
}
