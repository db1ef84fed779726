import { type AST, RegExpParser } from "@eslint-community/regexpp";
import type { RandomSource } from "./random-source.ts";

export interface PatternTextOptions {
  readonly random: RandomSource;
  /** How often things that may be repeated are: 0 as seldom, 1 as often as they may. */
  readonly stretch: number;
  /** Characters of one thing that may be repeated without end. */
  readonly most: number;
}

/**
 * A text that a pattern matches, as far as its groups, classes and quantifiers tell: assertions that look ahead or back are left out of
 * account, so the text has to be held against the pattern. Undefined for what is no pattern of ECMA-262.
 */
export function patternText(pattern: string, options: PatternTextOptions): string | undefined {
  const parsed = parsedPattern(pattern);
  return parsed && new PatternWriter(options).disjunction(parsed.alternatives);
}

const parsedPatterns = new Map<string, AST.Pattern | undefined>();
const parser = new RegExpParser();

function parsedPattern(pattern: string): AST.Pattern | undefined {
  if (!parsedPatterns.has(pattern)) parsedPatterns.set(pattern, parse(pattern, true) ?? parse(pattern, false));
  return parsedPatterns.get(pattern);
}

function parse(pattern: string, unicode: boolean): AST.Pattern | undefined {
  try {
    return parser.parsePattern(pattern, 0, pattern.length, { unicode });
  } catch {
    return undefined;
  }
}

/** Longest text that is written. UTF-16 units. */
const maximumText = 20_000;

class PatternWriter {
  readonly #options: PatternTextOptions;
  readonly #groups = new Map<AST.Element, string>();
  #length = 0;

  constructor(options: PatternTextOptions) {
    this.#options = options;
  }

  disjunction(alternatives: readonly AST.Alternative[]): string {
    if (alternatives.length === 0) return "";
    return this.#options.random
      .pick(alternatives)
      .elements.map((element) => this.#element(element))
      .join("");
  }

  #element(element: AST.Element): string {
    switch (element.type) {
      case "Assertion":
        return "";
      case "Backreference":
        return this.#backreference(element);
      case "Group":
      case "CapturingGroup": {
        const text = this.disjunction(element.alternatives);
        this.#groups.set(element, text);
        return text;
      }
      case "Quantifier":
        return this.#repeated(element);
      case "Character":
        this.#length += 1;
        return String.fromCodePoint(element.value);
      default:
        this.#length += 1;
        return this.#options.random.pick(charactersOf(element));
    }
  }

  #backreference({ resolved }: AST.Backreference): string {
    const [group] = Array.isArray(resolved) ? resolved : [resolved];
    return (group && this.#groups.get(group)) ?? "";
  }

  #repeated({ min, max, element }: AST.Quantifier): string {
    const { stretch, most } = this.#options;
    const highest = Math.min(max, Math.max(min, most));
    const count = Math.round(min + stretch * (highest - min));
    const parts: string[] = [];
    for (let index = 0; index < count && this.#length < maximumText; index += 1) parts.push(this.#element(element));
    return parts.join("");
  }
}

type AnyClass = AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass;

const charactersOfClasses = new Map<string, readonly string[]>();

/** Printable ASCII, letters and digits first; then some of other scripts. */
const plainCharacters: readonly string[] = Array.from({ length: 95 }, (_none, index) =>
  String.fromCodePoint(32 + index),
);
const otherCharacters: readonly string[] = [..."äßñéλЖ中あ🌍\t\n\r\u00a0"];

/** Characters of a class that are easily read: letters and digits if it has any. */
function charactersOf(element: AnyClass): readonly string[] {
  const known = charactersOfClasses.get(element.raw);
  if (known !== undefined) return known;
  const expression = new RegExp(`^(?:${element.raw})$`, "u");
  const plain = plainCharacters.filter((character) => expression.test(character));
  const words = plain.filter((character) => /[A-Za-z0-9]/.test(character));
  const found = [words, plain, otherCharacters.filter((character) => expression.test(character)), firstOf(element)];
  const characters = found.find(({ length }) => length > 0) ?? [""];
  charactersOfClasses.set(element.raw, characters);
  return characters;
}

/** The first characters of the ranges that a class lists. */
function firstOf(element: AnyClass): readonly string[] {
  if (element.type !== "CharacterClass" || element.negate) return [];
  return element.elements.flatMap((one) => {
    if (one.type === "Character") return [String.fromCodePoint(one.value)];
    return one.type === "CharacterClassRange" ? [String.fromCodePoint(one.min.value)] : [];
  });
}
