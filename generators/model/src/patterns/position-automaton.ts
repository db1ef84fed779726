import {
  type CapturingGroup,
  type CharacterNode,
  childrenOf,
  type PatternNode,
  type RepetitionNode,
  startsAtStart,
} from "@nodewright/runtime/patterns";

/** An atom of a pattern with the positions that may match next. */
interface PatternPosition {
  /** Bit n: whether it matches characters of the n-th class. */
  readonly classes: number;
  /** Next positions, with the number of ways without a character that lead there (2 stands for more). */
  readonly follow: ReadonlyMap<number, number>;
}

/**
 * The atoms of a pattern as an automaton without empty transitions (Glushkov's construction). It ignores the counts of repetitions, assumes
 * that assertions hold and replaces a back-reference by its group: it accepts more than the pattern, and serves to find strings that are
 * worth trying.
 */
export interface PositionAutomaton {
  readonly positions: readonly PatternPosition[];
  readonly first: readonly number[];
  /** One character of each class. All atoms treat the characters of a class alike. */
  readonly characters: readonly string[];
  /** Whether each character belongs to the class of one of `characters`. */
  readonly isComplete: boolean;
  /** Whether the automaton accepts exactly what the pattern does. */
  readonly isExact: boolean;
}

/** Maximum number of copies to which a bounded repetition is expanded. */
const maximumCopies = 4;

/** Returns the automaton of a pattern; undefined for a pattern with too many atoms. */
export function positionAutomaton(pattern: PatternNode): PositionAutomaton | undefined {
  const builder = new AutomatonBuilder(pattern);
  const first = [...builder.part(pattern).first];
  if (builder.atoms.length > maximumPositions) return undefined;
  if (!startsAtStart(pattern)) {
    // A search may start at each position: any character, then the same again.
    const search = builder.addAtom({ kind: "character", source: "[^]", flags: "u" });
    builder.connect([search], [search, ...first]);
    first.push(search);
  }
  const { characters, masks, isComplete } = classesOf(builder.atoms);
  const positions = masks.map((classes, index) => ({ classes, follow: builder.follow[index] ?? new Map() }));
  return { positions, first, characters, isComplete, isExact: isExact(pattern) };
}

/**
 * Returns whether the automaton models a pattern exactly: all bounded repetitions are expanded, it has no back-references, and its only
 * assertions are the start and the end of the string.
 */
function isExact(pattern: PatternNode): boolean {
  const parts = pattern.kind === "sequence" ? pattern.parts : [pattern];
  const inner = parts.filter((part, index) => {
    const end = { 0: "start", [parts.length - 1]: "end" }[index];
    return part.kind !== "edge" || part.edge !== end;
  });
  return inner.every(isModelled);
}

function isModelled(node: PatternNode): boolean {
  if (node.kind === "edge" || node.kind === "look" || node.kind === "back-reference") return false;
  if (node.kind === "repetition" && node.maximum > maximumCopies)
    if (node.maximum !== Number.POSITIVE_INFINITY || node.minimum > 1) return false;
  return childrenOf(node).every(isModelled);
}

const maximumPositions = 120;

interface Part {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly isNullable: boolean;
}

const nothing: Part = { first: [], last: [], isNullable: true };

class AutomatonBuilder {
  readonly atoms: CharacterNode[] = [];
  readonly follow: Map<number, number>[] = [];
  readonly #bodies = new Map<CapturingGroup, PatternNode>();
  readonly #open = new Set<CapturingGroup>();

  constructor(pattern: PatternNode) {
    this.#collectGroups(pattern);
  }

  part(node: PatternNode): Part {
    if (this.atoms.length > maximumPositions) return nothing;
    switch (node.kind) {
      case "character": {
        const position = this.addAtom(node);
        return { first: [position], last: [position], isNullable: false };
      }
      case "sequence":
        return this.#sequence(node.parts.map((part) => () => this.part(part)));
      case "choice":
        return alternationOf(node.options.map((option) => this.part(option)));
      case "repetition":
        return this.#repetition(node);
      case "group":
        return this.#inside(node.group, node.body);
      case "back-reference":
        return alternationOf([nothing, ...node.groups.map((group) => this.#inside(group, this.#bodies.get(group)))]);
      case "look":
        // A lookaround is matched here, and nothing follows it.
        return { first: this.part(node.body).first, last: [], isNullable: true };
      case "edge":
        return nothing;
      default:
        return node satisfies never;
    }
  }

  addAtom(atom: CharacterNode): number {
    this.follow.push(new Map());
    return this.atoms.push(atom) - 1;
  }

  connect(from: readonly number[], to: readonly number[]): void {
    for (const position of from) {
      const follow = this.follow[position];
      for (const next of to) follow?.set(next, Math.min(2, (follow.get(next) ?? 0) + 1));
    }
  }

  #sequence(parts: readonly (() => Part)[]): Part {
    let whole = nothing;
    for (const create of parts) {
      const part = create();
      this.connect(whole.last, part.first);
      whole = {
        first: whole.isNullable ? [...whole.first, ...part.first] : whole.first,
        last: part.isNullable ? [...whole.last, ...part.last] : part.last,
        isNullable: whole.isNullable && part.isNullable,
      };
    }
    return whole;
  }

  #repetition({ body, minimum, maximum }: RepetitionNode): Part {
    if (maximum <= maximumCopies) {
      return this.#sequence(
        Array.from({ length: maximum }, (_, copy) => () => {
          const part = this.part(body);
          return copy < minimum ? part : { ...part, isNullable: true };
        }),
      );
    }
    const part = this.part(body);
    this.connect(part.last, part.first);
    // Empty iterations count until the minimum is reached: which of the iterations are empty is another ambiguity.
    if (part.isNullable && minimum > 1) this.connect(part.last, part.first);
    return { ...part, isNullable: part.isNullable || minimum === 0 };
  }

