/** A regular expression of ECMA-262 (section 22.2.1) as a tree. Captures are kept only for back-references. */
export type PatternNode =
  | CharacterNode
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly options: readonly PatternNode[] }
  | RepetitionNode
  | { readonly kind: "group"; readonly group: CapturingGroup; readonly body: PatternNode }
  | BackReferenceNode
  | LookNode
  | EdgeNode;

/** An atom that consumes one character: a literal, an escape, a class or the dot. */
export interface CharacterNode {
  readonly kind: "character";
  /** Source text: `[a-z]`, `\d`, `.`. */
  readonly source: string;
  /** Flags with which it is matched: those of the pattern and of the modifiers around it. */
  readonly flags: string;
}

/** A quantified atom. */
export interface RepetitionNode {
  readonly kind: "repetition";
  readonly body: PatternNode;
  readonly minimum: number;
  /** Maximum; `Infinity` without an upper bound. */
  readonly maximum: number;
  readonly isLazy: boolean;
}

export interface BackReferenceNode {
  readonly kind: "back-reference";
  /** Possible groups: of groups with one name, at most one has a text. */
  readonly groups: readonly CapturingGroup[];
  /** Flags with which it compares. */
  readonly flags: string;
}

/** A lookahead or lookbehind assertion. */
export interface LookNode {
  readonly kind: "look";
  readonly direction: "ahead" | "behind";
  readonly isNegated: boolean;
  readonly body: PatternNode;
}

/** An assertion about the characters next to a position: `^`, `$`, `\b` and `\B`. */
export interface EdgeNode {
  readonly kind: "edge";
  readonly edge: "start" | "end" | "line-start" | "line-end" | "boundary" | "no-boundary";
  /** Flags with which it is tested: they determine the word characters. */
  readonly flags: string;
}

/** A capturing group of a pattern. */
export interface CapturingGroup {
  /** 1-based index. */
  readonly index: number;
  readonly name: string | undefined;
}

/**
 * Parses a regular expression of ECMA-262, with or without the `u` flag.
 *
 * @throws SyntaxError when it is not a regular expression
 */
export function parsePattern(source: string, flags: "" | "u" = "u"): PatternNode {
  return new PatternParser(source, flags).parse();
}

const characterClass = /\[(?:[^\]\\]|\\[\s\S])*\]/y;
const quantifier = /(?:([*+?])|\{([0-9]+)(?:(,)([0-9]*))?\})(\??)/y;
const groupStart = /\((?:\?(?:(:)|(<?[=!])|<([^>]*)>|([a-z]*)(?:-([a-z]*))?:))?/y;
const unicodeEscape =
  /\\(?:u\{[0-9A-Fa-f]+\}|u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|c[A-Za-z]|[pP]\{[^}]*\}|[\s\S])/uy;
const legacyEscape = /\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|c[A-Za-z]|[0-3][0-7]{0,2}|[4-7][0-7]?|[\s\S])/y;
const backReference = /\\(?:([1-9][0-9]*)|k<([^>]*)>)/y;

/** Recursive descent parser of a source that the engine has accepted: malformed input never gets here. */
class PatternParser {
  readonly #source: string;
  readonly #flags: "" | "u";
  readonly #groupCount: number;
  readonly #groups: CapturingGroup[] = [];
  readonly #references: { readonly groups: CapturingGroup[]; readonly isMeant: (group: CapturingGroup) => boolean }[] =
    [];
  #position = 0;
  #modifiers = new Set<string>();

  constructor(source: string, flags: "" | "u") {
    this.#source = source;
    this.#flags = flags;
    this.#groupCount = (new RegExp(`${source}|`, flags).exec("")?.length ?? 1) - 1;
  }

