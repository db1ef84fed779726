import type { Random } from "./random.ts";

/** Fraction of the picks that are young, and the number of the youngest. */
const youngShare = 0.4;
const youngest = 2_000;

/** A set from which any value is picked, added and removed in constant time. */
export class RandomSet<Value> {
  /** Values approximately by age, the oldest first. */
  readonly #values: Value[] = [];
  readonly #positions = new Map<Value, number>();

  get size(): number {
    return this.#values.length;
  }

  add(value: Value): void {
    if (this.#positions.has(value)) throw new Error("A value is added twice");
    this.#positions.set(value, this.#values.length);
    this.#values.push(value);
  }

  has(value: Value): boolean {
    return this.#positions.has(value);
  }

  /** Removes a value. Throws when it is not in the set. */
  remove(value: Value): void {
    const position = this.#positions.get(value);
    if (position === undefined) throw new Error("A value is removed that is not there");
    this.#positions.delete(value);
    const last = this.#values.pop();
    if (last === undefined || last === value) return;
    this.#values[position] = last;
    this.#positions.set(last, position);
  }

  /** Returns a value, which stays in the set: young ones more often. `undefined` if the set is empty. */
  pick(random: Random): Value | undefined {
    const { length } = this.#values;
    if (length === 0) return undefined;
    const reach = random.chance(youngShare) ? Math.min(youngest, length) : length;
    return this.#values[length - 1 - random.below(reach)];
  }
}
