export interface BatchLimitOptions {
  /** Configured maximum of calls in one request. */
  readonly maximum: number;
  readonly now?: (() => number) | undefined;
}

/** Time in milliseconds for which a discovered limit counts. Afterwards twice the limit is tried. */
const foundMilliseconds = 60_000;

/**
 * Maximum number of calls that a node accepts in one request, as far as it is known. It is learned from refusals and raised again after a
 * while.
 */
export class BatchLimit {
  readonly #maximum: number;
  readonly #now: () => number;
  #limit: number;
  /** Time at which the last refusal expires; `undefined` without one. */
  #believedUntil: number | undefined;
  #accepted = 0;

  constructor({ maximum, now }: BatchLimitOptions) {
    this.#maximum = maximum;
    this.#limit = maximum;
    this.#now = now ?? (() => performance.now());
  }

  /** Number of calls that the next request may contain. */
  get current(): number {
    if (this.#believedUntil !== undefined && this.#now() >= this.#believedUntil) {
      this.#limit = Math.min(this.#maximum, this.#limit * 2);
      this.#believedUntil = this.#limit === this.#maximum ? undefined : this.#now() + foundMilliseconds;
    }
    return this.#limit;
  }

  /** The same as `current`, but never raised after a while. */
  get known(): number {
    return this.#limit;
  }

  /** Returns whether the node is known to accept this many calls. */
  isProven(length: number): boolean {
    return length <= this.#accepted;
  }

  accept(length: number): void {
    if (length > this.#accepted) this.#accepted = length;
  }

  /** Records that the node refused a request of `length` calls. `named` is the limit that its error names, if any. */
  refuse(length: number, named: number | undefined): void {
    const half = Math.ceil(length / 2);
    const next = named !== undefined && named >= 1 && named < length ? named : half;
    // When several requests were in flight at once, the later refusals add no information.
    this.#limit = Math.min(this.#limit, next);
    this.#accepted = Math.min(this.#accepted, this.#limit);
    this.#believedUntil = this.#now() + foundMilliseconds;
  }
}
