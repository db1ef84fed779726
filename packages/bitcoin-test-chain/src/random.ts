import { hash } from "node:crypto";

/** A stream of numbers that depends only on its seed, the same on every machine. Not for secrets. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter: number;

  /** Creates the stream. Streams of different seeds are unrelated. */
  constructor(seed: string) {
    const digest = hash("sha256", seed, "buffer");
    this.#a = digest.readInt32LE(0);
    this.#b = digest.readInt32LE(4);
    this.#c = digest.readInt32LE(8);
    this.#counter = 1;
    for (let round = 0; round < 12; round += 1) this.uint32();
  }

  /** Returns 0 to 2^32 - 1. The generator is Chris Doty-Humphrey's sfc32. */
  uint32(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (this.#c << 21) | (this.#c >>> 11);
    this.#c = (this.#c + sum) | 0;
    return sum >>> 0;
  }

  /** Returns 0 to below 1. */
  fraction(): number {
    return this.uint32() / 4294967296;
  }

  /** Returns 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  /** Returns `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** Returns true with a probability from 0 to 1. */
  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  bytes(length: number): Uint8Array {
    const bytes = Buffer.allocUnsafe(length);
    for (let index = 0; index < length; index += 4) {
      const word = this.uint32();
      for (let place = 0; place < 4 && index + place < length; place += 1) bytes[index + place] = word >>> (8 * place);
    }
    return bytes;
  }
}

/** Choice of one element of a list, more often those of more weight. */
export class WeightedChoice<Value> {
  readonly #values: readonly Value[];
  /** Sums of the weights up to each value, ascending. */
  readonly #sums: readonly number[];
  readonly #total: number;

  constructor(entries: readonly (readonly [value: Value, weight: number])[]) {
    let total = 0;
    this.#values = entries.map(([value]) => value);
    this.#sums = entries.map(([, weight]) => (total += weight));
    this.#total = total;
  }

  pick(random: Random): Value {
    const point = random.fraction() * this.#total;
    const value = this.#values[this.#sums.findIndex((sum) => point < sum)];
    if (value === undefined) throw new Error("A choice of nothing");
    return value;
  }
}
