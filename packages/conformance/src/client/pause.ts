import { setTimeout } from "node:timers/promises";

/** Waits; returns early, without an error, when the signal is aborted. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (milliseconds > 0) await setTimeout(milliseconds, undefined, { ...(signal && { signal }) }).catch(() => undefined);
}
