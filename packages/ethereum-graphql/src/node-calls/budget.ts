import { ServiceError } from "@nodewright/runtime";
import type { PromiseOrValue } from "../basics/promise-or-value.ts";

/** Limits of the execution of one GraphQL request. */
export interface BudgetLimits {
  /** Maximum calls of the node, counting each member of a batch. */
  readonly calls: number;
  /** Maximum blocks, transactions and logs in lists of the response: a short query can select each transaction's block's transactions. */
  readonly objects: number;
  /** Maximum length of the node's responses, before they are reduced to the selection. */
  readonly upstreamBytes: number;
  /** Maximum duration of the execution in milliseconds. */
  readonly milliseconds: number;
}

/** Quantity that is counted while a request is executed. */
export type BudgetItem = Exclude<keyof BudgetLimits, "milliseconds">;

export const defaultBudgetLimits: BudgetLimits = {
  calls: 2_500,
  objects: 50_000,
  upstreamBytes: 128 * 1024 * 1024,
  milliseconds: 30_000,
};

/**
 * Usage of one GraphQL request, compared with its limits.
 *
 * The first exceeded limit ends the request: `signal` is aborted, which ends the calls of the node in flight, and everything taken
 * afterwards throws the same error again. The same happens when the time is over, and when the client goes away.
 */
export class Budget {
  readonly limits: BudgetLimits;
  readonly #startedAt = performance.now();
  readonly #getCallerSignal: (() => AbortSignal) | undefined;
  readonly #used: Record<BudgetItem, number> = { calls: 0, objects: 0, upstreamBytes: 0 };
  #ending: Ending | undefined;
  #reportEnd: ((failure: unknown) => void) | undefined;
  #failure: unknown;
  #isClosed = false;
  #closers: (() => void)[] = [];

  /**
   * Creates the budget. `getCallerSignal` returns the signal that is aborted when the client has gone; it is called when there is first
   * something to end.
   */
  constructor(limits: Partial<BudgetLimits> = {}, getCallerSignal?: () => AbortSignal) {
    this.limits = { ...defaultBudgetLimits, ...limits };
    this.#getCallerSignal = getCallerSignal;
  }

  /** Signal that is aborted when the request must end unfinished, with `failure` as reason. Passed to each call of the node. */
  get signal(): AbortSignal {
    // Most requests are served from the cache: neither a timer nor a listener is created for them.
    this.#ending ??= this.#watch();
    return this.#ending.controller.signal;
  }

  /** Reason why the request has ended unfinished, a `ServiceError`; undefined while it has not. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Returns the amount taken so far. */
  used(item: BudgetItem): number {
    return this.#used[item];
  }

  /**
   * Counts usage, before or after it. Throws `failure`: `invalid_input` for the first exceeded limit, with `limit`, `maximum` and `actual`
   * as details, where `actual` is the count so far.
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

  /** Calls a function when the request has ended, finished or not: at once when it already has. */
  whenOver(close: () => void): void {
    if (this.#isClosed) close();
    else this.#closers.push(close);
  }

  /**
   * Waits for the result of `run`, no longer than the request may last: rejects with `failure` as soon as there is one, and drops the
   * partial result. Afterwards no timer or listener of the budget is left.
   */
  spend<Result>(run: () => PromiseOrValue<Result>): PromiseOrValue<Result> {
    let result: PromiseOrValue<Result> | undefined;
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
      this.#reportEnd = reject;
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
      this.#reportEnd?.(this.#failure);
    }
    return ending;
  }

  /** Ends the request unfinished. The first failure counts. */
  end(failure: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = failure;
    this.#close();
    this.#ending?.controller.abort(failure);
    this.#reportEnd?.(failure);
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
  objects: "The response has more blocks, transactions and logs than",
  upstreamBytes: "The node's responses to the request have more bytes than",
};

function limitPassed(limit: BudgetItem, maximum: number, actual: number): ServiceError {
  return new ServiceError("invalid_input", `${needs[limit]} ${maximum}, the limit; request less at once`, {
    details: { limit, maximum, actual },
  });
}

function timeIsOver(maximum: number): ServiceError {
  return new ServiceError("upstream_timeout", `The response took longer than ${maximum} ms; request less at once`, {
    details: { limit: "milliseconds", maximum, actual: maximum },
  });
}
