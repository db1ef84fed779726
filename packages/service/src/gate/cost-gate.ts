import { ServiceError } from "@nodewright/runtime";

export interface CostGateOptions {
  /** Sum of the costs that are admitted at once. A request that exceeds it alone is admitted when no other is. */
  readonly capacity: number;
  /** Cost below which a request is always admitted, and not counted. */
  readonly lightest: number;
  /** Maximum number of waiting requests. */
  readonly waiting: number;
  /** Maximum wait in milliseconds. */
  readonly waitMilliseconds: number;
}

/** Function that releases a cost. To be called once. */
export type Leave = () => void;

const retryAfterSeconds = 2;

interface Waiting {
  readonly weight: number;
  readonly letIn: () => void;
}

/**
 * Admission control for heavy work: the sum of admitted costs stays within a capacity, in the order of arrival, so that a process holds no
 * more responses at once than it has memory for. A request that would wait too long, or after too many, is rejected.
 */
export class CostGate {
  readonly #options: CostGateOptions;
  /** Waiting requests in the order of arrival. */
  readonly #waiting = new Set<Waiting>();
  #taken = 0;

  constructor(options: CostGateOptions) {
    this.#options = options;
  }

  /** Sum of the admitted costs. */
  get taken(): number {
    return this.#taken;
  }

  /**
   * Waits until there is capacity, and returns the function that releases it; synchronously where there is capacity now. Undefined for
   * light work. Throws `ServiceError`: `overloaded` when there is no capacity, the signal's reason when it is aborted.
   */
  enter(cost: number, getSignal: () => AbortSignal): Leave | undefined | Promise<Leave> {
    const { lightest, capacity, waiting } = this.#options;
    if (cost < lightest) return undefined;
    const weight = Math.min(cost, capacity);
    if (this.#waiting.size === 0 && this.#taken + weight <= capacity) return this.#take(weight);
    if (this.#waiting.size >= waiting) throw overloaded();
    return this.#wait(weight, getSignal());
  }

  async #wait(weight: number, signal: AbortSignal): Promise<Leave> {
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
        // Lighter work may have waited after it.
        this.#letIn();
      };
      const onAbort = (): void => giveUp(signal.reason);
      const letIn = (): void => {
        stop();
        resolve(this.#take(weight));
      };
      const waiting: Waiting = { weight, letIn };
      const timer = setTimeout(() => giveUp(overloaded()), this.#options.waitMilliseconds);
      signal.addEventListener("abort", onAbort);
      this.#waiting.add(waiting);
    });
  }

  #take(weight: number): Leave {
    this.#taken += weight;
    return () => {
      this.#taken -= weight;
      this.#letIn();
    };
  }

  #letIn(): void {
    for (const { weight, letIn } of this.#waiting) {
      if (this.#taken + weight > this.#options.capacity) return;
      letIn();
    }
  }
}

function overloaded(): ServiceError {
  return new ServiceError("overloaded", "Too many expensive queries are running; try again, or request less at once", {
    retryAfterSeconds,
  });
}
