import { setImmediate } from "node:timers/promises";

/** Signals that ask a process to end and that it may put off. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export type EndSignal = (typeof signals)[number];

export interface HeldSignals {
  /** The signal that came while signals were held, once the system had the chance to deliver it. */
  received(): Promise<EndSignal | undefined>;
  /** Signals end the process again. */
  release(): void;
}

/** Puts off the end of the process: what is under way can be finished, and the caller ends the process afterwards. */
export function holdSignals(): HeldSignals {
  let first: EndSignal | undefined;
  const handlers = signals.map((signal) => {
    const handler = (): void => {
      first ??= signal;
    };
    process.on(signal, handler);
    return { signal, handler };
  });
  return {
    async received() {
      // A signal is told in the poll phase of the event loop: two turns have one in between.
      await setImmediate();
      await setImmediate();
      return first;
    },
    release() {
      for (const { signal, handler } of handlers) process.off(signal, handler);
    },
  };
}
