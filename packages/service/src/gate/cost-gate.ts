import { ServiceError } from "@nodewright/runtime";

export interface CostGateOptions {
  /** Sum of the costs that are let in at once. What costs more alone is let in when nothing else is. */
  readonly capacity: number;
  /** What costs less is let in always, and not counted. */
  readonly lightest: number;
  /** Most that wait. */
  readonly waiting: number;
  /** For so long somebody waits at most. */
  readonly waitMilliseconds: number;
}

/** Gives back what was taken. To be called once. */
export type Leave = () => void;

const retryAfterSeconds = 2;

interface Waiting {
  readonly weight: number;
  readonly letIn: () => void;
}

/**
 * Lets heavy work in while the sum of its costs stays within a capacity, and in the order in which it came: so that a process holds no
 * more answers at once than it has memory for. Who would have to wait too long, or behind too many, is refused.
 */
export class CostGate {
  readonly #options: CostGateOptions;
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiting>();
  #taken = 0;

  constructor(options: CostGateOptions) {
    this.#options = options;
  }

  /** The sum of the costs that are in. */
  get taken(): number {
    return this.#taken;
  }

  /**
   * Waits until there is room, and gives what is to be called when it is needed no more; at once where there is room now. Undefined for
   * what is light. Throws `ServiceError`: `overloaded` when there is no room, the signal's reason when it is aborted.
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
        // Somebody lighter may have stood behind.
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
  return new ServiceError("overloaded", "Too many heavy queries are being answered; ask again, or for less at once", {
    retryAfterSeconds,
  });
}
