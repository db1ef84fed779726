/** A value with its rank: lower is more certain. */
export interface Ranked<Value> {
  readonly value: Value;
  readonly rank: number;
}

const maximumValues = 50;

/** The 50 most certain values without duplicates. Keeps the most certain of equal values, and the first of equally certain ones. */
export class RankedList<Value> {
  #entries: readonly (Ranked<Value> & { readonly key: unknown })[] = [];
  readonly #keyOf: (value: Value) => unknown;

  /** @param keyOf Returns the same key for equal values. */
  constructor(keyOf: (value: Value) => unknown) {
    this.#keyOf = keyOf;
  }

  get entries(): readonly Ranked<Value>[] {
    return this.#entries;
  }

  add(value: Value, rank: number): void {
    if (this.#entries.length >= maximumValues && (this.#entries.at(-1)?.rank ?? 0) <= rank) return;
    const key = this.#keyOf(value);
    const known = this.#entries.find((entry) => entry.key === key);
    if (known !== undefined && known.rank <= rank) return;
    const others = this.#entries.filter((entry) => entry !== known);
    this.#entries = [...others, { value, rank, key }]
      .toSorted((left, right) => left.rank - right.rank)
      .slice(0, maximumValues);
  }
}
