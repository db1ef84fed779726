import { parsePattern } from "@nodewright/runtime/patterns";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PositionAutomaton, positionAutomaton } from "./position-automaton.ts";

function automatonOf(source: string): PositionAutomaton {
  const automaton = positionAutomaton(parsePattern(source));
  if (automaton === undefined) throw new Error(`${source} has too many atoms`);
  return automaton;
}

/** Returns each transition as `from-to`, with `*2` if there are several ways. */
function stepsOf({ positions }: PositionAutomaton): readonly string[] {
  return positions.flatMap(({ follow }, from) =>
    [...follow].map(([to, ways]) => `${from}-${to}${ways === 1 ? "" : `*${ways}`}`).toSorted(),
  );
}

/** Returns all words of up to `length` of the automaton's characters. */
function wordsOf(characters: readonly string[], length: number): readonly string[] {
  let longest = [""];
  const words = [""];
  for (let count = 0; count < length; count += 1) {
    longest = longest.flatMap((word) => characters.map((character) => word + character));
    words.push(...longest);
  }
  return words;
}

/** Returns whether the automaton can read a word. */
function canRead({ positions, first, characters }: PositionAutomaton, word: string): boolean {
  let next: Iterable<number> = first;
  for (const character of word) {
    const bit = 1 << characters.indexOf(character);
    const here = [...next].filter((position) => ((positions[position]?.classes ?? 0) & bit) !== 0);
    if (here.length === 0) return false;
    next = new Set(here.flatMap((position) => [...(positions[position]?.follow.keys() ?? [])]));
  }
  return true;
}

