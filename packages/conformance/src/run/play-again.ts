import type { PlannedCase } from "../contract/planned-case.ts";
import { type CaseTools, playCase } from "./play-case.ts";
import { judgeCase, type PlayedCase } from "./played-case.ts";
import type { Presence } from "./presence.ts";

/** Passes in a row after which a failure is taken for one of the moment. */
const passesBeforeBelief = 2;

/** Plays a case that failed again: answers the first repetition that does not pass; undefined when all do. */
export async function playAgain(
  planned: PlannedCase,
  tools: CaseTools,
  presence: Presence,
): Promise<PlayedCase | undefined> {
  for (let round = 1; round <= passesBeforeBelief; round += 1) {
    const played = await playCase(planned, tools);
    const { verdict } = judgeCase(played);
    if (played.interruption?.kind === "no-answer") {
      presence.noteLost(played);
      await presence.settle(1);
    }
    if (verdict !== "passed" && verdict !== "warned") return played;
  }
  return undefined;
}
