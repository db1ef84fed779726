/**
 * Scheduler that starts one piece of heavy work in each turn of the event loop.
 *
 * Responses from the cache are computed synchronously: of many such requests that arrive together, all would be served before anything
 * else. So light work in between waits for one of them, and not for all.
 */
export class HeavyWorkScheduler {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  /** Returns a promise for the next turn; undefined when work may start now. */
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
