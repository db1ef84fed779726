import { backtrackingBound, childrenOf, parsePattern, type PatternNode } from "@nodewright/runtime/patterns";
import { countSteps } from "./counting-matcher.ts";
import { positionAutomaton } from "./position-automaton.ts";
import { findPumpWords, type PumpWord } from "./pump-words.ts";

/** Why a pattern is not left to a backtracking engine. */
export interface PatternHazard {
  /** How the time grows with the length of the text; `unknown` where the pattern is too large to be analysed. */
  readonly growth: "exponential" | "polynomial" | "unknown";
  /** A text that shows it, as an expression of JavaScript. Undefined where the growth is unknown. */
  readonly attack: string | undefined;
  /** Whether the pattern compares with a group: the runtime's linear matcher then lets any text of that group match. */
  readonly hasBackReference: boolean;
}

const hazards = new Map<string, PatternHazard | undefined>();

/**
 * Finds out whether a backtracking engine may take time that grows faster than in proportion to the text. A candidate counts only when an
 * engine that counts its steps shows it; the result is the same on every machine. Results are kept by the pattern's text.
 */
export function patternHazard(source: string, flags: "" | "u" = "u"): PatternHazard | undefined {
  const key = `${flags} ${source}`;
  if (!hazards.has(key)) {
    const pattern = parsePattern(source, flags);
    const found = findHazard(pattern);
    hazards.set(key, found && { ...found, hasBackReference: hasBackReference(pattern) });
  }
  return hazards.get(key);
}

function hasBackReference(node: PatternNode): boolean {
  return node.kind === "back-reference" || childrenOf(node).some(hasBackReference);
}

type Finding = Omit<PatternHazard, "hasBackReference">;

/** Ways to match that are tried without harm: for a text of any length, and for each character of one. */
const harmlessTries = [100_000, 1_000];

function findHazard(pattern: PatternNode): Finding | undefined {
  const bound = backtrackingBound(pattern);
  if (bound !== undefined && bound.factor <= (harmlessTries[bound.degree] ?? 0)) return undefined;
  const automaton = positionAutomaton(pattern);
  if (automaton === undefined) return { growth: "unknown", attack: undefined };
  const { words, isComplete } = findPumpWords(automaton);
  const suffixes = ["", ...foreignCharacters(pattern), ...automaton.characters];
  for (const growth of [exponentialGrowth, polynomialGrowth]) {
    for (const word of words.slice(0, maximumWords)) {
      const attack = suffixes.map((suffix) => growth(pattern, word, suffix)).find((each) => each !== undefined);
      if (attack !== undefined) return attack;
    }
  }
  return isComplete ? undefined : { growth: "unknown", attack: undefined };
}

const maximumWords = 60;

/** Characters that end an attack best: ones that the pattern has nothing for. */
function foreignCharacters(pattern: PatternNode): readonly string[] {
  return ["!", "\n", "\0", "\uffff"].filter((character) => countSteps(pattern, character, 10) < 10);
}

/** Steps of which a text of a few characters needs far fewer unless each character doubles them. */
const exponentialSteps = 50_000;

function exponentialGrowth(pattern: PatternNode, { prefix, pump }: PumpWord, suffix: string): Finding | undefined {
  const count = Math.ceil(30 / pump.length);
  const text = prefix + pump.repeat(count) + suffix;
  if (countSteps(pattern, text, exponentialSteps) < exponentialSteps) return undefined;
  return { growth: "exponential", attack: JSON.stringify(text) };
}

/** Twice the text takes at least this many times the steps: twice in proportion, four times where the growth is quadratic. */
const superlinear = 2.8;

/** Steps after which counting ends: for the shorter text a quadratic pattern needs a tenth. */
const polynomialSteps = 500_000;

function polynomialGrowth(pattern: PatternNode, { prefix, pump }: PumpWord, suffix: string): Finding | undefined {
  const stepsOf = (length: number): number =>
    countSteps(pattern, prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix, polynomialSteps);
  const [short, long] = [stepsOf(150), stepsOf(300)];
  if (long < superlinear * short) return undefined;
  const repeated = `${JSON.stringify(pump)}.repeat(${Math.ceil(100_000 / pump.length)})`;
  const parts = [JSON.stringify(prefix), repeated, JSON.stringify(suffix)].filter((part) => part !== '""');
  return { growth: "polynomial", attack: parts.join(" + ") };
}
