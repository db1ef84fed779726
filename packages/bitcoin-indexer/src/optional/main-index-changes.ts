import { setTimeout as sleep } from "node:timers/promises";

/** Passes word that the main index may have changed to those that wait for it. */
export interface MainIndexChanges {
  tell(): void;
  /**
   * Gives a function whose promise resolves with the next word, at once when one came since the last time, when it is time to look
   * anyway, and when it is aborted.
   */
  listen(): (signal: AbortSignal) => Promise<void>;
}

/** Also without a word the main index is looked at so often: it may be written by a process that nobody here knows of. */
const lookMilliseconds = 1_000;

export function createMainIndexChanges(milliseconds: number = lookMilliseconds): MainIndexChanges {
  let words = 0;
  let next = Promise.withResolvers<void>();
  return {
    tell() {
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
