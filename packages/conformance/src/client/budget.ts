import type { InterruptionCause } from "./interruption.ts";

/** Remaining requests and time of a run. */
export interface Budget {
  /** Deadline on the clock of `performance.now()`. */
  readonly deadline: number;
  /** Number of requests so far, including repeated ones. */
  readonly requests: number;
  /** Takes a request that calls the operations; returns why it may not be sent. */
  take(operations: readonly string[]): InterruptionCause | undefined;
  /** Returns a request to the budget that was taken but not sent. */
  release(operations: readonly string[]): void;
  callsOf(operation: string): number;
  /** Returns why nothing may be sent any more; `undefined` while something may. */
  endedBecause(): string | undefined;
  /** Ends the run early. */
  end(reason: string): void;
}

export interface BudgetLimits {
  readonly maxMilliseconds?: number | undefined;
  readonly maxRequests?: number | undefined;
  readonly callsOf: (operation: string) => number;
  readonly signal?: AbortSignal | undefined;
}

const interruptedText = "the run was interrupted";

/** Creates the budget of a run that begins now. */
export function createBudget({ maxMilliseconds, maxRequests, callsOf, signal }: BudgetLimits): Budget {
  const deadline = maxMilliseconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + maxMilliseconds;
  const calls = new Map<string, number>();
  let requests = 0;
  let end: string | undefined;
  const endedBecause = (): string | undefined => {
    if (end !== undefined) return end;
    if (signal?.aborted === true) return interruptedText;
    if (performance.now() >= deadline) return `its ${(maxMilliseconds ?? 0) / 1_000} s were over`;
    return maxRequests !== undefined && requests >= maxRequests
      ? `its ${maxRequests} requests were used up`
      : undefined;
  };
  return {
    deadline,
    get requests() {
      return requests;
    },
    take: (operations) => {
      const ended = endedBecause();
      if (ended !== undefined) return { kind: "ended", text: ended };
      const full = operations.find((one) => (calls.get(one) ?? 0) >= callsOf(one));
      if (full !== undefined) return { kind: "budget", text: `${full} was called ${callsOf(full)} times` };
      requests += 1;
      for (const one of operations) calls.set(one, (calls.get(one) ?? 0) + 1);
      return undefined;
    },
    release: (operations) => {
      requests -= 1;
      for (const one of operations) calls.set(one, (calls.get(one) ?? 1) - 1);
    },
    callsOf: (operation) => calls.get(operation) ?? 0,
    endedBecause,
    end: (reason) => {
      end ??= reason;
    },
  };
}
