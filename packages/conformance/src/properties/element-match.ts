import { textOf } from "../compare/list-of.ts";
import { armsOf } from "../compare/member-facts.ts";
import { distanceOf } from "../compare/value-order.ts";
import { type InferredFilter, wordKey } from "../inference/list-filters.ts";
import type { SuiteTypes } from "../suite/suite-type.ts";
import { valuesAt } from "./element-values.ts";

/** How far an element is within a bound: above zero for what is, below for what is not; undefined where it does not show it. */
export function depthWithin({ path, test }: InferredFilter, item: unknown, bound: unknown): number | undefined {
  const [value, ...others] = valuesAt(item, path) ?? [];
  const distance = value === null || value === undefined || others.length > 0 ? undefined : distanceOf(value, bound);
  return distance === undefined ? undefined : test === "minimum" ? distance : -distance;
}

/** Undefined where an element does not show whether it matches. */
export function isMatch(
  { types }: { readonly types: SuiteTypes },
  filter: InferredFilter,
  item: unknown,
  wanted: unknown,
): boolean | undefined {
  const { test, path, type } = filter;
  const values = valuesAt(item, path);
  if (values === undefined) return undefined;
  if (test === "present") {
    // Whether an empty text is a value is left open.
    return values.includes("") ? undefined : values.some((value) => value !== null) === wanted;
  }
  if (isExactMatch(filter, item, wanted)) return true;
  const isOpen = armsOf(type, types).some(({ kind }) => kind === "string");
  if (!isOpen) return false;
  if (values.every((value) => value === null)) return undefined;
  // Texts that are not listed may be searched for, in either case.
  const texts = values.map((value) => textOf(value).toLowerCase());
  const parts = (Array.isArray(wanted) ? wanted : [wanted]).map((value) => textOf(value).toLowerCase());
  return texts.some((text) => parts.some((part) => (test === "prefix" ? text.startsWith(part) : text.includes(part))));
}

/** Whether an element has just what is called for; of several values, any. */
export function isExactMatch({ test, path, type }: InferredFilter, item: unknown, wanted: unknown): boolean {
  const values = valuesAt(item, path) ?? [];
  const isListed = type.kind === "enumeration";
  if (test === "present") return values.some((value) => value !== null && value !== "") === wanted;
  if (test === "contains" || test === "prefix") {
    const part = String(wanted);
    return values.some((value) => (test === "prefix" ? String(value).startsWith(part) : String(value).includes(part)));
  }
  const all: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted];
  return values.some((value) => all.some((one) => isEqual(one, value, isListed)));
}

export function isEqual(left: unknown, right: unknown, areWords: boolean): boolean {
  if (textOf(left) === textOf(right)) return true;
  return areWords && typeof left === "string" && typeof right === "string" && wordKey(left) === wordKey(right);
}
