import type { StringNode } from "@nodewright/model";
import fc from "fast-check";

/** Texts of the formats that documents name most. */
const textOfFormat: Readonly<Record<string, string>> = {
  "date-time": "2026-01-02T03:04:05Z",
  date: "2026-01-02",
  time: "03:04:05Z",
  email: "someone@example.com",
  uri: "https://example.com/a",
  url: "https://example.com/a",
  uuid: "7f2c1a6e-3b1d-4f0e-9a52-0f2d4c6b8e10",
  ipv4: "192.0.2.1",
  hostname: "example.com",
};

/** Texts that are meant to match a type, the plainest first, the same ones in every run. */
export function* sampleTexts({ format = "", minLength = 0, maxLength, pattern }: StringNode): Generator<string> {
  const fitted = (text: string): string => text.padEnd(minLength, "x").slice(0, maxLength);
  const text = textOfFormat[format] ?? "text";
  yield fitted(text);
  // Several that differ, for lists that hold each value once.
  if (pattern === undefined) for (let index = 2; index < 10; index += 1) yield fitted(`${index}${text}`);
  else for (const matching of textsOfPattern(pattern)) yield* [matching, fitted(matching)];
}

const textsOfPatterns = new Map<string, readonly string[]>();

/** Texts that match a pattern: printable and short ones first, because not every text can stand in a header. None for patterns that look around. */
export function textsOfPattern(pattern: string): readonly string[] {
  const known = textsOfPatterns.get(pattern);
  if (known !== undefined) return known;
  const texts = new Set(matchingTexts(pattern));
  const ordered = [...texts].toSorted((left, right) => oddness(left) - oddness(right));
  textsOfPatterns.set(pattern, ordered);
  return ordered;
}

function matchingTexts(pattern: string): readonly string[] {
  try {
    return fc.sample(fc.stringMatching(new RegExp(pattern, "u")), { numRuns: 100, seed: 1 });
  } catch {
    return [];
  }
}

function oddness(text: string): number {
  return (/^[!-~](?:[ -~]*[!-~])?$/.test(text) ? 0 : 1e6) + text.length;
}
