import type { Report } from "../contract/report.ts";
import type { RunObserver } from "../contract/run-observer.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { RunOptions } from "../contract/options.ts";
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
  const isOfSuite = report.suite.name === suite.name && report.protocol === suite.protocol;
  const own: RunOptions = {
    ...options,
    seed: report.seed,
    only: [id],
    skip: undefined,
    keepExchanges: true,
    earlierAnswers: isOfSuite ? report.replay?.answers : undefined,
  };
  return playSuite(suite, own, observer);
}
