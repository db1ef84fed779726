import { setTimeout as sleep } from "node:timers/promises";

/** Notifier of possible changes of the main index. */
export interface MainIndexChanges {
  notify(): void;
  /**
   * Returns a function whose promise resolves with the next notification, at once when one came since the last time, when the poll interval
   * is over, and when it is aborted.
   */
  listen(): (signal: AbortSignal) => Promise<void>;
}

/** Poll interval of the main index in milliseconds, without notifications: it may be written by a process that is unknown here. */
const pollMilliseconds = 1_000;

export function createMainIndexChanges(milliseconds: number = pollMilliseconds): MainIndexChanges {
  let words = 0;
  let next = Promise.withResolvers<void>();
  return {
    notify() {
      words += 1;
      next.resolve();
      next = Promise.withResolvers<void>();
    },
    listen() {
      let heard = 0;
      return async (signal) => {
        if (heard === words && !signal.aborted) {
          const isOver = new AbortController();
          const time = sleep(milliseconds, undefined, { signal: AbortSignal.any([signal, isOver.signal]) });
          await Promise.race([next.promise, time.catch(() => undefined)]);
          isOver.abort();
        }
        heard = words;
      };
    },
  };
}
