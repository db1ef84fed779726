import { linearPattern, type TextPattern } from "@nodewright/runtime/patterns";

const patterns = new Map<string, TextPattern>();

/**
 * Whether a pattern of JSON Schema matches somewhere in a text (2020-12, section 6.4). Takes linear time, whatever pattern a hostile
 * document brings.
 */
export function patternMatches(pattern: string, text: string): boolean {
  const known = patterns.get(pattern) ?? linearPattern(pattern);
  patterns.set(pattern, known);
  return known.test(text);
}
