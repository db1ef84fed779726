import type { StringNode } from "../model/type-node.ts";
import type { PatternMatcher } from "../basics/pattern.ts";
import type { Check, Checker, Walk } from "./checker.ts";
import type { CheckOptions } from "./violation.ts";

/** Checker of strings. Formats are not asserted. */
export class TextChecker implements Checker {
  readonly type: StringNode;
  readonly #matchesPattern: PatternMatcher;

  constructor(type: StringNode, { matchesPattern }: CheckOptions) {
    this.type = type;
    this.#matchesPattern = matchesPattern;
  }

  matches(value: unknown, _check: Check): boolean {
    const { minLength, maxLength, pattern, isKindImplied } = this.type;
    if (typeof value !== "string") return isKindImplied === true && value !== undefined;
    if (minLength !== undefined && isShorter(value, minLength)) return false;
    if (maxLength !== undefined && isLonger(value, maxLength)) return false;
    return pattern === undefined || this.#matchesPattern(pattern, value);
  }

  explain(value: unknown, walk: Walk): void {
    if (this.matches(value, walk.check)) return;
    const { minLength, maxLength, pattern, place } = this.type;
    if (typeof value !== "string") {
      walk.report("type", "must be a string", place);
      return;
    }
    if (minLength !== undefined && isShorter(value, minLength))
      walk.report("minLength", `must have at least ${charactersOf(minLength)}`, place);
    if (maxLength !== undefined && isLonger(value, maxLength))
      walk.report("maxLength", `must have at most ${charactersOf(maxLength)}`, place);
    if (pattern !== undefined && !this.#matchesPattern(pattern, value))
      walk.report("pattern", `must match the pattern ${pattern}`, place);
  }

  addEvaluated(): void {}
}

function charactersOf(count: number): string {
  return count === 1 ? "1 character" : `${count} characters`;
}

/**
 * Returns whether a string has fewer characters than a minimum. A character has one or two UTF-16 units, so most strings need not be
 * counted.
 */
function isShorter(text: string, minimum: number): boolean {
  return text.length < minimum || (text.length < 2 * minimum && lengthOf(text) < minimum);
}

function isLonger(text: string, maximum: number): boolean {
  return text.length > maximum && (text.length > 2 * maximum || lengthOf(text) > maximum);
}

function lengthOf(text: string): number {
  let length = 0;
  for (const _character of text) length += 1;
  return length;
}