describe("the automaton of a pattern", () => {
  it.each<[string, readonly number[], readonly string[]]>([
    ["^ab$", [0], ["0-1"]],
    ["^a*b$", [0, 1], ["0-0", "0-1"]],
    ["^a+b$", [0], ["0-0", "0-1"]],
    ["^a?b?c$", [0, 1, 2], ["0-1", "0-2", "1-2"]],
    ["^(?:a|b)c$", [0, 1], ["0-2", "1-2"]],
    ["^(?:a|b?)c$", [0, 1, 2], ["0-2", "1-2"]],
    ["^a{3}b$", [0], ["0-1", "1-2", "2-3"]],
    ["^a{1,3}b$", [0], ["0-1", "0-2", "0-3", "1-2", "1-3", "2-3"]],
    ["^a{0,2}b$", [0, 1, 2], ["0-1", "0-2", "1-2"]],
    ["^a{4}$", [0], ["0-1", "1-2", "2-3"]],
    ["^a{5}b$", [0], ["0-0", "0-1"]],
    ["^a{0,5}b$", [0, 1], ["0-0", "0-1"]],
    ["^(?:a*)*$", [0], ["0-0*2"]],
    ["^(?:(?:a*)*)*$", [0], ["0-0*2"]],
    ["^(?:a?)+$", [0], ["0-0"]],
    ["^(?:a?){2,}$", [0], ["0-0*2"]],
    ["^(?:a){2,}$", [0], ["0-0"]],
    ["^(a)\\1b$", [0], ["0-1", "0-2", "1-2"]],
    ["^(a\\1)b$", [0], ["0-1"]],
    ["^a(?=b)c$", [0], ["0-1", "0-2"]],
    ["ab", [0, 2], ["0-1", "2-0", "2-2"]],
  ])("%s has the places to begin and the steps of Glushkov's construction", (source, first, steps) => {
    const automaton = automatonOf(source);
    expect([automaton.first, stepsOf(automaton)]).toEqual([first, steps]);
  });

  it("reads what texts that match begin with, and nothing else", () => {
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.constantFrom("a", "b", "[ab]", "[^b]"),
        fc.tuple(tie("tree"), tie("tree")).map(([left, right]) => `${left}${right}`),
        fc.tuple(tie("tree"), tie("tree")).map(([left, right]) => `(?:${left}|${right})`),
        fc
          .tuple(tie("tree"), fc.constantFrom("*", "+", "?", "{2}", "{0,2}"))
          .map(([body, turns]) => `(${body})${turns}`),
      ),
    }));
    fc.assert(
      fc.property(tree, (inside) => {
        const source = `^(?:${inside})$`;
        const automaton = automatonOf(source);
        // A string that starts with three characters may need one more for each atom.
        fc.pre(automaton.positions.length <= 5);
        expect([automaton.isExact, automaton.isComplete]).toEqual([true, true]);
        const expression = new RegExp(source, "u");
        const matching = wordsOf(automaton.characters, 8).filter((word) => expression.test(word));
        const beginnings = new Set(matching.map((word) => word.slice(0, 3)));
        for (const word of wordsOf(automaton.characters, 3)) {
          const isBeginning = [...beginnings].some((beginning) => beginning.startsWith(word));
          expect([source, word, canRead(automaton, word)]).toEqual([source, word, isBeginning]);
        }
      }),
    );
  });

  it.each(["^a$", "a", "^a", "a$", "^(?:ab)*$", "^a{4}$", "^a{2,4}$", "^a+$", "^(a)(b)$", "^(?:a|[^b])?$"])(
    "%s is modelled exactly",
    (source) => {
      expect(automatonOf(source).isExact).toBe(true);
    },
  );

  it.each([
    "^a{5}$",
    "^a{0,5}$",
    "^a{2,}$",
    "\\ba",
    "^a\\b$",
    "^(a)\\1$",
    "^(?=a)a$",
    "(?<!a)b",
    "^(?:^a)$",
    "^a$b$",
    "^a^a$",
    "^(?:a\\B)*$",
    "^(?:a{5}|b)$",
  ])("%s is not modelled exactly", (source) => {
    expect(automatonOf(source).isExact).toBe(false);
  });

  it("has one character for each kind that its atoms distinguish, letters and digits first", () => {
    expect(automatonOf("^[a-f]+$").characters).toEqual(["a", "g"]);
    expect(automatonOf("^[a-f]+[f-h]$").characters).toEqual(["a", "f", "g", "i"]);
    expect(automatonOf("^[^a-z0-9]$").characters).toEqual(["a", "A"]);
    expect(automatonOf("^\\s$").characters).toEqual(["a", " "]);
    expect(automatonOf("^[\\u0100-\\u0105]$").characters).toEqual(["a", "Ā"]);
    expect(automatonOf("^[\\u{4e00}-\\u{4e10}]\\x7f$").characters).toEqual(["a", "\x7f", "一"]);
    expect(automatonOf("^[ぁ-ん]$").characters).toEqual(["a", "あ"]);
  });

  it("is incomplete where some kinds of characters were not tried", () => {
    const letters = [..."abcdefghijklmnopqrstuvwxyz"];
    const withClasses = (count: number): string => `^${[...letters, ..."0123456789"].slice(0, count - 1).join("")}$`;
    expect([30, 31].map((count) => automatonOf(withClasses(count)).isComplete)).toEqual([true, false]);
    expect(automatonOf(withClasses(31)).characters).toHaveLength(30);
    for (const source of ["^[a-z]$", "^é$", "^[à-ü]ÿ$", "^\\p{L}$", "^\\p{L}[a-z]$", "^\\p{L}+\\p{L}$", "^(?i:k)$"])
      expect([source, automatonOf(source).isComplete]).toEqual([source, true]);
    for (const source of [
      "^\\p{Script=Thai}$",
      "^\\p{L}\\p{Lu}$",
      "^\\p{L}é$",
      "^\\p{L}\\xe9$",
      "^\\p{L}\\u00e9$",
      "^\\p{L}\\u{e9}$",
      "^(?i:\\xe9)$",
      "^\\u{1F600}$",
      "^😀$",
      "^(?i:ω)$",
      "^[\\u{1F600}-\\u{1F64F}]$",
    ])
      expect([source, automatonOf(source).isComplete]).toEqual([source, false]);
  });

  it("is none for a pattern of more than 120 atoms", () => {
    const ofAtoms = (count: number) => positionAutomaton(parsePattern(`^${"a".repeat(count)}$`));
    expect(ofAtoms(120)?.positions).toHaveLength(120);
    expect(ofAtoms(121)).toBeUndefined();
    expect(positionAutomaton(parsePattern("a".repeat(120)))?.positions).toHaveLength(121);
  });
});
