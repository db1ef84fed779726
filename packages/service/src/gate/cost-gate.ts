import { ServiceError } from "@nodewright/runtime";

export interface CostGateOptions {
  /** Maximum sum of the admitted costs. A request that alone exceeds it is admitted when no other one is. */
  readonly capacity: number;
  /** Minimum cost of a counted request: a cheaper one is always admitted. */
  readonly minimumCost: number;
  /** Maximum number of waiting requests. */
  readonly maximumWaiting: number;
  /** Maximum wait in milliseconds. */
  readonly maximumWaitMilliseconds: number;
}

/** Function that releases a cost. To be called once. */
export type ReleaseCost = () => void;

const retryAfterSeconds = 2;

interface WaitingRequest {
  readonly cost: number;
  readonly admit: () => void;
}

/**
 * Admission control for heavy work: the sum of admitted costs stays within a capacity, in the order of arrival, so that the responses of a
 * process do not exhaust its memory. A request that waits too long, or finds too many waiting, is rejected.
 */
export class CostGate {
  readonly #options: CostGateOptions;
  /** Waiting requests in the order of arrival. */
  readonly #waiting = new Set<WaitingRequest>();
  #admittedCost = 0;

  constructor(options: CostGateOptions) {
    this.#options = options;
  }

  /** Sum of the admitted costs. */
  get admittedCost(): number {
    return this.#admittedCost;
  }

  /**
   * Waits until there is capacity, and returns the function that releases it; synchronously where there is capacity now. Undefined for
   * cheap work. Throws `ServiceError`: `overloaded` when there is no capacity, the signal's reason when it is aborted.
   */
  enter(cost: number, getSignal: () => AbortSignal): ReleaseCost | undefined | Promise<ReleaseCost> {
    const { minimumCost, capacity, maximumWaiting } = this.#options;
    if (cost < minimumCost) return undefined;
    const admittedCost = Math.min(cost, capacity);
    if (this.#waiting.size === 0 && this.#admittedCost + admittedCost <= capacity) return this.#take(admittedCost);
    if (this.#waiting.size >= maximumWaiting) throw overloaded();
    return this.#wait(admittedCost, getSignal());
  }

  async #wait(admittedCost: number, signal: AbortSignal): Promise<ReleaseCost> {
    signal.throwIfAborted();
    return await new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.delete(waiting);
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      };
      const giveUp = (reason: unknown): void => {
        stop();
        reject(reason);
        // Cheaper work may have waited after it.
        this.#admitWaiting();
      };
      const onAbort = (): void => giveUp(signal.reason);
      const admit = (): void => {
        stop();
        resolve(this.#take(admittedCost));
      };
      const waiting: WaitingRequest = { cost: admittedCost, admit };
      const timer = setTimeout(() => giveUp(overloaded()), this.#options.maximumWaitMilliseconds);
      signal.addEventListener("abort", onAbort);
      this.#waiting.add(waiting);
    });
  }

  #take(admittedCost: number): ReleaseCost {
    this.#admittedCost += admittedCost;
    return () => {
      this.#admittedCost -= admittedCost;
      this.#admitWaiting();
    };
  }

  #admitWaiting(): void {
    for (const { cost, admit } of this.#waiting) {
      if (this.#admittedCost + cost > this.#options.capacity) return;
      admit();
    }
  }
}

function overloaded(): ServiceError {
  return new ServiceError("overloaded", "Too many expensive queries are running; try again, or request less at once", {
    retryAfterSeconds,
  });
}
