import { parsePattern } from "@nodewright/runtime/patterns";
import { describe, expect, it } from "vitest";
import { countSteps } from "./counting-matcher.ts";

const enough = 1_000_000;

describe("the steps of a backtracking engine", () => {
  it.each([
    ["^abc", "abc", 3, "one for each character that matches"],
    ["^abc", "abd", 3, "one for the character that does not"],
    ["a", "b", 2, "one for the end of the text, at each place where a match might begin"],
    ["b", "aab", 3, "no more once a match is found"],
    ["x*$", "ab", 3, "also where only the end of the text is left"],
    ["$", "ab", 0, "none for an assertion about a place"],
    ["\\bb", "a b", 3, "only where a word begins or ends"],
    ["\\Bb", "ab", 1, "only inside a word"],
    ["^a*$", "aaa", 4, "as many turns as there are, and the one that fails"],
    ["^a*?$", "aaa", 3, "as few turns as are needed"],
    ["^a{2}$", "aa", 2, "the turns that have to be"],
    ["^a{2,3}$", "aa", 3, "one turn more than has to be"],
    ["^a{1,2}$", "aaa", 2, "no turn beyond the last one allowed"],
    ["^(?:a?)*$", "a", 2, "no further turn after an optional one that matched nothing"],
    ["^(?:a?){3}$", "", 3, "turns that match nothing while some have to be"],
    ["^(?:a|ab)$", "ab", 3, "the second option after the first"],
    ["^(?:a|b)$", "a", 1, "no second option after the first matched"],
    ["(?=ab)a", "ab", 3, "what is looked at ahead, and again what matches"],
    ["^(?!b)a", "a", 2, "what must not be ahead"],
    ["^(?!a)a", "a", 1, "nothing after what must not be ahead"],
    ["(?<=ab)c", "abc", 5, "what is looked at behind, from its end"],
    ["(?<!a)b", "ab", 5, "what must not be behind"],
  ])("for %s in %j are %d: %s", (source, text, steps) => {
    expect(countSteps(parsePattern(source), text, enough)).toBe(steps);
  });

  it.each([
    ["^(a+)\\1$", "aa", 6, "as many as the group has characters"],
    ["^(?:(a)|b)\\1$", "b", 2, "none for a group that matched nothing"],
    ["^(?:(a)x|a)\\1b$", "ab", 4, "none for a group whose match was taken back"],
    ["^(?:(a|b))+\\1$", "abb", 9, "those of the turn before when the last turn was taken back"],
    ["(?<=(ab))\\1", "abab", 6, "those of a group that was read backward"],
    ["(?<=\\1(a))b", "aab", 6, "read backward themselves"],
    ["(?<=\\1(a))b", "abc", 5, "not found before the text begins"],
    ["^(?:(?<n>a)|(?<n>b))\\k<n>$", "bb", 3, "those of the group of that name that matched"],
  ])("for a back-reference, %s in %j, are %d: %s", (source, text, steps) => {
    expect(countSteps(parsePattern(source), text, enough)).toBe(steps);
  });

  it("are counted up to a maximum", () => {
    const pattern = parsePattern("^a{5}$");
    expect([4, 5, 6].map((maximum) => countSteps(pattern, "aaaaa", maximum))).toEqual([4, 5, 5]);
    expect(countSteps(parsePattern("^(a+)+$"), `${"a".repeat(40)}!`, 1000)).toBe(1000);
  });

  it("are the maximum where a text fills the stack", () => {
    expect(countSteps(parsePattern("^(?:a|b)*$"), "a".repeat(200_000), enough)).toBe(enough);
  });
});
