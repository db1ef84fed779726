export interface BatchLimitOptions {
  /** Most calls in one request that are wanted. */
  readonly maximum: number;
  readonly now?: (() => number) | undefined;
}

/** For so long a limit counts that was found; then twice of it is tried. */
const foundMilliseconds = 60_000;

/** Most calls that a node takes in one request, as far as it is known: found by its refusals, and tried again after a while. */
export class BatchLimit {
  readonly #maximum: number;
  readonly #now: () => number;
  #limit: number;
  /** When a refusal is no longer believed; `undefined` without one. */
  #believedUntil: number | undefined;
  #accepted = 0;

  constructor({ maximum, now }: BatchLimitOptions) {
    this.#maximum = maximum;
    this.#limit = maximum;
    this.#now = now ?? (() => performance.now());
  }

  /** Calls that the next request may hold. */
  get current(): number {
    if (this.#believedUntil !== undefined && this.#now() >= this.#believedUntil) {
      this.#limit = Math.min(this.#maximum, this.#limit * 2);
      this.#believedUntil = this.#limit === this.#maximum ? undefined : this.#now() + foundMilliseconds;
    }
    return this.#limit;
  }

  /** As `current`, without trying more after a while. */
  get known(): number {
    return this.#limit;
  }

  /** Whether the node is known to take so many. */
  isProven(length: number): boolean {
    return length <= this.#accepted;
  }

  accept(length: number): void {
    if (length > this.#accepted) this.#accepted = length;
  }

  /** The node took no request of `length` calls, and may have said how many it takes. */
  refuse(length: number, named: number | undefined): void {
    const half = Math.ceil(length / 2);
    const next = named !== undefined && named >= 1 && named < length ? named : half;
    // Of several requests that were under way at once, the later ones say nothing new.
    this.#limit = Math.min(this.#limit, next);
    this.#accepted = Math.min(this.#accepted, this.#limit);
    this.#believedUntil = this.#now() + foundMilliseconds;
  }
}
