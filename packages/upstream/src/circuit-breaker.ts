/** Thresholds of a circuit breaker. */
export interface BreakerFigures {
  /** Number of consecutive failures after which the circuit opens. */
  readonly failures: number;
  /** Cooldown in milliseconds, the first time. It doubles with each further failure. */
  readonly restMilliseconds: number;
  readonly longestRestMilliseconds: number;
}

export const defaultBreakerFigures: BreakerFigures = {
  failures: 5,
  restMilliseconds: 1_000,
  longestRestMilliseconds: 30_000,
};

/** State of a circuit. `closed`: calls pass. `open`: no call passes. `half-open`: one call has passed and decides. */
export type BreakerState = "closed" | "open" | "half-open";

/**
 * Circuit breaker that blocks calls to a node that has failed several times in a row: each would wait for its own timeout.
 *
 * It is an implementation of our own, because nodes are chosen by whether a call would pass, without a call. The known libraries wrap one
 * function and decide when it is called.
 */
export class CircuitBreaker {
  readonly #figures: BreakerFigures;
  readonly #now: () => number;
  #failures = 0;
  #rests = 0;
  /** Time at which the cooldown ends; 0 while the circuit is closed. */
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

  /** Milliseconds until a call passes again; 0 when one passes now. */
  get restMilliseconds(): number {
    return this.#openUntil === 0 ? 0 : Math.max(0, this.#openUntil - this.#now());
  }

  /** Returns whether a call would pass now. */
  canPass(): boolean {
    return this.#openUntil === 0 || (!this.#isTried && this.restMilliseconds === 0);
  }

  /** Counts a call that passes. Each must be followed by one of `succeed`, `fail` and `leave`. */
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

  /** Records that the call ended without information about the node. */
  leave(): void {
    this.#isTried = false;
  }
}
