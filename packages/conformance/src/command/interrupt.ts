import type { OutputStream } from "./streams.ts";

/**
 * Returns the signal of SIGINT and SIGTERM: the first ends a run with the report of what was played, the second ends the process at once.
 */
export function createInterrupt(stderr: OutputStream): AbortSignal {
  const controller = new AbortController();
  const interrupt = (code: number): void => {
    if (controller.signal.aborted) process.exit(code);
    stderr.write("\nEnding: the report of what was played follows. Once more ends at once.\n");
    controller.abort();
  };
  process.on("SIGINT", () => interrupt(130));
  process.on("SIGTERM", () => interrupt(143));
  return controller.signal;
}
