import type { Report } from "../report/report.ts";
import type { RunObserver } from "../report/run-observer.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { RunOptions } from "./options.ts";
import { playSuite } from "./play-suite.ts";

/**
 * Plays one case of a report again, with the run's seed and from the values that it had found. Where these do not lead to the case,
 * what comes before it is played too, as far as it is needed.
 */
export async function replayCase(
  report: Report,
  suite: ConformanceSuite,
  options: RunOptions,
  id: string,
  observer: RunObserver = {},
): Promise<Report> {
  const own: RunOptions = { ...options, seed: report.seed, only: [id], skip: undefined, keepExchanges: true };
  const isOfSuite = report.suite.name === suite.name && report.protocol === suite.protocol;
  const earlierAnswers = isOfSuite ? report.replay?.answers : undefined;
  if (earlierAnswers !== undefined) {
    const replayed = await playSuite(suite, { ...own, earlierAnswers }, observer);
    if (replayed.cases.some((one) => one.id === id)) return replayed;
  }
  return playSuite(suite, own, observer);
}
