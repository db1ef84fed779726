import type {
  BackReferenceNode,
  CapturingGroup,
  EdgeNode,
  LookNode,
  PatternNode,
  RepetitionNode,
} from "./pattern-syntax.ts";

/** One step of a nondeterministic automaton; `next` are indexes of its instructions. */
type Instruction =
  | { readonly operation: "character"; readonly atom: number; readonly next: number }
  | { readonly operation: "assert"; readonly assertion: number; readonly next: number }
  | { readonly operation: "split"; readonly nexts: readonly number[] }
  | { readonly operation: "accept" };

/** An automaton that finds a pattern anywhere in a text. */
export interface LinearProgram {
  readonly instructions: readonly Instruction[];
  readonly entry: number;
  /** Assertions that it tests, by their position in the list of the complete pattern. */
  readonly assertions: readonly number[];
}

/** An assertion that holds at a position or does not, whatever has been matched so far. */
export type Assertion = EdgeNode | { readonly kind: "look"; readonly look: LookNode; readonly program: LinearProgram };

export interface CompiledPattern {
  readonly program: LinearProgram;
  /** Assertions; each comes after those that its own program tests. */
  readonly assertions: readonly Assertion[];
  /** Expressions that match one character each. */
  readonly atoms: readonly RegExp[];
}

/** Maximum instructions to which a repetition is expanded. */
const maximumRepetition = 5_000;

/** Maximum instructions of a pattern, all automata together, after which nothing more is expanded. */
const maximumInstructions = 50_000;

/**
 * Direction in which an automaton may be inexact. Inside of a negative look-around, a match is a reason to reject: there it finds fewer.
 */
type Approximation = "more" | "fewer";

/**
 * Compiles a pattern to automata (Thompson's construction). A look-around becomes an automaton of its own, run over the text before the one
 * around it. No automaton can compare with a group or count without end: such parts are replaced so that the complete pattern matches more
 * texts, never fewer.
 */
export function compilePattern(pattern: PatternNode): CompiledPattern {
  const shared = new SharedParts(pattern);
  const program = shared.program(pattern, "forward", "more");
  return { program, assertions: shared.assertions, atoms: shared.atoms };
}

type Direction = "forward" | "backward";

/** Parts shared by the automata of one pattern. */
class SharedParts {
  readonly assertions: Assertion[] = [];
  readonly atoms: RegExp[] = [];
  /** Total instructions of all automata. */
  instructionCount = 0;
  readonly #atomIndexes = new Map<string, number>();
  readonly #edgeIndexes = new Map<string, number>();
  readonly #lookaroundIndexes = new Map<LookNode, number>();
  readonly #bodies = new Map<CapturingGroup, PatternNode>();
  readonly #references = new Map<BackReferenceNode, PatternNode>();
  readonly #sizes = new Map<PatternNode, number>();

  constructor(pattern: PatternNode) {
    this.#collectGroups(pattern);
  }

  program(pattern: PatternNode, direction: Direction, approximation: Approximation): LinearProgram {
    const builder = new ProgramBuilder(this, direction, approximation);
    const entry = builder.build(pattern, builder.add({ operation: "accept" }));
    return { instructions: builder.instructions, entry, assertions: [...builder.assertions] };
  }

  atom(source: string, flags: string): number {
    return kept(this.#atomIndexes, `${flags} ${source}`, () => {
      return this.atoms.push(new RegExp(`^(?:${source})$`, flags)) - 1;
    });
  }

  edge(node: EdgeNode): number {
    return kept(this.#edgeIndexes, `${node.flags} ${node.edge}`, () => this.assertions.push(node) - 1);
  }

  /**
   * Compiles a look-around: a look-behind is read forward and ends at the position; a look-ahead is read backward, from the end of the
   * text.
   */
  look(look: LookNode, around: Approximation): number {
    return kept(this.#lookaroundIndexes, look, () => {
      const approximation = look.isNegated ? opposites[around] : around;
      const program = this.program(look.body, look.direction === "behind" ? "forward" : "backward", approximation);
      return this.assertions.push({ kind: "look", look, program }) - 1;
    });
  }

  /** Returns a pattern of every text that a back-reference may match: none where its groups have not been matched. */
  referenced(reference: BackReferenceNode): PatternNode {
    return kept(this.#references, reference, () => {
      if (this.isFull) return anyText;
      const bodies = reference.groups.map((group) => this.#bodies.get(group)).filter((body) => body !== undefined);
      const texts = bodies.map((body) => textsOf(body, reference.flags.includes("i")));
      return { kind: "choice", options: [emptyText, ...texts] };
    });
  }

  get isFull(): boolean {
    return this.instructionCount >= maximumInstructions;
  }

  /** Returns the approximate number of instructions for a node. */
  sizeOf(node: PatternNode): number {
    return kept(this.#sizes, node, () => {
      if (node.kind === "back-reference") return this.sizeOf(this.referenced(node));
      const inside = childrenOf(node).reduce((sum, child) => sum + this.sizeOf(child), 1);
      if (node.kind !== "repetition") return inside;
      const count = node.maximum === Number.POSITIVE_INFINITY ? node.minimum : node.maximum;
      return Math.min(inside * Math.max(1, count), Math.max(inside, maximumRepetition));
    });
  }

  #collectGroups(node: PatternNode): void {
    if (node.kind === "group") this.#bodies.set(node.group, node.body);
    for (const child of childrenOf(node)) this.#collectGroups(child);
  }
}

