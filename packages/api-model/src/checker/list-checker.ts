import type { ListNode } from "../model/type-node.ts";
import { canonicalText } from "../basics/canonical-text.ts";
import type { Check, Checker, Evaluated, Walk } from "./checker.ts";

export interface ListParts {
  readonly prefix: readonly Checker[];
  readonly element: Checker;
  readonly contains: Checker | undefined;
}

/** Checker of lists. */
export class ListChecker implements Checker {
  readonly type: ListNode;
  readonly #parts: ListParts;

  constructor(type: ListNode, parts: ListParts) {
    this.type = type;
    this.#parts = parts;
  }

  matches(value: unknown, check: Check): boolean {
    const { type } = this;
    if (!Array.isArray(value)) return type.isKindImplied === true && value !== undefined;
    if (type.minItems !== undefined && value.length < type.minItems) return false;
    if (type.maxItems !== undefined && value.length > type.maxItems) return false;
    if (!check.enterParts()) return true;
    const isMatch = this.#elementsMatch(value, check) && (type.uniqueItems !== true || areUnique(value));
    check.leaveParts();
    return isMatch;
  }

  #elementsMatch(value: readonly unknown[], check: Check): boolean {
    const { prefix, element } = this.#parts;
    if (element.type.kind !== "any" || prefix.length > 0) {
      for (let index = 0; index < value.length; index += 1) {
        if (!(prefix[index] ?? element).matches(value[index], check)) return false;
      }
    }
    return this.#containsEnough(value, check);
  }

  #containsEnough(value: readonly unknown[], check: Check): boolean {
    const { contains } = this.#parts;
    const wanted = this.type.contains;
    if (contains === undefined || wanted === undefined) return true;
    const cuts = check.cuts;
    const found = this.#countContained(value, contains, check);
    if (check.cuts > cuts) return true;
    return found >= wanted.minimum && (wanted.maximum === undefined || found <= wanted.maximum);
  }

  #countContained(value: readonly unknown[], contains: Checker, check: Check): number {
    let found = 0;
    for (const item of value) if (check.isOf(item, contains)) found += 1;
    return found;
  }

  explain(value: unknown, walk: Walk): void {
    const { type } = this;
    const { prefix, element } = this.#parts;
    if (!Array.isArray(value)) {
      if (type.isKindImplied !== true || value === undefined) walk.report("type", "must be an array", type.place);
      return;
    }
    if (type.minItems !== undefined && value.length < type.minItems)
      walk.report("minItems", `must have at least ${itemsOf(type.minItems)}`, type.place);
    if (type.maxItems !== undefined && value.length > type.maxItems)
      walk.report("maxItems", `must have at most ${itemsOf(type.maxItems)}`, type.place);
    if (!walk.check.enterParts()) return;
    if (type.uniqueItems === true && !areUnique(value))
      walk.report("uniqueItems", "must not have equal items", type.place);
    const known = element.type.kind === "never" ? Math.min(prefix.length, value.length) : value.length;
    if (known < value.length) walk.report("items", `must have at most ${itemsOf(prefix.length)}`, type.place);
    for (let index = 0; index < known; index += 1) {
      walk.inside(index, false, value[index], prefix[index] ?? element);
    }
    this.#explainContains(value, walk);
    walk.check.leaveParts();
  }

  #explainContains(value: readonly unknown[], walk: Walk): void {
    const { contains } = this.#parts;
    const wanted = this.type.contains;
    if (contains === undefined || wanted === undefined || this.#containsEnough(value, walk.check)) return;
    const isMissing = this.#countContained(value, contains, walk.check) < wanted.minimum;
    const count = isMissing ? wanted.minimum : (wanted.maximum ?? 0);
    const kind = "of the kind that it contains";
    walk.report(
      isMissing ? "contains" : "maxContains",
      `must have at ${isMissing ? "least" : "most"} ${itemsOf(count)} ${kind}`,
      contains.type.place ?? this.type.place,
    );
  }

  addEvaluated(value: unknown, check: Check, evaluated: Evaluated): void {
    if (!Array.isArray(value)) return;
    const { prefix, contains } = this.#parts;
    if (this.type.evaluatesAll === true) evaluated.everything = true;
    for (const index of prefix.keys()) evaluated.parts.add(index);
    if (contains === undefined) return;
    for (const [index, item] of value.entries()) if (check.isOf(item, contains)) evaluated.parts.add(index);
  }
}

function itemsOf(count: number): string {
  return count === 1 ? "1 item" : `${count} items`;
}

function areUnique(values: readonly unknown[]): boolean {
  const texts = new Set<string>();
  for (const value of values) {
    const text = canonicalText(value);
    // Two values may differ only below the maximum depth.
    if (texts.has(text) && !text.includes("…")) return false;
    texts.add(text);
  }
  return true;
}
