/**
 * Items of a response, each returned when it has arrived. The exchange ends when the consumer stops iterating, calls `return` or aborts the
 * call's signal; without any iteration, once the signal is aborted.
 */
export class ItemStream<Item> implements AsyncIterableIterator<Item, void, undefined> {
  readonly #items: AsyncGenerator<Item, void, undefined>;
  readonly #close: () => void;

  /** Creates the stream. `close` ends the exchange, which a generator that has not started would not do. */
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
