/** A compiled pattern. */
export interface TextPattern {
  test(text: string): boolean;
}

/** Compiles an ECMA-262 pattern; throws a `SyntaxError` for an invalid one. */
export type PatternMaker = (pattern: string, flags: "u" | "") => TextPattern;

/**
 * Returns whether a pattern matches anywhere in a string (JSON Schema 2020-12, section 6.4). Everything that can't be checked counts as
 * matching: an invalid ECMA-262 pattern, a string of many megabytes.
 */
export type PatternMatcher = (pattern: string, text: string) => boolean;

/** Maximum length of a string that is checked against a pattern, in UTF-16 units. */
const maximumSubject = 4_000_000;

/** Creates a matcher that caches its patterns. This package has no regular expression engine, and uses the caller's. */
export function patternMatcher(make: PatternMaker): PatternMatcher {
  const patterns = new Map<string, TextPattern>();
  return (pattern, text) => {
    const known = patterns.get(pattern) ?? lenientPattern(pattern, make);
    patterns.set(pattern, known);
    return text.length > maximumSubject || known.test(text);
  };
}

/** Compiles a pattern, leniently: documents are written for engines that are not all as strict as the `u` flag. */
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
