import type { PositionAutomaton } from "./position-automaton.ts";

/** A string that leads into a loop, and one that can be repeated there in more than one way. */
export interface PumpWord {
  readonly prefix: string;
  readonly pump: string;
}

/** Maximum number of triples of positions that are visited for one pattern. */
const maximumTriples = 300_000;

/**
 * Finds words that an automaton can read in a loop in several ways: from a loop `p` back to it, from `p` to a second loop `q`, and from `q`
 * back to it, all with the same word (Weber and Seidl: the ambiguity then grows with each repetition), or around a loop that has two ways
 * without a character. `isComplete` is false if the search was stopped at its limit.
 */
export function findPumpWords(automaton: PositionAutomaton): {
  readonly words: readonly PumpWord[];
  readonly isComplete: boolean;
} {
  const search = new PumpSearch(automaton);
  const words = new Map<string, PumpWord>();
  for (const word of [...search.doubleWays(), ...search.pairsOfLoops()]) {
    const known = words.get(word.pump);
    if (known === undefined || word.prefix.length < known.prefix.length) words.set(word.pump, word);
  }
  return { words: [...words.values()], isComplete: search.isComplete };
}

class PumpSearch {
  isComplete = true;
  readonly #automaton: PositionAutomaton;
  /** Reachable positions by position. */
  readonly #reached: readonly ReadonlySet<number>[];
  #triples = 0;

  constructor(automaton: PositionAutomaton) {
    this.#automaton = automaton;
    this.#reached = automaton.positions.map((_, position) => this.#reachedFrom(position));
  }

  *doubleWays(): Iterable<PumpWord> {
    for (const [from, { follow }] of this.#automaton.positions.entries()) {
      for (const [to, ways] of follow) {
        if (ways < 2) continue;
        const back = to === from ? "" : this.#word([to], from);
        if (back === undefined) continue;
        const prefix = this.#prefix(from);
        const first = this.#characterOf(this.#automaton.positions[to]?.classes ?? 0);
        if (prefix !== undefined && first !== undefined) yield { prefix, pump: first + back };
      }
    }
  }

  *pairsOfLoops(): Iterable<PumpWord> {
    const loops = [...this.#reached.entries()].filter(([position, reached]) => reached.has(position));
    for (const [p, reached] of loops) {
      for (const [q] of loops) {
        if (p === q || !reached.has(q)) continue;
        const pump = this.#commonWord(p, q);
        const prefix = pump === undefined ? undefined : this.#prefix(p);
        if (pump !== undefined && prefix !== undefined) yield { prefix, pump };
        if (!this.isComplete) return;
      }
    }
  }

  /** Returns the shortest word that leads from p to p, from p to q, and from q to q. */
  #commonWord(p: number, q: number): string | undefined {
    const size = this.#automaton.positions.length;
    const keyOf = (x: number, y: number, z: number): number => (x * size + y) * size + z;
    const goal = keyOf(p, q, q);
    const words = new Map([[keyOf(p, p, q), ""]]);
    for (const [key, word] of words) {
      const [x, y, z] = [Math.floor(key / size / size), Math.floor(key / size) % size, key % size];
      for (const nextX of this.#within(x, p)) {
        for (const nextZ of this.#within(z, q)) {
          const both = this.#classes(nextX) & this.#classes(nextZ);
          if (both === 0) continue;
          for (const nextY of this.#within(y, q)) {
            const character = this.#characterOf(both & this.#classes(nextY));
            const next = keyOf(nextX, nextY, nextZ);
            if (character === undefined) continue;
            if (next === goal) return word + character;
            if (!words.has(next)) words.set(next, word + character);
            this.#triples += 1;
          }
        }
      }
      if (this.#triples > maximumTriples) {
        this.isComplete = false;
        return undefined;
      }
    }
    return undefined;
  }

  /** Yields the next positions from which `to` can be reached, or which are `to`. */
  *#within(position: number, to: number): Iterable<number> {
    for (const next of this.#automaton.positions[position]?.follow.keys() ?? []) {
      if (next === to || this.#reached[next]?.has(to) === true) yield next;
    }
  }

  #classes(position: number): number {
    return this.#automaton.positions[position]?.classes ?? 0;
  }

  #characterOf(classes: number): string | undefined {
    return classes === 0 ? undefined : this.#automaton.characters[31 - Math.clz32(classes & -classes)];
  }

  /** Returns the shortest string that ends at a position. */
  #prefix(position: number): string | undefined {
    const { first } = this.#automaton;
    const words = first.map((start) => {
      const character = this.#characterOf(this.#classes(start));
      if (start === position) return character;
      const rest = this.#word([start], position);
      return character === undefined || rest === undefined ? undefined : character + rest;
    });
    return words.filter((word) => word !== undefined).toSorted((left, right) => left.length - right.length)[0];
  }

  /** Returns the shortest word that leads from some positions to another. */
  #word(from: readonly number[], to: number): string | undefined {
    const words = new Map(from.map((position) => [position, ""]));
    for (const [position, word] of words) {
      for (const next of this.#automaton.positions[position]?.follow.keys() ?? []) {
        const character = this.#characterOf(this.#classes(next));
        if (character === undefined) continue;
        if (next === to) return word + character;
        if (!words.has(next)) words.set(next, word + character);
      }
    }
    return undefined;
  }

  #reachedFrom(position: number): ReadonlySet<number> {
    const reached = new Set(this.#automaton.positions[position]?.follow.keys());
    for (const next of reached)
      for (const each of this.#automaton.positions[next]?.follow.keys() ?? []) reached.add(each);
    return reached;
  }
}
