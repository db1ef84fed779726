import {
  type CapturingGroup,
  type CharacterNode,
  parsePattern,
  type PatternNode,
  type RepetitionNode,
} from "@nodewright/runtime/patterns";
import type { RandomSource } from "./random.ts";

export interface PatternTextOptions {
  readonly random: RandomSource;
  /** Use of optional repetitions, from 0 for the minimum to 1 for the maximum. */
  readonly stretch: number;
  /** Maximum number of repetitions of one item, unless the pattern requires more. */
  readonly most: number;
}

/**
 * Returns a string that a pattern matches, as far as its groups, classes and quantifiers determine it: lookahead and lookbehind assertions
 * are ignored, so the string must be checked against the pattern. Returns undefined for an invalid ECMA-262 pattern.
 */
export function patternText(pattern: string, options: PatternTextOptions): string | undefined {
  const parsed = parsedPattern(pattern);
  return parsed && new PatternWriter(options).write(parsed);
}

const parsedPatterns = new Map<string, PatternNode | undefined>();

function parsedPattern(pattern: string): PatternNode | undefined {
  if (!parsedPatterns.has(pattern)) parsedPatterns.set(pattern, parse(pattern, "u") ?? parse(pattern, ""));
  return parsedPatterns.get(pattern);
}

function parse(pattern: string, flags: "u" | ""): PatternNode | undefined {
  try {
    return parsePattern(pattern, flags);
  } catch {
    return undefined;
  }
}

/** Maximum length of a generated string in UTF-16 units. */
const maximumText = 20_000;

class PatternWriter {
  readonly #options: PatternTextOptions;
  readonly #groups = new Map<CapturingGroup, string>();
  #length = 0;

  constructor(options: PatternTextOptions) {
    this.#options = options;
  }

  write(node: PatternNode): string {
    switch (node.kind) {
      case "character":
        this.#length += 1;
        return this.#options.random.pick(charactersOf(node));
      case "sequence":
        return node.parts.map((part) => this.write(part)).join("");
      case "choice":
        return this.write(this.#options.random.pick(node.options));
      case "repetition":
        return this.#repeated(node);
      case "group": {
        const text = this.write(node.body);
        this.#groups.set(node.group, text);
        return text;
      }
      case "back-reference":
        return node.groups.flatMap((group) => this.#groups.get(group) ?? [])[0] ?? "";
      case "look":
      case "edge":
        return "";
      default:
        return node satisfies never;
    }
  }

  #repeated({ minimum, maximum, body }: RepetitionNode): string {
    const { stretch, most } = this.#options;
    const highest = Math.min(maximum, Math.max(minimum, most));
    const count = Math.round(minimum + stretch * (highest - minimum));
    const parts: string[] = [];
    for (let index = 0; index < count && this.#length < maximumText; index += 1) parts.push(this.write(body));
    return parts.join("");
  }
}

const charactersOfAtoms = new Map<string, readonly string[]>();

/** Printable ASCII, letters and digits first; then some characters of other scripts. */
const plainCharacters: readonly string[] = Array.from({ length: 95 }, (_none, index) =>
  String.fromCodePoint(32 + index),
);
const otherCharacters: readonly string[] = [..."äßñéλЖ中あ🌍\t\n\r\u00a0"];

/** Returns characters that an atom matches, preferably legible ones: letters and digits if it matches any. */
function charactersOf({ source, flags }: CharacterNode): readonly string[] {
  if (source !== "." && [...source].length === 1) return [source];
  const key = `${flags} ${source}`;
  const known = charactersOfAtoms.get(key);
  if (known !== undefined) return known;
  const expression = new RegExp(`^(?:${source})$`, flags);
  const plain = plainCharacters.filter((character) => expression.test(character));
  const words = plain.filter((character) => /[A-Za-z0-9]/.test(character));
  const others = otherCharacters.filter((character) => expression.test(character));
  const characters = [words, plain, others].find(({ length }) => length > 0) ?? [firstOf(expression)];
  charactersOfAtoms.set(key, characters);
  return characters;
}

/** Returns the first character that an expression matches; empty if it matches none. */
function firstOf(expression: RegExp): string {
  for (let code = 0; code <= 0x10_ff_ff; code += 1) {
    const character = String.fromCodePoint(code);
    if (expression.test(character)) return character;
  }
  return "";
}
