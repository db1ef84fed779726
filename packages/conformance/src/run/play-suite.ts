import type { Report } from "../contract/report.ts";
import type { RunObserver } from "../contract/run-observer.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { RunOptions } from "../contract/options.ts";
import { createRun } from "./run.ts";

/**
 * Plays a suite against a target and reports every case. Whatever a target does, and an end before its time, is in the report.
 *
 * @throws {TypeError} for a suite of another format, and for a base URL that is no http address.
 */
export async function playSuite(
  suite: ConformanceSuite,
  options: RunOptions,
  observer: RunObserver = {},
): Promise<Report> {
  const report = await playOnce(suite, options, observer);
  // What was answered earlier did not lead to what is asked for: what comes before it has to be played.
  if (options.earlierAnswers === undefined || report.cases.length > 0) return report;
  return playOnce(suite, { ...options, earlierAnswers: undefined }, observer);
}

async function playOnce(suite: ConformanceSuite, options: RunOptions, observer: RunObserver): Promise<Report> {
  const run = createRun(suite, options, observer);
  try {
    return await run.play();
  } finally {
    await run.close();
  }
}
