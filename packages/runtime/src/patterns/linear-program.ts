import type { CapturingGroup, EdgeNode, LookNode, PatternNode, RepetitionNode } from "./pattern-syntax.ts";

/** One step of a nondeterministic automaton; `next` are indexes into its instructions. */
type Instruction =
  | { readonly operation: "character"; readonly atom: number; readonly next: number }
  | { readonly operation: "assert"; readonly assertion: number; readonly next: number }
  | { readonly operation: "split"; readonly nexts: readonly number[] }
  | { readonly operation: "accept" };

/** An automaton that finds a pattern anywhere in a text. */
export interface LinearProgram {
  readonly instructions: readonly Instruction[];
  readonly entry: number;
  /** Assertions that it tests, by their place in the list of the whole pattern. */
  readonly assertions: readonly number[];
}

/** Something that holds at a position or does not, whatever has been matched so far. */
export type Assertion = EdgeNode | { readonly kind: "look"; readonly look: LookNode; readonly program: LinearProgram };

export interface CompiledPattern {
  readonly program: LinearProgram;
  /** An assertion comes after those that its own program tests. */
  readonly assertions: readonly Assertion[];
  /** Expressions that match one character each. */
  readonly atoms: readonly RegExp[];
}

/** Instructions that a repetition may be spelled out to. One that needs more loses its bounds: the pattern matches more texts. */
const maximumRepetition = 5_000;

/**
 * Compiles a pattern to automata (Thompson's construction). A look-around becomes an automaton of its own, run over the text before the one
 * around it. A back-reference is matched by whatever its group matches, or by nothing: no automaton can compare.
 */
export function compilePattern(pattern: PatternNode): CompiledPattern {
  const shared = new SharedParts(pattern);
  return { program: shared.program(pattern, "forward"), assertions: shared.assertions, atoms: shared.atoms };
}

type Direction = "forward" | "backward";

/** What the automata of one pattern share. */
class SharedParts {
  readonly assertions: Assertion[] = [];
  readonly atoms: RegExp[] = [];
  readonly #atomIndexes = new Map<string, number>();
  readonly #edgeIndexes = new Map<EdgeNode["edge"], number>();
  readonly #lookIndexes = new Map<LookNode, number>();
  readonly #bodies = new Map<CapturingGroup, PatternNode>();

  constructor(pattern: PatternNode) {
    this.#collectGroups(pattern);
  }

  program(pattern: PatternNode, direction: Direction): LinearProgram {
    const builder = new ProgramBuilder(this, direction);
    const entry = builder.build(pattern, builder.add({ operation: "accept" }));
    return { instructions: builder.instructions, entry, assertions: [...builder.assertions] };
  }

  atom(source: string, flags: string): number {
    return indexOf(this.#atomIndexes, `${flags} ${source}`, () => {
      return this.atoms.push(new RegExp(`^(?:${source})$`, flags)) - 1;
    });
  }

  edge(node: EdgeNode): number {
    return indexOf(this.#edgeIndexes, node.edge, () => this.assertions.push(node) - 1);
  }

  /** What is behind a position is read forward and ends there; what is ahead is read backward, from the end of the text. */
  look(look: LookNode): number {
    return indexOf(this.#lookIndexes, look, () => {
      const program = this.program(look.body, look.direction === "behind" ? "forward" : "backward");
      return this.assertions.push({ kind: "look", look, program }) - 1;
    });
  }

  body(group: CapturingGroup): PatternNode | undefined {
    return this.#bodies.get(group);
  }

  #collectGroups(node: PatternNode): void {
    if (node.kind === "group") this.#bodies.set(node.group, node.body);
    for (const child of childrenOf(node)) this.#collectGroups(child);
  }
}

function indexOf<Key>(indexes: Map<Key, number>, key: Key, create: () => number): number {
  const known = indexes.get(key);
  if (known !== undefined) return known;
  const index = create();
  indexes.set(key, index);
  return index;
}

/** The nodes directly below a node. */
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

/** Builds from the end: each part is given the instruction that follows it. */
class ProgramBuilder {
  readonly instructions: Instruction[] = [];
  readonly assertions = new Set<number>();
  readonly #shared: SharedParts;
  readonly #direction: Direction;
  /** Groups whose back-references are being written: one inside its own group matches nothing. */
  readonly #open = new Set<CapturingGroup>();

  constructor(shared: SharedParts, direction: Direction) {
    this.#shared = shared;
    this.#direction = direction;
  }

  add(instruction: Instruction): number {
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
        return this.#inside(node.group, node.body, next);
      case "back-reference":
        return this.#split([next, ...node.groups.map((group) => this.#inside(group, this.#shared.body(group), next))]);
      case "look":
        return this.#assert(this.#shared.look(node), next);
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

  #inside(group: CapturingGroup, body: PatternNode | undefined, next: number): number {
    if (body === undefined || this.#open.has(group)) return next;
    this.#open.add(group);
    const entry = this.build(body, next);
    this.#open.delete(group);
    return entry;
  }

  #repetition({ body, minimum, maximum }: RepetitionNode, next: number): number {
    const most = Math.floor(maximumRepetition / Math.max(1, sizeOf(body)));
    const least = Math.min(minimum, most);
    const isEndless = maximum === Number.POSITIVE_INFINITY || maximum > most;
    let entry = next;
    if (isEndless) {
      const nexts = [next];
      entry = this.#split(nexts);
      nexts.push(this.build(body, entry));
    }
    for (let count = isEndless ? 0 : maximum - least; count > 0; count -= 1)
      entry = this.#split([next, this.build(body, entry)]);
    for (let count = 0; count < least; count += 1) entry = this.build(body, entry);
    return entry;
  }
}

/** About how many instructions a node is compiled to. */
function sizeOf(node: PatternNode): number {
  const inside = childrenOf(node).reduce((sum, child) => sum + sizeOf(child), 1);
  if (node.kind !== "repetition") return inside;
  const count = node.maximum === Number.POSITIVE_INFINITY ? node.minimum + 1 : node.maximum;
  return Math.min(inside * Math.max(1, count), maximumRepetition);
}
