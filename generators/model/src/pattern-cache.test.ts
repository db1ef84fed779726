import { expect, test } from "vitest";
import { patternMatches } from "./pattern-cache.ts";

test("a pattern matches anywhere in a text, whether or not it repeats groups", () => {
  expect([patternMatches("b+", "abc"), patternMatches("^b", "abc")]).toEqual([true, false]);
  expect([patternMatches("^(?:ab)+$", "abab"), patternMatches("^(?:ab)+$", "aba")]).toEqual([true, false]);
  expect(patternMatches("^(?:\\u{1F600}){2}$", "😀😀")).toBe(true);
});

test.each(["^(a+)+$", "^(a|a)*$", "^a*a*a*a*a*a*a*a*a*a*a*a*a*$"])(
  "a search without end is given up: %s",
  (pattern) => {
    const start = performance.now();
    for (let count = 0; count < 20; count += 1) patternMatches(pattern, `${"a".repeat(60)}!`);
    expect(performance.now() - start).toBeLessThan(2000);
  },
);
