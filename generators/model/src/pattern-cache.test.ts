import { expect, test } from "vitest";
import { patternMatches } from "./pattern-cache.ts";
import { cpuMillisecondsOf } from "../../../test/support/cpu-time.ts";

test("a pattern matches anywhere in a text, whether or not it repeats groups", () => {
  expect([patternMatches("b+", "abc"), patternMatches("^b", "abc")]).toEqual([true, false]);
  expect([patternMatches("^(?:ab)+$", "abab"), patternMatches("^(?:ab)+$", "aba")]).toEqual([true, false]);
  expect(patternMatches("^(?:\\u{1F600}){2}$", "😀😀")).toBe(true);
});

test.each(["^(a+)+$", "^(a|a)*$", "^a*a*a*a*a*a*a*a*a*a*a*a*a*$"])(
  "a search without end is given up: %s",
  (pattern) => {
    const search = () => {
      for (let count = 0; count < 20; count += 1) patternMatches(pattern, `${"a".repeat(60)}!`);
    };
    expect(cpuMillisecondsOf(search)).toBeLessThan(2000);
  },
);
