import { linearPattern, type TextPattern } from "@nodewright/runtime/patterns";

const patterns = new Map<string, TextPattern>();

/** Longer texts are not checked against a pattern. UTF-16 units. */
const maximumSubject = 4_000_000;

/**
 * Whether a pattern matches somewhere in a text (JSON Schema 2020-12, section 6.4), in time that is linear in the text. What can't be
 * checked counts as matching: a pattern that is none of ECMA-262, a text of many megabytes.
 */
export function patternMatches(pattern: string, text: string): boolean {
  const known = patterns.get(pattern) ?? createPattern(pattern);
  patterns.set(pattern, known);
  return text.length > maximumSubject || known.test(text);
}

/** Descriptions are written for engines that are not all as strict as the `u` flag is. */
function createPattern(pattern: string): TextPattern {
  for (const flags of ["u", ""] as const) {
    try {
      return linearPattern(pattern, flags);
    } catch (reason) {
      if (!(reason instanceof SyntaxError)) throw reason;
    }
  }
  return { test: () => true };
}
