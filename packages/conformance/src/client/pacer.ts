import { pause } from "./pause.ts";

/** Gives requests their time: so many in a second, fewer for a target that says that it is too busy. */
export interface Pacer {
  /** Resolves when the next request may go; false when it would have to wait beyond the deadline, or the signal was aborted. */
  wait(deadline: number): Promise<boolean>;
  /** The target said that it is too busy: nothing goes for a while, and then less of it. */
  slowDown(milliseconds: number): void;
  /** The target answered. */
  speedUp(): void;
}

/** What timers that ring late cost is made up for, up to this; more would be a burst that breaks the rate. */
const latenessMilliseconds = 20;
const answersUntilFaster = 5;
/** Between two requests, however often a target says that it is too busy: what it says itself is waited besides. */
const slowestMilliseconds = 500;

/** Creates a pacer that lets `rate` requests through in a second. */
export function createPacer(rate: number, signal: AbortSignal | undefined): Pacer {
  const fastest = 1_000 / rate;
  const slowest = Math.max(fastest, slowestMilliseconds);
  let interval = fastest;
  let nextAt = 0;
  let closedUntil = 0;
  let answers = 0;
  return {
    wait: async (deadline) => {
      const now = performance.now();
      const start = Math.max(nextAt, closedUntil, now - (interval === fastest ? latenessMilliseconds : 0));
      if (start > deadline) return false;
      nextAt = start + interval;
      await pause(start - now, signal);
      // While it waited the target may have said that it is too busy.
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
      answers = 0;
    },
    speedUp: () => {
      answers += 1;
      if (interval === fastest || answers < answersUntilFaster) return;
      answers = 0;
      interval = Math.max(fastest, interval / 1.5);
    },
  };
}
