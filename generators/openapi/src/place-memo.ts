import type { Located, SourceNode } from "@nodewright/source";

/** What was read at places that many others refer to: a place is read once. */
export class PlaceMemo<Value> {
  readonly #values = new WeakMap<SourceNode, { readonly value: Value; readonly unsupported: number }>();
  readonly #unsupported: { count: number };

  constructor(unsupported: { count: number }) {
    this.#unsupported = unsupported;
  }

  /** Who takes a value from the memo has met what is not supported in it, as who read it first had. */
  get(place: Located, read: () => Value): Value {
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
