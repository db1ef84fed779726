import { setTimeout as pause } from "node:timers/promises";

/** Waits, and answers whether there is a next time: not when the signal comes. */
export async function waitUntilNext(milliseconds: number, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal?.aborted === true) return false;
  try {
    await pause(milliseconds, undefined, signal === undefined ? {} : { signal });
    return true;
  } catch {
    return false;
  }
}