  #inside(group: CapturingGroup, body: PatternNode | undefined): Part {
    if (body === undefined || this.#open.has(group)) return nothing;
    this.#open.add(group);
    const part = this.part(body);
    this.#open.delete(group);
    return part;
  }

  #collectGroups(node: PatternNode): void {
    if (node.kind === "group") this.#bodies.set(node.group, node.body);
    for (const child of childrenOf(node)) this.#collectGroups(child);
  }
}

function alternationOf(parts: readonly Part[]): Part {
  return {
    first: parts.flatMap(({ first }) => first),
    last: parts.flatMap(({ last }) => last),
    isNullable: parts.some(({ isNullable }) => isNullable),
  };
}

/** Number of bits in a mask. Characters of further classes are not tried. */
const maximumClasses = 30;

/** Letters and digits first: they are easy to read in a message. */
const latinCharacters: readonly string[] = [
  ..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ",
  ...Array.from({ length: 0x180 }, (_, codePoint) => String.fromCodePoint(codePoint)),
];

const otherLetters: readonly string[] = [..."λЖאعकあ漢한"];

/** Spaces beyond Latin-1, and the Kelvin sign, which `k` matches case-insensitively. */
const otherCharacters: readonly string[] = ["\u2003", "\u2028", "\ufeff", "\u212a"];

/** Returns one character of each class that the atoms distinguish, and for each atom the classes that it matches. */
function classesOf(atoms: readonly CharacterNode[]): {
  readonly characters: readonly string[];
  readonly masks: readonly number[];
  readonly isComplete: boolean;
} {
  const expressions = atoms.map(({ source, flags }) => new RegExp(`^(?:${source})$`, flags));
  const characters = new Map<string, string>();
  const named = atoms.flatMap(({ source }) => neighbours(source));
  for (const character of new Set([...latinCharacters, ...otherLetters, ...otherCharacters, ...named])) {
    // A surrogate pair counts as two steps, and no atom needs one in particular.
    if (character.length !== 1) continue;
    const signature = expressions.map((expression) => (expression.test(character) ? "1" : "0")).join("");
    if (!characters.has(signature)) characters.set(signature, character);
  }
  const signatures = [...characters.keys()].slice(0, maximumClasses);
  const masks = atoms.map((_, index) =>
    signatures.reduce((mask, signature, bit) => (signature[index] === "1" ? mask | (1 << bit) : mask), 0),
  );
  return {
    characters: [...characters.values()].slice(0, maximumClasses),
    masks,
    isComplete: characters.size <= maximumClasses && areSampled(atoms),
  };
}

/**
 * Matches sources of sets whose members cannot be derived from the named characters: properties, surrogate pairs, and non-ASCII letters in
 * case-insensitive patterns.
 */
const wideSource = /\\p\{|\\u\{0*[1-9a-f][0-9a-f]{4,}\}|\\ud[89ab]|[\u{10000}-\u{10FFFF}]/iu;

/**
 * Returns whether the tried characters cover all classes. Sets of ranges are covered by the characters that they name and the neighbors of
 * these. One other set is covered by letters of several scripts, if no other atom distinguishes these.
 */
function areSampled(atoms: readonly CharacterNode[]): boolean {
  const namesFurther = ({ source }: CharacterNode): boolean =>
    codePointsOf(source).some((codePoint) => codePoint > 0x7f);
  const isWide = (atom: CharacterNode): boolean =>
    wideSource.test(atom.source) || (atom.flags.includes("i") && namesFurther(atom));
  const wide = new Map(atoms.filter(isWide).map((atom) => [`${atom.flags} ${atom.source}`, atom]));
  const [only] = wide.values();
  if (only === undefined) return true;
  if (wide.size > 1 || atoms.some((atom) => !isWide(atom) && namesFurther(atom))) return false;
  const expression = new RegExp(`^(?:${only.source})$`, only.flags);
  return otherLetters.some((letter) => expression.test(letter));
}

/** Returns the characters that an atom names, with those before and after: ranges start and end there. */
function neighbours(source: string): readonly string[] {
  return codePointsOf(source).flatMap((codePoint) =>
    [codePoint - 1, codePoint, codePoint + 1]
      .filter((each) => each >= 0 && each <= 0xffff)
      .map((each) => String.fromCharCode(each)),
  );
}

function codePointsOf(source: string): readonly number[] {
  const escaped = source.matchAll(/\\(?:u\{([0-9A-Fa-f]+)\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2}))/g);
  const named = [...escaped].map(([, braced, four, two]) => Number.parseInt(braced ?? four ?? two ?? "0", 16));
  const written = [...source].map((character) => character.codePointAt(0) ?? 0);
  return [...named, ...written];
}
