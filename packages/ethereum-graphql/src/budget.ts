import { ServiceError } from "@nodewright/runtime";
import type { Eventually } from "./eventually.ts";

/** What the execution of one GraphQL request may use at most. */
export interface BudgetLimits {
  /** Calls of the node, each member of a batch being one. */
  readonly calls: number;
  /** Blocks, transactions and logs in lists of the answer: a short query can ask for each transaction's block's transactions. */
  readonly objects: number;
  /** Length of what the node answers, before it is cut down to what was asked for. */
  readonly upstreamBytes: number;
  /** From the beginning of the execution to its end. */
  readonly milliseconds: number;
}

/** What is counted while a request is executed. */
export type BudgetItem = Exclude<keyof BudgetLimits, "milliseconds">;

export const defaultBudgetLimits: BudgetLimits = {
  calls: 2_500,
  objects: 50_000,
  upstreamBytes: 128 * 1024 * 1024,
  milliseconds: 30_000,
};

/**
 * What one GraphQL request has used, held against its limits.
 *
 * The first limit that is passed ends the request: `signal` is aborted, which ends the calls of the node that are under way, and
 * whatever is taken afterwards throws the same error again. The same happens when the time is over, and when the caller goes away.
 */
export class Budget {
  readonly limits: BudgetLimits;
  readonly #startedAt = performance.now();
  readonly #getCallerSignal: (() => AbortSignal) | undefined;
  readonly #used: Record<BudgetItem, number> = { calls: 0, objects: 0, upstreamBytes: 0 };
  #ending: Ending | undefined;
  #tellEnd: ((failure: unknown) => void) | undefined;
  #failure: unknown;
  #isClosed = false;
  #closers: (() => void)[] = [];

  /** `getCallerSignal` gives what is aborted when nobody waits for the answer any more; it is asked when first there is something to end. */
  constructor(limits: Partial<BudgetLimits> = {}, getCallerSignal?: () => AbortSignal) {
    this.limits = { ...defaultBudgetLimits, ...limits };
    this.#getCallerSignal = getCallerSignal;
  }

  /** Aborted when the request is to end unfinished, with `failure` as reason. Handed to each call of the node. */
  get signal(): AbortSignal {
    // Most requests are answered from memory: neither a timer nor a listener is made for them.
    this.#ending ??= this.#watch();
    return this.#ending.controller.signal;
  }

  /** Why the request has ended unfinished, a `ServiceError`; undefined while it has not. */
  get failure(): unknown {
    return this.#failure;
  }

  /** How much was taken so far. */
  used(item: BudgetItem): number {
    return this.#used[item];
  }

  /**
   * Counts what is about to be used, or was. Throws what `failure` is: `invalid_input` for the first limit that is passed, with
   * `limit`, `maximum` and `actual` as details, where `actual` is as far as it was counted.
   */
  take(item: BudgetItem, amount: number): void {
    if (this.#failure !== undefined) throw this.#failure;
    const actual = this.#used[item] + amount;
    this.#used[item] = actual;
    const maximum = this.limits[item];
    if (actual <= maximum) return;
    this.end(limitPassed(item, maximum, actual));
    throw this.#failure;
  }

  /** Calls a function when the request has ended, finished or not: at once when it has. */
  whenOver(close: () => void): void {
    if (this.#isClosed) close();
    else this.#closers.push(close);
  }

  /**
   * Waits for what `run` gives, and no longer than the request may last: rejects with `failure` as soon as there is one, and drops what
   * was gathered by then. Afterwards nothing of the budget is left behind.
   */
  spend<Result>(run: () => Eventually<Result>): Eventually<Result> {
    let result: Eventually<Result> | undefined;
    try {
      result = run();
    } finally {
      if (!(result instanceof Promise)) this.#close();
    }
    if (result instanceof Promise) return this.#firstOf(result).finally(() => this.#close());
    if (this.#failure !== undefined) throw this.#failure;
    return result;
  }

  #firstOf<Result>(result: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) reject(this.#failure);
      this.#tellEnd = reject;
      result.then((value) => (this.#failure === undefined ? resolve(value) : reject(this.#failure)), reject);
    });
  }

  #watch(): Ending {
    const controller = new AbortController();
    if (this.#failure !== undefined) controller.abort(this.#failure);
    const { milliseconds } = this.limits;
    const left = Math.max(0, milliseconds - (performance.now() - this.#startedAt));
    const timer = setTimeout(() => this.end(timeIsOver(milliseconds)), left).unref();
    const callerSignal = this.#getCallerSignal?.();
    const onCallerGone = (): void => this.end(callerSignal?.reason);
    callerSignal?.addEventListener("abort", onCallerGone, { once: true });
    const ending = { controller, timer, callerSignal, onCallerGone };
    if (callerSignal?.aborted === true) {
      this.#failure ??= callerSignal.reason;
      controller.abort(this.#failure);
      this.#tellEnd?.(this.#failure);
    }
    return ending;
  }

  /** Ends the request unfinished; the first failure counts. */
  end(failure: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = failure;
    this.#close();
    this.#ending?.controller.abort(failure);
    this.#tellEnd?.(failure);
  }

  #close(): void {
    this.#isClosed = true;
    const closers = this.#closers;
    this.#closers = [];
    for (const close of closers) close();
    if (this.#ending === undefined) return;
    const { timer, callerSignal, onCallerGone } = this.#ending;
    clearTimeout(timer);
    callerSignal?.removeEventListener("abort", onCallerGone);
  }
}

interface Ending {
  readonly controller: AbortController;
  readonly timer: NodeJS.Timeout;
  readonly callerSignal: AbortSignal | undefined;
  onCallerGone(): void;
}

const needs: Readonly<Record<BudgetItem, string>> = {
  calls: "The request needs more calls of the node than",
  objects: "The answer holds more blocks, transactions and logs than",
  upstreamBytes: "What the node answers for the request has more bytes than",
};

function limitPassed(limit: BudgetItem, maximum: number, actual: number): ServiceError {
  return new ServiceError("invalid_input", `${needs[limit]} ${maximum}, the limit; ask for less at once`, {
    details: { limit, maximum, actual },
  });
}

function timeIsOver(maximum: number): ServiceError {
  return new ServiceError("upstream_timeout", `The answer took longer than ${maximum} ms; ask for less at once`, {
    details: { limit: "milliseconds", maximum, actual: maximum },
  });
}
