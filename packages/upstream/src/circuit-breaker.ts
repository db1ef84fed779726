/** Thresholds of a circuit breaker. */
export interface CircuitBreakerOptions {
  /** Number of consecutive failures after which the circuit opens. */
  readonly failureThreshold: number;
  /** Cooldown in milliseconds, the first time. It doubles with each further failure. */
  readonly cooldownMilliseconds: number;
  /** Maximum cooldown in milliseconds. */
  readonly maximumCooldownMilliseconds: number;
}

export const defaultCircuitBreakerOptions: CircuitBreakerOptions = {
  failureThreshold: 5,
  cooldownMilliseconds: 1_000,
  maximumCooldownMilliseconds: 30_000,
};

/** State of a circuit. `closed`: calls pass. `open`: no call passes. `half-open`: one call has passed and decides. */
export type BreakerState = "closed" | "open" | "half-open";

/**
 * Circuit breaker that blocks calls to a node that has failed several times in a row: each would wait for its own timeout.
 *
 * The known libraries wrap a function and decide when it is called. Here a node is chosen first, by whether its circuit would let a call
 * pass.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions;
  readonly #now: () => number;
  #failures = 0;
  /** Number of times that the circuit opened since the latest success. */
  #openings = 0;
  /** Time at which the cooldown ends; 0 while the circuit is closed. */
  #openUntil = 0;
  #isProbing = false;

  constructor(
    options: CircuitBreakerOptions = defaultCircuitBreakerOptions,
    now: () => number = () => performance.now(),
  ) {
    this.#options = options;
    this.#now = now;
  }

  get state(): BreakerState {
    if (this.#openUntil === 0) return "closed";
    return this.#isProbing || this.remainingCooldown === 0 ? "half-open" : "open";
  }

  /** Milliseconds until a call passes again; 0 when one passes now. */
  get remainingCooldown(): number {
    return this.#openUntil === 0 ? 0 : Math.max(0, this.#openUntil - this.#now());
  }

  /** Returns whether a call would pass now. */
  canPass(): boolean {
    return this.#openUntil === 0 || (!this.#isProbing && this.remainingCooldown === 0);
  }

  /** Counts a call that passes. Each must be followed by one of `succeed`, `fail` and `cancel`. */
  begin(): void {
    if (this.#openUntil !== 0) this.#isProbing = true;
  }

  succeed(): void {
    this.#failures = 0;
    this.#openings = 0;
    this.#openUntil = 0;
    this.#isProbing = false;
  }

  fail(): void {
    this.#failures += 1;
    const wasTried = this.#isProbing;
    this.#isProbing = false;
    if (this.#openUntil === 0 ? this.#failures < this.#options.failureThreshold : !wasTried) return;
    const { cooldownMilliseconds, maximumCooldownMilliseconds } = this.#options;
    this.#openUntil = this.#now() + Math.min(maximumCooldownMilliseconds, cooldownMilliseconds * 2 ** this.#openings);
    this.#openings += 1;
  }

  /** Records that the call ended without a result that indicates the node's health, such as a call that the client aborted. */
  cancel(): void {
    this.#isProbing = false;
  }
}
