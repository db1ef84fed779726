/**
 * Queue of which one piece of work begins in each turn of the event loop.
 *
 * Requests that have arrived meanwhile are handled in between, so light work waits for one piece of heavy work, and not for all.
 */
export class TurnQueue {
  /** Waiting work, the longest waiting first. */
  readonly #waiting = new Set<() => void>();
  #isTaken = false;
  #turn = 0;

  /** Number of this turn, which differs from that of every turn that was taken before. */
  get turn(): number {
    return this.#turn;
  }

  /** Takes this turn: further work waits for a later one. */
  take(): void {
    if (this.#isTaken) return;
    this.#isTaken = true;
    setImmediate(() => {
      this.#isTaken = false;
      this.#turn += 1;
      const [begin] = this.#waiting;
      if (begin === undefined) return;
      this.#waiting.delete(begin);
      this.take();
      begin();
    });
  }

  /** Returns a promise for the next free turn; undefined when work may begin now, which takes this one. */
  next(): Promise<void> | undefined {
    if (this.#isTaken) return this.wait();
    this.take();
    return undefined;
  }

  /** Returns a promise for a later turn, after earlier work. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
      this.take();
    });
  }
}
