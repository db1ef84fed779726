import { pause } from "./pause.ts";

/** Rate limiter of requests, which slows down for a target that reports that it is too busy. */
export interface Pacer {
  /** Resolves when the next request may be sent; to false when it would have to wait beyond the deadline, or the signal was aborted. */
  wait(deadline: number): Promise<boolean>;
  /** Records that the target is too busy: nothing is sent for a while, and then at a lower rate. */
  slowDown(milliseconds: number): void;
  /** Records a response. */
  speedUp(): void;
}

/** Maximum lateness of timers that is compensated; more would be a burst above the rate. */
const latenessMilliseconds = 20;
const responsesUntilFaster = 5;
/** Maximum interval between two requests to a busy target; its own `Retry-After` is waited in addition. */
const slowestMilliseconds = 500;

/** Creates a pacer that allows `rate` requests per second. */
export function createPacer(rate: number, signal: AbortSignal | undefined): Pacer {
  const fastest = 1_000 / rate;
  const slowest = Math.max(fastest, slowestMilliseconds);
  let interval = fastest;
  let nextAt = 0;
  let closedUntil = 0;
  let responses = 0;
  return {
    wait: async (deadline) => {
      const now = performance.now();
      const start = Math.max(nextAt, closedUntil, now - (interval === fastest ? latenessMilliseconds : 0));
      if (start > deadline) return false;
      nextAt = start + interval;
      await pause(start - now, signal);
      // The target may have reported that it is too busy during the wait.
      while (closedUntil > performance.now() && signal?.aborted !== true) {
        if (closedUntil > deadline) return false;
        await pause(closedUntil - performance.now(), signal);
      }
      return signal?.aborted !== true;
    },
    slowDown: (milliseconds) => {
      closedUntil = Math.max(closedUntil, performance.now() + milliseconds);
      interval = Math.min(slowest, Math.max(interval * 2, 20));
      nextAt = Math.max(nextAt, closedUntil);
      responses = 0;
    },
    speedUp: () => {
      responses += 1;
      if (interval === fastest || responses < responsesUntilFaster) return;
      responses = 0;
      interval = Math.max(fastest, interval / 1.5);
    },
  };
}
