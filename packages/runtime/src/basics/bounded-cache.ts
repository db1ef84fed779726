/** A map that evicts the least recently used entries once it is full. */
export class BoundedCache<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #capacity: number;
  readonly #weigh: (value: Value) => number;
  #weight = 0;

  /** Creates the cache. `capacity` bounds the sum of the weights, each at least 0; a value that is heavier by itself is not cached. */
  constructor(capacity: number, weigh: (value: Value) => number = () => 1) {
    this.#capacity = capacity;
    this.#weigh = weigh;
  }

  get size(): number {
    return this.#entries.size;
  }

  find(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  delete(key: Key): void {
    this.#forget(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }

  set(key: Key, value: Value): void {
    this.#forget(key);
    const weight = this.#weigh(value);
    if (weight > this.#capacity) return;
    this.#entries.set(key, value);
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#capacity) return;
      this.#forget(oldest);
    }
  }

  #forget(key: Key): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#weight -= this.#weigh(value);
  }
}
