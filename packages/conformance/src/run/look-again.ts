import type { RunOptions } from "../contract/options.ts";
import { pause } from "../client/pause.ts";
import { playAgain } from "./play-again.ts";
import type { PlayedCase } from "./played-case.ts";
import type { RunTools } from "./run-tools.ts";

const pauseBeforeRecheckMilliseconds = 500;

/** Plays failures of cases that depend on the head again, later; what then passes twice is flaky. */
export async function lookAgain(
  options: RunOptions,
  { state, book, budget, presence, cases }: Pick<RunTools, "state" | "book" | "budget" | "presence" | "cases">,
): Promise<void> {
  const { open } = book;
  if (open.length === 0) return;
  await presence.settle(1);
  if (presence.goneBecause !== undefined) return;
  if (budget.endedBecause() === undefined) {
    await pause(pauseBeforeRecheckMilliseconds, options.signal);
    await state.detection?.waitForHead(options.signal);
  }
  const settleAll = async (own: readonly PlayedCase[]): Promise<void> => {
    for (const played of own)
      book.settle(played, await playAgain(played.planned, cases, presence, options.strict === true));
  };
  // What one case brings the target down with must not be blamed on the others.
  const isFragile = open.some(({ interruption }) => interruption?.kind === "no-answer");
  if (isFragile) await settleAll(open);
  else await Promise.all([...Map.groupBy(open, ({ planned }) => planned.operation).values()].map(settleAll));
}
