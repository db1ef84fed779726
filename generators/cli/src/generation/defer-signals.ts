import { setImmediate } from "node:timers/promises";

/** Signals that request the end of a process and that it may defer. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export type TerminationSignal = (typeof signals)[number];

export interface DeferredSignals {
  /** Returns the signal that arrived while signals were held, after the system had the chance to deliver it. */
  received(): Promise<TerminationSignal | undefined>;
  /** Restores the default: signals end the process again. */
  release(): void;
}

/** Defers the end of the process, so that pending work can be finished; the caller ends the process afterwards. */
export function deferSignals(): DeferredSignals {
  let first: TerminationSignal | undefined;
  const handlers = signals.map((signal) => {
    const handler = (): void => {
      first ??= signal;
    };
    process.on(signal, handler);
    return { signal, handler };
  });
  return {
    async received() {
      // A signal is delivered in the poll phase of the event loop: two immediates have one in between.
      await setImmediate();
      await setImmediate();
      return first;
    },
    release() {
      for (const { signal, handler } of handlers) process.off(signal, handler);
    },
  };
}
