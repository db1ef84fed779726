import type { PlannedCase } from "../contract/planned-case.ts";
import { type CaseTools, playCase } from "./play-case.ts";
import { judgeCase, type Judgement, type PlayedCase } from "./played-case.ts";
import type { Presence } from "./presence.ts";

/** Passes in a row after which a failure is taken for one of the moment. */
const passesBeforeBelief = 2;

/** Returns whether a live case is played again before it is reported: what fails, and what a heuristic guesses to be wrong. */
export function isWorthAnotherLook({ verdict, findings }: Judgement): boolean {
  return verdict === "failed" || (verdict === "warned" && findings.some(({ rule }) => rule.level === "heuristic"));
}

/** Plays a case that failed again: answers the first repetition that does not pass; undefined when all do. */
export async function playAgain(
  planned: PlannedCase,
  tools: CaseTools,
  presence: Presence,
  isStrict: boolean,
): Promise<PlayedCase | undefined> {
  for (let round = 1; round <= passesBeforeBelief; round += 1) {
    const played = await playCase(planned, tools);
    const judgement = judgeCase(played, { isStrict });
    if (played.interruption?.kind === "no-answer") {
      presence.noteLost(played);
      await presence.settle(1);
    }
    const { verdict } = judgement;
    if (isWorthAnotherLook(judgement) || (verdict !== "passed" && verdict !== "warned")) return played;
  }
  return undefined;
}
