/**
 * Lets one piece of heavy work begin in each turn of the event loop.
 *
 * What is answered from memory is answered in one go: of many such requests that have come together, all would be answered before anything
 * else is looked at. So what is light and comes between waits for one of them, and not for all.
 */
export class HeavyTurns {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  /** Fulfilled when it is one's turn; undefined when it is now. */
  next(): Promise<void> | undefined {
    if (this.#isTaken) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#take();
    return undefined;
  }

  #take(): void {
    this.#isTaken = true;
    setImmediate(() => {
      this.#isTaken = false;
      const begin = this.#waiting.shift();
      if (begin === undefined) return;
      this.#take();
      begin();
    });
  }
}
