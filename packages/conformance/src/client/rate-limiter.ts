import { pause } from "./pause.ts";

/** Rate limiter of requests, which slows down for a target that reports that it is too busy. */
export interface RateLimiter {
  /** Resolves to true when the next request may be sent; to false when that is after the deadline, or the signal was aborted. */
  acquire(deadline: number): Promise<boolean>;
  /** Records that the target is too busy: nothing is sent for a while, and then at a lower rate. */
  slowDown(milliseconds: number): void;
  /** Records a response. */
  speedUp(): void;
}

/** Maximum lateness of timers that is compensated, so that no burst exceeds the rate. */
const latenessMilliseconds = 20;
/** Number of responses after which the rate is increased. */
const responsesUntilSpeedUp = 5;
/** Maximum interval between two requests to a busy target, in addition to its `Retry-After`. */
const maximumIntervalMilliseconds = 500;

/** Creates a rate limiter that allows `rate` requests per second. */
export function createRateLimiter(rate: number, signal: AbortSignal | undefined): RateLimiter {
  const minimumInterval = 1_000 / rate;
  const maximumInterval = Math.max(minimumInterval, maximumIntervalMilliseconds);
  let interval = minimumInterval;
  let nextAt = 0;
  let pausedUntil = 0;
  let responses = 0;
  return {
    acquire: async (deadline) => {
      const now = performance.now();
      const start = Math.max(nextAt, pausedUntil, now - (interval === minimumInterval ? latenessMilliseconds : 0));
      if (start > deadline) return false;
      nextAt = start + interval;
      await pause(start - now, signal);
      // The target may have reported that it is too busy during the wait.
      while (pausedUntil > performance.now() && signal?.aborted !== true) {
        if (pausedUntil > deadline) return false;
        await pause(pausedUntil - performance.now(), signal);
      }
      return signal?.aborted !== true;
    },
    slowDown: (milliseconds) => {
      pausedUntil = Math.max(pausedUntil, performance.now() + milliseconds);
      interval = Math.min(maximumInterval, Math.max(interval * 2, 20));
      nextAt = Math.max(nextAt, pausedUntil);
      responses = 0;
    },
    speedUp: () => {
      responses += 1;
      if (interval === minimumInterval || responses < responsesUntilSpeedUp) return;
      responses = 0;
      interval = Math.max(minimumInterval, interval / 1.5);
    },
  };
}
