import { parsePattern } from "@nodewright/runtime/patterns";
import { describe, expect, it } from "vitest";
import { type PositionAutomaton, positionAutomaton } from "./position-automaton.ts";
import { findPumpWords, type PumpWord } from "./pump-words.ts";

function automatonOf(source: string): PositionAutomaton {
  const automaton = positionAutomaton(parsePattern(source));
  if (automaton === undefined) throw new Error(`${source} has too many atoms`);
  return automaton;
}

/** Returns the number of ways in which an automaton can read a string. */
function countRuns({ positions, first, characters }: PositionAutomaton, text: string): number {
  let runs = new Map(first.map((position) => [position, 1]));
  let count = 1;
  for (const character of text) {
    const bit = 1 << characters.indexOf(character);
    const next = new Map<number, number>();
    count = 0;
    for (const [position, ways] of runs) {
      const here = positions[position];
      if (here === undefined || (here.classes & bit) === 0) continue;
      count += ways;
      for (const [to, steps] of here.follow) next.set(to, (next.get(to) ?? 0) + ways * steps);
    }
    runs = next;
  }
  return count;
}

describe("words that a pattern reads in several ways", () => {
  it.each<[string, readonly PumpWord[]]>([
    ["^(?:a*)*$", [{ prefix: "a", pump: "a" }]],
    ["^(?:a?){2,}$", [{ prefix: "a", pump: "a" }]],
    ["^a*a*$", [{ prefix: "a", pump: "a" }]],
    ["^xa*a*$", [{ prefix: "xa", pump: "a" }]],
    ["^(?:a|a)*$", [{ prefix: "a", pump: "a" }]],
    ["^(?:bbba*a*|a*a*)$", [{ prefix: "a", pump: "a" }]],
    ["^[ab]*[bc]*$", [{ prefix: "a", pump: "b" }]],
    ["^a*ba*$", []],
    ["^\\p{Script=Thai}a*a*$", []],
    ["^b\\p{Script=Thai}a*a*$", []],
    ["^(?:a|b\\p{Script=Thai})a*a*$", [{ prefix: "aa", pump: "a" }]],
    ["^a*ba*(?:ca*ca*)?$", []],
    ["^[a-z]*[0-9]*$", []],
    ["^(?:ab)*$", []],
    ["^(?:a|b)*$", []],
    ["^ab$", []],
    [
      "^x(?:ab|ab)*$",
      [
        { prefix: "xa", pump: "ba" },
        { prefix: "xab", pump: "ab" },
      ],
    ],
    ["b*c", [{ prefix: "a", pump: "b" }]],
  ])("%s has these, each with the shortest way to it", (source, words) => {
    const found = findPumpWords(automatonOf(source));
    expect(found.words.toSorted((left, right) => (left.pump < right.pump ? 1 : -1))).toEqual(words);
    expect(found.isComplete).toBe(true);
  });

  it.each([
    "^(a+)+$",
    "^(a|ab|b)*$",
    "^(\\d+|\\d+\\.\\d+)*$",
    "(x+x+)+y",
    "^((\\d{3})+,?)*$",
    "^(?:abc|abc)*$",
    "^.*a.*b.*$",
    "^[a-c]*b[b-d]*$",
    "^(?:a(?:bc)?|ab|c)*$",
    "^(?:aa|aaa)*$",
    "\\s+$",
  ])("%s takes in more ways with each repetition", (source) => {
    const automaton = automatonOf(source);
    const { words } = findPumpWords(automaton);
    expect(words.length).toBeGreaterThan(0);
    for (const { prefix, pump } of words) {
      const runs = [2, 4, 6].map((count) => countRuns(automaton, prefix + pump.repeat(count)));
      expect(runs[0]).toBeGreaterThan(0);
      expect(runs[1]).toBeGreaterThan(runs[0] ?? 0);
      expect(runs[2]).toBeGreaterThan(runs[1] ?? 0);
    }
  });

  it("are searched for no further than a bound", () => {
    const many = `^(?:${"[a-c]".repeat(100)}|${"[b-d]".repeat(19)})*$`;
    expect(findPumpWords(automatonOf(many)).isComplete).toBe(false);
  });
});
