/** A bounded cache of values that never change, the ones used longest ago dropped first. */
export class ImmutableCache<Value> {
  readonly #capacity: number;
  readonly #weigh: (value: Value) => number;
  /** In order of use: a Map iterates in the order of insertion. */
  readonly #entries = new Map<string, Value>();
  #weight = 0;

  /** `capacity` bounds the sum of the weights; a value heavier than all of it is not kept. */
  constructor(capacity: number, weigh: (value: Value) => number) {
    this.#capacity = capacity;
    this.#weigh = weigh;
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.delete(key);
    const weight = this.#weigh(value);
    if (weight > this.#capacity) return;
    this.#entries.set(key, value);
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#capacity) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#weight -= this.#weigh(value);
  }
}
