import { expect, test } from "vitest";
import { linearPattern } from "@nodewright/runtime/patterns";
import { patternMatcher } from "./pattern.ts";

const patternMatches = patternMatcher(linearPattern);

test("matches anywhere in a text, whether or not groups are repeated", () => {
  expect([patternMatches("b+", "abc"), patternMatches("^b", "abc")]).toEqual([true, false]);
  expect([patternMatches("^(?:ab)+$", "abab"), patternMatches("^(?:ab)+$", "aba")]).toEqual([true, false]);
  expect(patternMatches("^(?:\\u{1F600}){2}$", "😀😀")).toBe(true);
});

test.each(["^(a+)+$", "^(a|a)*$", "^a*a*a*a*a*a*a*a*a*a*a*a*a*$"])(
  "rejects a long text that %s does not match",
  (pattern) => {
    expect(patternMatches(pattern, `${"a".repeat(100_000)}!`)).toBe(false);
  },
);
