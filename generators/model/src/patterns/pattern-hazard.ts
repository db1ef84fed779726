import { backtrackingBound, childrenOf, parsePattern, type PatternNode } from "@nodewright/runtime/patterns";
import { countSteps } from "./counting-matcher.ts";
import { type PositionAutomaton, positionAutomaton } from "./position-automaton.ts";
import { findPumpWords, type PumpWord } from "./pump-words.ts";

/** Why a pattern is not left to a backtracking engine. */
export interface PatternHazard {
  /** How the time grows with the length of the text; `unknown` where the analysis can neither show nor exclude that it grows too fast. */
  readonly growth: "exponential" | "polynomial" | "unknown";
  /** A text that shows it, as an expression of JavaScript. Undefined where the growth is unknown. */
  readonly attack: string | undefined;
  /** Whether the pattern compares with a group: the runtime's linear matcher then lets any text of that group match. */
  readonly hasBackReference: boolean;
}

const hazards = new Map<string, PatternHazard | undefined>();

/**
 * Finds out whether a backtracking engine may take time that grows faster than in proportion to the text. An engine that counts its steps
 * shows it for a candidate; the result is the same on every machine. A candidate that it does not show counts as refuted only where the
 * analysis reads the pattern exactly. Results are kept by the pattern's text.
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
  const tried = words.slice(0, maximumWords);
  const found = findAttack(pattern, tried, [...foreignSuffixes(automaton), ...automaton.characters]);
  if (found !== undefined) return found;
  const isRefuted = words.length === 0 || (tried.length === words.length && automaton.isExact);
  return isComplete && automaton.isComplete && isRefuted ? undefined : { growth: "unknown", attack: undefined };
}

const maximumWords = 60;

/** Characters that a pattern most likely has nothing for. */
const foreignCharacters = ["!", "\n", "\0", "\uffff"];

/** A bounded repetition, which the automaton may have as one place, most likely takes fewer characters. */
const leastLongSuffix = 20;

/** Ends of an attack: none, one character, and more than the pattern has places for, because it may take a few of any character. */
function foreignSuffixes({ positions }: PositionAutomaton): readonly string[] {
  const length = Math.max(leastLongSuffix, positions.length + 1);
  return ["", ...foreignCharacters, ...foreignCharacters.map((character) => character.repeat(length))];
}

/** Looks for what takes exponential time, which few characters show, and then for anything. */
function findAttack(
  pattern: PatternNode,
  words: readonly PumpWord[],
  suffixes: readonly string[],
): Finding | undefined {
  for (const doublings of [fewDoublings, manyDoublings]) {
    for (const word of words) {
      for (const suffix of suffixes) {
        const attack = attackOf(pattern, word, suffix, doublings);
        if (attack?.growth === "exponential" || (doublings === manyDoublings && attack !== undefined)) return attack;
      }
    }
  }
  return undefined;
}

/** Times that the length of an attack is doubled. */
const [fewDoublings, manyDoublings] = [2, 6];

/** Steps after which counting ends. */
const maximumSteps = 300_000;

/** Twice the text takes at least this many times the steps: twice in proportion, four times where the growth is quadratic. */
const superlinear = 2.8;

/** No polynomial of the fifth degree grows as much when the text is doubled. */
const exponential = 40;

/** Doubles an attack of about six characters until it takes too many steps or is long enough to say how they grow. */
function attackOf(
  pattern: PatternNode,
  { prefix, pump }: PumpWord,
  suffix: string,
  doublings: number,
): Finding | undefined {
  let count = Math.ceil(6 / pump.length);
  const stepsOf = (): number => countSteps(pattern, prefix + pump.repeat(count) + suffix, maximumSteps);
  let before = stepsOf();
  let growth = before < maximumSteps ? 0 : exponential;
  for (let doubling = 0; doubling < doublings && before < maximumSteps; doubling += 1) {
    count *= 2;
    const steps = stepsOf();
    growth = steps < maximumSteps || doubling > 0 ? steps / Math.max(1, before) : exponential;
    if (growth >= exponential) break;
    before = steps;
  }
  if (growth >= exponential)
    return { growth: "exponential", attack: JSON.stringify(prefix + pump.repeat(Math.max(30, count)) + suffix) };
  return growth < superlinear && before < maximumSteps ? undefined : polynomialAttack(prefix, pump, suffix);
}

function polynomialAttack(prefix: string, pump: string, suffix: string): Finding {
  const repeated = `${JSON.stringify(pump)}.repeat(${Math.ceil(100_000 / pump.length)})`;
  const parts = [JSON.stringify(prefix), repeated, JSON.stringify(suffix)].filter((part) => part !== '""');
  return { growth: "polynomial", attack: parts.join(" + ") };
}
