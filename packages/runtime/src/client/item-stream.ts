/**
 * The items of an answer, each given when it has come. Who stops iterating, calls `return` or aborts the call's signal ends the
 * exchange; so does who never starts, once the signal is aborted.
 */
export class ItemStream<Item> implements AsyncIterableIterator<Item, void, undefined> {
  readonly #items: AsyncGenerator<Item, void, undefined>;
  readonly #close: () => void;

  /** `close` ends the exchange; a generator that has not started would not do it. */
  constructor(items: AsyncGenerator<Item, void, undefined>, close: () => void) {
    this.#items = items;
    this.#close = close;
  }

  next(): Promise<IteratorResult<Item, void>> {
    return this.#items.next();
  }

  async return(): Promise<IteratorResult<Item, void>> {
    this.#close();
    return this.#items.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }
}