const opposites: Readonly<Record<Approximation, Approximation>> = { more: "fewer", fewer: "more" };

const emptyText: PatternNode = { kind: "sequence", parts: [] };

const anyCharacter: PatternNode = { kind: "character", source: "[^]", flags: "u" };

const anyText: PatternNode = {
  kind: "repetition",
  body: anyCharacter,
  minimum: 0,
  maximum: Number.POSITIVE_INFINITY,
  isLazy: false,
};

/**
 * Converts the pattern of a group to the pattern of its text elsewhere: assertions applied where the group was. A comparison inside of a
 * group accepts any text; expanded as well, groups that refer to groups would double with each.
 */
function textsOf(node: PatternNode, ignoresCase: boolean): PatternNode {
  const inside = (child: PatternNode): PatternNode => textsOf(child, ignoresCase);
  switch (node.kind) {
    case "character":
      return ignoresCase && !node.flags.includes("i") ? anyCharacter : node;
    case "sequence":
      return { kind: "sequence", parts: node.parts.map(inside) };
    case "choice":
      return { kind: "choice", options: node.options.map(inside) };
    case "repetition":
      return { ...node, body: inside(node.body) };
    case "group":
      return inside(node.body);
    case "back-reference":
      return anyText;
    default:
      return emptyText;
  }
}

/** Returns the cached value for a key, created on first use. */
function kept<Key, Value>(values: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = values.get(key);
  if (known !== undefined) return known;
  const value = create();
  values.set(key, value);
  return value;
}

/** Returns the direct children of a node. */
export function childrenOf(node: PatternNode): readonly PatternNode[] {
  switch (node.kind) {
    case "sequence":
      return node.parts;
    case "choice":
      return node.options;
    case "repetition":
    case "group":
    case "look":
      return [node.body];
    default:
      return [];
  }
}

/** Builder from the end: each part receives the instruction that follows it. */
class ProgramBuilder {
  readonly instructions: Instruction[] = [];
  readonly assertions = new Set<number>();
  readonly #shared: SharedParts;
  readonly #direction: Direction;
  readonly #approximation: Approximation;

  constructor(shared: SharedParts, direction: Direction, approximation: Approximation) {
    this.#shared = shared;
    this.#direction = direction;
    this.#approximation = approximation;
  }

  add(instruction: Instruction): number {
    this.#shared.instructionCount += 1;
    return this.instructions.push(instruction) - 1;
  }

  build(node: PatternNode, next: number): number {
    switch (node.kind) {
      case "character":
        return this.add({ operation: "character", atom: this.#shared.atom(node.source, node.flags), next });
      case "sequence": {
        const parts = this.#direction === "forward" ? node.parts.toReversed() : node.parts;
        return parts.reduce((following, part) => this.build(part, following), next);
      }
      case "choice":
        return this.#split(node.options.map((option) => this.build(option, next)));
      case "repetition":
        return this.#repetition(node, next);
      case "group":
        return this.build(node.body, next);
      case "back-reference":
        return this.#approximation === "fewer" ? this.#split([]) : this.build(this.#shared.referenced(node), next);
      case "look":
        return this.#assert(this.#shared.look(node, this.#approximation), next);
      case "edge":
        return this.#assert(this.#shared.edge(node), next);
      default:
        return node satisfies never;
    }
  }

  #split(nexts: readonly number[]): number {
    return this.add({ operation: "split", nexts });
  }

  #assert(assertion: number, next: number): number {
    this.assertions.add(assertion);
    return this.add({ operation: "assert", assertion, next });
  }

  #repetition({ body, minimum, maximum }: RepetitionNode, next: number): number {
    const most = this.#shared.isFull ? 1 : Math.max(1, Math.floor(maximumRepetition / this.#shared.sizeOf(body)));
    const findsFewer = this.#approximation === "fewer";
    if (findsFewer && minimum > most) return this.#split([]);
    const least = Math.min(minimum, most);
    const isEndless = maximum === Number.POSITIVE_INFINITY || (maximum > most && !findsFewer);
    let entry = next;
    if (isEndless) {
      const nexts = [next];
      const loop = this.#split(nexts);
      const again = this.build(body, loop);
      nexts.push(again);
      entry = least > 0 ? again : loop;
    }
    for (let count = isEndless ? 0 : Math.min(maximum, most) - least; count > 0; count -= 1)
      entry = this.#split([next, this.build(body, entry)]);
    for (let count = isEndless ? 1 : 0; count < least; count += 1) entry = this.build(body, entry);
    return entry;
  }
}
