import { createHash } from "node:crypto";

/** A pseudo-random number generator with a seed. */
export interface RandomSource {
  /** Returns a number in [0, 1). */
  next(): number;
  /** Returns an integer from `minimum` to `maximum`, both included. */
  integer(minimum: number, maximum: number): number;
  /** Returns an element of a non-empty list. */
  pick<Value>(values: readonly Value[]): Value;
  /** Returns another source, the same for the same name. */
  fork(name: string): RandomSource;
}

/** Creates a source of numbers for a seed: the same for the same seed, on every machine. */
export function createRandom(seed: string): RandomSource {
  return new SeededRandom(seed);
}

/** Chris Doty-Humphrey's sfc32, initialized with the SHA-256 of the seed. */
class SeededRandom implements RandomSource {
  readonly #seed: string;
  #a: number;
  #b: number;
  #c: number;
  #counter: number;

  constructor(seed: string) {
    const digest = createHash("sha256").update(seed).digest();
    this.#seed = seed;
    this.#a = digest.readInt32LE(0);
    this.#b = digest.readInt32LE(4);
    this.#c = digest.readInt32LE(8);
    this.#counter = digest.readInt32LE(12);
  }

  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  }

  integer(minimum: number, maximum: number): number {
    if (maximum <= minimum) return minimum;
    const count = maximum - minimum + 1;
    const position = count > 2 ** 32 ? this.next() + this.next() / 2 ** 32 : this.next();
    return Math.min(maximum, minimum + Math.floor(position * count));
  }

  pick<Value>(values: readonly Value[]): Value {
    const index = this.integer(0, values.length - 1);
    if (index >= values.length) throw new Error("There is nothing to pick from");
    return values[index] as Value;
  }

  fork(name: string): RandomSource {
    return new SeededRandom(`${this.#seed}/${name}`);
  }
}
