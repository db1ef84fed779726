import { backtrackingBound, type BacktrackingBound } from "./backtracking-bound.ts";
import { type Assertion, compilePattern, type CompiledPattern } from "./linear-program.ts";
import { isAtEdge } from "./pattern-edge.ts";
import { ProgramRunner } from "./program-runner.ts";
import { parsePattern } from "./pattern-syntax.ts";

/** Interface of a regular expression for a validator. */
export interface TextPattern {
  /** Returns whether the pattern matches somewhere in the text. */
  test(text: string): boolean;
}

/**
 * Creates a matcher for a regular expression of ECMA-262 in time that is linear in the length of the text. A backtracking engine may need
 * time that doubles with each character (`^(a+)+$`).
 *
 * Short texts are matched by the built-in engine where the pattern bounds the number of its tries, which no pattern with a repeated group
 * does; all others by an automaton. The automaton is equal to `RegExp.prototype.test`, except in two cases, in which more texts match,
 * never fewer: a back-reference matches any text that its group matches (inside of a negative look-around none), and a repetition that
 * would be expanded to more than thousands of characters loses its bounds.
 *
 * @throws SyntaxError when the source is not a regular expression
 */
export function linearPattern(source: string, flags: "" | "u" = "u"): TextPattern {
  return new LinearPattern(source, flags);
}

/** Number of ways that a backtracking engine may try: about a millisecond. */
const maximumTries = 100_000;

class LinearPattern implements TextPattern {
  readonly #source: string;
  readonly #flags: "" | "u";
  readonly #expression: RegExp;
  readonly #bound: BacktrackingBound | undefined;
  #automaton: Automaton | undefined;

  constructor(source: string, flags: "" | "u") {
    this.#source = source;
    this.#flags = flags;
    this.#expression = new RegExp(source, flags);
    this.#bound = backtrackingBound(parsePattern(source, flags));
  }

  test(text: string): boolean {
    const bound = this.#bound;
    if (bound !== undefined && bound.factor * text.length ** bound.degree <= maximumTries)
      return this.#expression.test(text);
    this.#automaton ??= new Automaton(compilePattern(parsePattern(this.#source, this.#flags)), this.#flags === "u");
    return this.#automaton.test(text);
  }
}

/** Maximum code points whose class is cached. */
const maximumKnownCodePoints = 20_000;

/** A compiled pattern with the classes of the characters that it has met. */
class Automaton {
  readonly #pattern: CompiledPattern;
  readonly #isUnicode: boolean;
  readonly #runner: ProgramRunner;
  readonly #assertionRunners: readonly (ProgramRunner | undefined)[];
  /** Classes of characters: those that the same atoms match share one. */
  readonly #classes = new Map<string, number>();
  readonly #classAtoms: boolean[][] = [];
  readonly #knownCodePoints = new Map<number, number>();

  constructor(pattern: CompiledPattern, isUnicode: boolean) {
    this.#pattern = pattern;
    this.#isUnicode = isUnicode;
    this.#runner = new ProgramRunner(pattern.program, this.#classAtoms);
    this.#assertionRunners = pattern.assertions.map((assertion) =>
      assertion.kind === "look" ? new ProgramRunner(assertion.program, this.#classAtoms) : undefined,
    );
  }

  test(text: string): boolean {
    const codePoints = this.#codePointsOf(text);
    const classes = codePoints.map((codePoint) => this.#classOf(codePoint));
    const holds: Uint8Array[] = [];
    for (const [index, assertion] of this.#pattern.assertions.entries())
      holds.push(this.#positionsOf(assertion, index, codePoints, classes, holds));
    return this.#runner.matches(classes, holds);
  }

  /** Returns the code points; without the `u` flag a pattern sees UTF-16 units. */
  #codePointsOf(text: string): Uint32Array {
    const codePoints = new Uint32Array(text.length);
    let count = 0;
    for (let index = 0; index < text.length; count += 1) {
      const codePoint = (this.#isUnicode ? text.codePointAt(index) : text.charCodeAt(index)) ?? 0;
      codePoints[count] = codePoint;
      index += codePoint > 0xffff ? 2 : 1;
    }
    return codePoints.subarray(0, count);
  }

  #classOf(codePoint: number): number {
    const known = this.#knownCodePoints.get(codePoint);
    if (known !== undefined) return known;
    const character = String.fromCodePoint(codePoint);
    const matched = this.#pattern.atoms.map((atom) => atom.test(character));
    const signature = matched.map(Number).join("");
    let found = this.#classes.get(signature);
    if (found === undefined) {
      found = this.#classAtoms.push(matched) - 1;
      this.#classes.set(signature, found);
    }
    if (this.#knownCodePoints.size >= maximumKnownCodePoints) this.#knownCodePoints.clear();
    this.#knownCodePoints.set(codePoint, found);
    return found;
  }

  /** Returns 1 for each position at which an assertion holds, 0 being before the first character. */
  #positionsOf(
    assertion: Assertion,
    index: number,
    codePoints: Uint32Array,
    classes: Uint32Array,
    holds: readonly Uint8Array[],
  ): Uint8Array {
    const positions = new Uint8Array(codePoints.length + 1);
    if (assertion.kind === "look") {
      const { direction, isNegated } = assertion.look;
      this.#assertionRunners[index]?.mark(classes, holds, positions, direction === "ahead" ? "backward" : "forward");
      return isNegated ? positions.map((found) => 1 - found) : positions;
    }
    for (let position = 0; position < positions.length; position += 1)
      positions[position] = isAtEdge(assertion, codePoints[position - 1], codePoints[position]) ? 1 : 0;
    return positions;
  }
}
