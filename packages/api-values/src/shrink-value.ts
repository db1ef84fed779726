import { canonicalText, kindOf, type TypeNode } from "@nodewright/api-model";
import type { NamedTypes } from "./named-types.ts";
import { isValueOf } from "./violations.ts";

/**
 * Returns the smallest value of a type that still fails, found by leaving out members and items, shortening strings and moving numbers
 * towards zero. `stillFails` is called at most `budget` times, only with values of the type; for the same results, the calls and their
 * order are the same. Returns `value` itself if nothing smaller fails.
 */
export async function shrinkValue(
  type: TypeNode,
  types: NamedTypes,
  value: unknown,
  stillFails: (candidate: unknown) => Promise<boolean>,
  budget: number,
): Promise<unknown> {
  const tried = new Set([canonicalText(value)]);
  let smallest = value;
  let left = budget;
  /** The greatest number that does not fail: smaller ones rarely do, so that few calls lead to the smallest that does. */
  let passing = -1;
  for (;;) {
    const found = await nextSmaller();
    if (found === undefined) return smallest;
    smallest = found.value;
  }

  /** Returns the first simplification that still fails. */
  async function nextSmaller(): Promise<{ readonly value: unknown } | undefined> {
    for (const candidate of simplificationsOf(smallest, 0)) {
      if (left <= 0) return undefined;
      const text = canonicalText(candidate);
      if (tried.has(text) || !isSimpler(candidate, smallest)) continue;
      if (!isValueOf(type, candidate, types, "request")) continue;
      const number = typeof candidate === "number" && typeof smallest === "number" ? candidate : undefined;
      if (number !== undefined && number >= 0 && number <= passing) continue;
      tried.add(text);
      left -= 1;
      if (await stillFails(candidate)) return { value: candidate };
      if (number !== undefined && number > passing) passing = number;
    }
    return undefined;
  }
}

const maximumDepth = 12;

/** Yields simpler values, the simplest first. */
function* simplificationsOf(value: unknown, depth: number): Iterable<unknown> {
  if (typeof value === "string") yield* simplerTexts(value);
  else if (typeof value === "number") yield* simplerNumbers(value);
  else if (typeof value === "bigint") yield* [0, 1, value / 2n];
  else if (value === true) yield false;
  else if (depth > maximumDepth) return;
  else if (Array.isArray(value)) yield* simplerLists(value, depth);
  else if (kindOf(value) === "record") yield* simplerRecords(value as Readonly<Record<string, unknown>>, depth);
}

function* simplerTexts(text: string): Iterable<string> {
  const characters = [...text];
  const { length } = characters;
  yield "";
  for (let size = Math.floor(length / 2); size >= 1; size = Math.floor(size / 2)) {
    yield characters.slice(0, length - size).join("");
    yield characters.slice(size).join("");
  }
  const plainest = text.replaceAll(/[^a]/gu, "a");
  if (plainest !== text) yield plainest;
  for (const [index, character] of characters.entries()) {
    if (index > 64) return;
    if (character !== "a" && character !== "0") {
      yield characters.with(index, "a").join("");
      yield characters.with(index, "0").join("");
    }
  }
}

function* simplerNumbers(value: number): Iterable<number> {
  yield* [0, 1];
  if (value < 0) yield -value;
  if (!Number.isInteger(value)) yield Math.trunc(value);
  // The steps become smaller: the last candidate is next to the value.
  for (let step = value; Math.abs(step) >= 1; step = Math.trunc(step / 2)) yield Math.trunc(value - step);
}

function* simplerLists(value: readonly unknown[], depth: number): Iterable<unknown> {
  yield [];
  for (let size = Math.floor(value.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; start < value.length; start += size) yield value.toSpliced(start, size);
  }
  for (const [index, item] of value.entries()) {
    for (const simpler of simplificationsOf(item, depth + 1)) yield value.with(index, simpler);
  }
}

function* simplerRecords(value: Readonly<Record<string, unknown>>, depth: number): Iterable<unknown> {
  const entries = Object.entries(value);
  yield {};
  for (const [name] of entries) yield Object.fromEntries(entries.filter(([one]) => one !== name));
  for (const [index, [name, member]] of entries.entries()) {
    for (const simpler of simplificationsOf(member, depth + 1))
      yield Object.fromEntries(entries.with(index, [name, simpler]));
  }
}

/**
 * Returns whether a candidate is simpler than a value. Shrinking terminates because each step leads to a value whose string is shorter, or
 * as long and earlier in order.
 */
function isSimpler(candidate: unknown, value: unknown): boolean {
  const [left, right] = [orderedText(candidate), orderedText(value)];
  return left.length === right.length ? left < right : left.length < right.length;
}

/**
 * Returns a string for comparison: orders `a` before all other characters, `0` next, a minus sign last; `true` counts as longer than
 * `false`.
 */
function orderedText(value: unknown): string {
  const text = canonicalText(value).replaceAll("true", "trueee");
  return text.replaceAll("a", "\u0001").replaceAll("0", "\u0002").replaceAll("-", "\uffff");
}
