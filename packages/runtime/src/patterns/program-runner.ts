import type { LinearProgram } from "./linear-program.ts";

/** Instructions of an automaton before the assertions of its position are tested. */
interface State {
  readonly instructions: readonly number[];
  /** Closures by the assertions that hold. */
  readonly closures: Map<string | number, Closure>;
}

/** Position of an automaton where certain assertions hold. */
interface Closure {
  readonly accepts: boolean;
  /** Instructions that wait for a character. */
  readonly waiting: readonly number[];
  /** Next state by the class of the character. */
  readonly moves: State[];
}

/** Maximum total instructions of the cached states, before they are dropped. */
const maximumKept = 200_000;

/**
 * Runner of a nondeterministic automaton over texts, which makes it deterministic as far as the texts need: each character costs a lookup,
 * and a new state costs as many steps as there are instructions.
 */
export class ProgramRunner {
  readonly #program: LinearProgram;
  /** Whether each atom matches the characters of a class. Grows while texts are read. */
  readonly #classAtoms: readonly (readonly boolean[])[];
  readonly #states = new Map<string, State>();
  #kept = 0;

  constructor(program: LinearProgram, classAtoms: readonly (readonly boolean[])[]) {
    this.#program = program;
    this.#classAtoms = classAtoms;
  }

  /** Returns whether there is a match anywhere in a text, given as classes of characters. */
  matches(classes: Uint32Array, holds: readonly Uint8Array[]): boolean {
    let state = this.#start();
    for (let position = 0; ; position += 1) {
      const closure = this.#closureAt(state, position, holds);
      if (closure.accepts) return true;
      if (position >= classes.length) return false;
      state = this.#after(closure, classes[position] ?? 0);
    }
  }

  /** Marks each position at which a match ends, the text being read in a direction. */
  mark(classes: Uint32Array, holds: readonly Uint8Array[], marks: Uint8Array, direction: "forward" | "backward"): void {
    const isForward = direction === "forward";
    const end = isForward ? classes.length : 0;
    let state = this.#start();
    for (let position = classes.length - end; ; position += isForward ? 1 : -1) {
      const closure = this.#closureAt(state, position, holds);
      if (closure.accepts) marks[position] = 1;
      if (position === end) return;
      state = this.#after(closure, classes[isForward ? position : position - 1] ?? 0);
    }
  }

  #start(): State {
    return this.#state([this.#program.entry]);
  }

  #closureAt(state: State, position: number, holds: readonly Uint8Array[]): Closure {
    const { assertions } = this.#program;
    let key: string | number = 0;
    if (assertions.length <= 50) for (const each of assertions) key = key * 2 + (holds[each]?.[position] ?? 0);
    else key = assertions.map((each) => holds[each]?.[position] ?? 0).join("");
    const known = state.closures.get(key);
    if (known !== undefined) return known;
    const closure = this.#close(state, (assertion) => holds[assertion]?.[position] === 1);
    state.closures.set(key, closure);
    return closure;
  }

  #close({ instructions }: State, isHolding: (assertion: number) => boolean): Closure {
    const seen = new Set(instructions);
    const waiting: number[] = [];
    let accepts = false;
    for (const index of seen) {
      const instruction = this.#program.instructions[index];
      if (instruction?.operation === "accept") accepts = true;
      if (instruction?.operation === "character") waiting.push(index);
      if (instruction?.operation === "split") for (const next of instruction.nexts) seen.add(next);
      if (instruction?.operation === "assert" && isHolding(instruction.assertion)) seen.add(instruction.next);
    }
    this.#kept += waiting.length;
    return { accepts, waiting, moves: [] };
  }

  /** Returns the next state. A match may begin at each position, so the entry is part of every state. */
  #after({ waiting, moves }: Closure, characterClass: number): State {
    const known = moves[characterClass];
    if (known !== undefined) return known;
    const atoms = this.#classAtoms[characterClass] ?? [];
    const reached = new Set([this.#program.entry]);
    for (const index of waiting) {
      const instruction = this.#program.instructions[index];
      if (instruction?.operation === "character" && atoms[instruction.atom] === true) reached.add(instruction.next);
    }
    const state = this.#state([...reached].toSorted((left, right) => left - right));
    moves[characterClass] = state;
    return state;
  }

  #state(instructions: readonly number[]): State {
    const key = instructions.join();
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    if (this.#kept > maximumKept) {
      this.#states.clear();
      this.#kept = 0;
    }
    const state = { instructions, closures: new Map() };
    this.#states.set(key, state);
    this.#kept += instructions.length;
    return state;
  }
}
