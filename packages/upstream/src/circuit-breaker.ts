export interface BreakerFigures {
  /** Failures in a row after which a node is left in peace. */
  readonly failures: number;
  /** For how long, the first time; twice as long each time that it fails again. */
  readonly restMilliseconds: number;
  readonly longestRestMilliseconds: number;
}

export const defaultBreakerFigures: BreakerFigures = {
  failures: 5,
  restMilliseconds: 1_000,
  longestRestMilliseconds: 30_000,
};

/** `closed`: calls pass; `open`: none does; `half-open`: one has passed, and decides. */
export type BreakerState = "closed" | "open" | "half-open";

/**
 * Keeps calls from a node that has failed several times in a row: each would wait for its own timeout.
 *
 * Of our own, because nodes are chosen by whether a call would pass, without making one; the known libraries wrap one function and
 * decide when it is called.
 */
export class CircuitBreaker {
  readonly #figures: BreakerFigures;
  readonly #now: () => number;
  #failures = 0;
  #rests = 0;
  /** 0 while it is closed. */
  #openUntil = 0;
  #isTried = false;

  constructor(figures: BreakerFigures = defaultBreakerFigures, now: () => number = () => performance.now()) {
    this.#figures = figures;
    this.#now = now;
  }

  get state(): BreakerState {
    if (this.#openUntil === 0) return "closed";
    return this.#isTried || this.restMilliseconds === 0 ? "half-open" : "open";
  }

  /** Until a call passes again; 0 when one does. */
  get restMilliseconds(): number {
    return this.#openUntil === 0 ? 0 : Math.max(0, this.#openUntil - this.#now());
  }

  /** Whether a call would pass now. */
  canPass(): boolean {
    return this.#openUntil === 0 || (!this.#isTried && this.restMilliseconds === 0);
  }

  /** Counts a call that passes; each is to be followed by one of `succeed`, `fail` and `leave`. */
  begin(): void {
    if (this.#openUntil !== 0) this.#isTried = true;
  }

  succeed(): void {
    this.#failures = 0;
    this.#rests = 0;
    this.#openUntil = 0;
    this.#isTried = false;
  }

  fail(): void {
    this.#failures += 1;
    const wasTried = this.#isTried;
    this.#isTried = false;
    if (this.#openUntil === 0 ? this.#failures < this.#figures.failures : !wasTried) return;
    const { restMilliseconds, longestRestMilliseconds } = this.#figures;
    this.#openUntil = this.#now() + Math.min(longestRestMilliseconds, restMilliseconds * 2 ** this.#rests);
    this.#rests += 1;
  }

  /** The call ended without saying anything about the node. */
  leave(): void {
    this.#isTried = false;
  }
}
