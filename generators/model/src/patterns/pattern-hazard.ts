import { backtrackingBound, childrenOf, parsePattern, type PatternNode } from "@nodewright/runtime/patterns";
import { countSteps } from "./counting-matcher.ts";
import { type PositionAutomaton, positionAutomaton } from "./position-automaton.ts";
import { findPumpWords, type PumpWord } from "./pump-words.ts";

/** Reason why a pattern must not run on a backtracking engine. */
export interface PatternHazard {
  /** Growth of the time with the length of the string; `unknown` if the analysis can neither show nor exclude that it grows too fast. */
  readonly growth: "exponential" | "polynomial" | "unknown";
  /** A string that demonstrates it, as a JavaScript expression; undefined if the growth is unknown. */
  readonly attack: string | undefined;
  /** Whether the pattern has a back-reference: the runtime's linear matcher then accepts any string that the group can match. */
  readonly hasBackReference: boolean;
}

const hazards = new Map<string, PatternHazard | undefined>();

/**
 * Determines whether the time of a backtracking engine may grow faster than linearly with the length of the string. Candidates are
 * confirmed by counting the steps of an engine; the result is the same on every machine. A candidate that is not confirmed is only excluded
 * if the analysis models the pattern exactly. Results are cached by pattern.
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

/** Harmless number of attempts to match: for a string of any length, and per character. */
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

/** Characters that most patterns do not match. */
const foreignCharacters = ["!", "\n", "\0", "\uffff"];

/** Minimum length of a long suffix. A bounded repetition, which may be one position of the automaton, usually takes fewer characters. */
const minimumLongSuffix = 20;

/**
 * Returns suffixes of an attack: none, one character, and more characters than the pattern has positions, because it may match a few of any
 * character.
 */
function foreignSuffixes({ positions }: PositionAutomaton): readonly string[] {
  const length = Math.max(minimumLongSuffix, positions.length + 1);
  return ["", ...foreignCharacters, ...foreignCharacters.map((character) => character.repeat(length))];
}

/** Searches for exponential growth, which few characters demonstrate, and then for any excessive growth. */
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

/** Number of times that the length of an attack is doubled. */
const [fewDoublings, manyDoublings] = [2, 6];

/** Number of steps at which counting stops. */
const maximumSteps = 300_000;

/**
 * Minimum factor of the steps for superlinear growth when the length is doubled: the factor is two for linear growth, four for quadratic
 * growth.
 */
const superlinear = 2.8;

/** Minimum factor of the steps for exponential growth when the length is doubled. Polynomials up to the fifth degree have a smaller one. */
const exponential = 40;

/** Doubles an attack of about six characters until it takes too many steps, or until its growth is known. */
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