  parse(): PatternNode {
    const pattern = this.#choice();
    for (const { groups, isMeant } of this.#references) groups.push(...this.#groups.filter(isMeant));
    return pattern;
  }

  #choice(): PatternNode {
    const options = [this.#sequence()];
    while (this.#take("|")) options.push(this.#sequence());
    const [only] = options;
    return only !== undefined && options.length === 1 ? only : { kind: "choice", options };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#position < this.#source.length && !"|)".includes(this.#source.charAt(this.#position)))
      parts.push(this.#quantified(this.#term()));
    const [only] = parts;
    return only !== undefined && parts.length === 1 ? only : { kind: "sequence", parts };
  }

  #quantified(body: PatternNode): PatternNode {
    const match = this.#match(quantifier);
    if (match === undefined) return body;
    const [, symbol, least = "0", comma, most = "", lazy] = match;
    const minimum = symbol === undefined ? Number(least) : symbol === "+" ? 1 : 0;
    const bounded = symbol === undefined ? (comma === undefined ? least : most) : symbol === "?" ? "1" : "";
    return {
      kind: "repetition",
      body,
      minimum,
      maximum: bounded === "" ? Number.POSITIVE_INFINITY : Number(bounded),
      isLazy: lazy === "?",
    };
  }

  #term(): PatternNode {
    switch (this.#source.charAt(this.#position)) {
      case "^":
        return this.#edge(1, this.#modifiers.has("m") ? "line-start" : "start");
      case "$":
        return this.#edge(1, this.#modifiers.has("m") ? "line-end" : "end");
      case "(":
        return this.#group();
      case "[":
        return this.#character(this.#match(characterClass)?.[0]);
      case "\\":
        return this.#escape();
      default: {
        const codePoint = this.#source.codePointAt(this.#position) ?? 0;
        const character = this.#flags === "u" ? String.fromCodePoint(codePoint) : this.#source.charAt(this.#position);
        this.#position += character.length;
        return this.#character(character);
      }
    }
  }

  #edge(length: number, edge: EdgeNode["edge"]): PatternNode {
    this.#position += length;
    return { kind: "edge", edge, flags: this.#activeFlags() };
  }

  #group(): PatternNode {
    const [, plain, look, name, added, removed] = this.#match(groupStart) ?? [];
    const around = this.#modifiers;
    if (added !== undefined) {
      const inside = [...around, ...added].filter((flag) => removed?.includes(flag) !== true);
      this.#modifiers = new Set(inside);
    }
    const isCapturing = plain === undefined && look === undefined && added === undefined;
    const group = { index: this.#groups.length + 1, name };
    if (isCapturing) this.#groups.push(group);
    const body = this.#choice();
    this.#position += 1;
    this.#modifiers = around;
    if (isCapturing) return { kind: "group", group, body };
    if (look === undefined) return body;
    return { kind: "look", direction: look.startsWith("<") ? "behind" : "ahead", isNegated: look.endsWith("!"), body };
  }

  #escape(): PatternNode {
    const next = this.#source.charAt(this.#position + 1);
    if (next === "b") return this.#edge(2, "boundary");
    if (next === "B") return this.#edge(2, "no-boundary");
    return this.#reference() ?? this.#character(this.#match(this.#flags === "u" ? unicodeEscape : legacyEscape)?.[0]);
  }

  /** Parses a reference. Without the `u` flag, `\8` of a pattern with fewer groups is a literal. */
  #reference(): PatternNode | undefined {
    const start = this.#position;
    const [, digits, name] = this.#match(backReference) ?? [];
    const index = Number(digits ?? 0);
    if (name !== undefined || (index > 0 && index <= this.#groupCount)) {
      const groups: CapturingGroup[] = [];
      const isMeant = (group: CapturingGroup): boolean =>
        name === undefined ? group.index === index : group.name === name;
      this.#references.push({ groups, isMeant });
      return { kind: "back-reference", groups, flags: this.#activeFlags() };
    }
    this.#position = start;
    return undefined;
  }

  #character(source = ""): PatternNode {
    return { kind: "character", source, flags: this.#activeFlags() };
  }

  /** Returns the active flags, without that of multi-line edges, which are nodes of their own. */
  #activeFlags(): string {
    return this.#flags + ["i", "s"].filter((flag) => this.#modifiers.has(flag)).join("");
  }

  #take(character: string): boolean {
    const isNext = this.#source.startsWith(character, this.#position);
    if (isNext) this.#position += character.length;
    return isNext;
  }

  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#position;
    const match = expression.exec(this.#source) ?? undefined;
    if (match !== undefined) this.#position += match[0].length;
    return match;
  }
}
