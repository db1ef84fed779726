/** A pattern that is ready to be matched. */
export interface TextPattern {
  test(text: string): boolean;
}

/** Makes a pattern of ECMA-262; throws a `SyntaxError` for one that is none. */
export type PatternMaker = (pattern: string, flags: "u" | "") => TextPattern;

/**
 * Whether a pattern matches somewhere in a text (JSON Schema 2020-12, section 6.4). What can't be checked counts as matching: a
 * pattern that is none of ECMA-262, a text of many megabytes.
 */
export type PatternMatcher = (pattern: string, text: string) => boolean;

/** Longer texts are not checked against a pattern. UTF-16 units. */
const maximumSubject = 4_000_000;

/** Makes a matcher that keeps its patterns. This package has no engine for patterns of its own, and takes the caller's. */
export function patternMatcher(make: PatternMaker): PatternMatcher {
  const patterns = new Map<string, TextPattern>();
  return (pattern, text) => {
    const known = patterns.get(pattern) ?? lenientPattern(pattern, make);
    patterns.set(pattern, known);
    return text.length > maximumSubject || known.test(text);
  };
}

/** Documents are written for engines that are not all as strict as the `u` flag is. */
function lenientPattern(pattern: string, make: PatternMaker): TextPattern {
  for (const flags of ["u", ""] as const) {
    try {
      return make(pattern, flags);
    } catch (reason) {
      if (!(reason instanceof SyntaxError)) throw reason;
    }
  }
  return { test: () => true };
}
