import type { SourceValue, SourceNode } from "@nodewright/source";

/** Cache of values read at places that many others refer to. Each place is read once. */
export class PlaceMemo<Value> {
  readonly #values = new WeakMap<SourceNode, { readonly value: Value; readonly unsupported: number }>();
  readonly #unsupported: { count: number };

  constructor(unsupported: { count: number }) {
    this.#unsupported = unsupported;
  }

  /** Returns the value of a place. A cached value counts its unsupported features again, as the first read did. */
  get(place: SourceValue, read: () => Value): Value {
    const known = this.#values.get(place.node);
    if (known !== undefined) {
      this.#unsupported.count += known.unsupported;
      return known.value;
    }
    const before = this.#unsupported.count;
    const value = read();
    this.#values.set(place.node, { value, unsupported: this.#unsupported.count - before });
    return value;
  }
}
