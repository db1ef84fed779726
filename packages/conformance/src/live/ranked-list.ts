/** A value with how surely it is one for its use: lower is surer. */
export interface Ranked<Value> {
  readonly value: Value;
  readonly rank: number;
}

const maximumValues = 50;

/** The surest 50 values, each once: of equal ones the surest stays, of equally sure ones the first. */
export class RankedList<Value> {
  #entries: readonly (Ranked<Value> & { readonly key: unknown })[] = [];
  readonly #keyOf: (value: Value) => unknown;

  /** @param keyOf Gives equal values one key. */
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
