import type { RunOptions } from "../contract/options.ts";
import type { Report } from "../contract/report.ts";
import type { RunObserver } from "../contract/run-observer.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import { Run } from "./run.ts";
import { planStages } from "./stages.ts";

/**
 * Plays a suite against a target and reports every case. Whatever a target does, and an end before its time, is in the report.
 *
 * @param plan in place of the stages of the suite's protocol
 * @throws {TypeError} for a suite of another format, and for a base URL that is no http address.
 */
export async function playSuite(
  suite: ConformanceSuite,
  options: RunOptions,
  observer: RunObserver = {},
  plan: typeof planStages = planStages,
): Promise<Report> {
  const run = new Run(suite, options, observer, plan);
  try {
    const report = await run.play();
    if (options.earlierAnswers === undefined || report.cases.length > 0) return report;
  } finally {
    await run.close();
  }
  // What was answered earlier did not lead to what is asked for: what comes before it has to be played.
  return playSuite(suite, { ...options, earlierAnswers: undefined }, observer, plan);
}

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
