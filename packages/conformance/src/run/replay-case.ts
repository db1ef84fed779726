import type { Report } from "../report/report.ts";
import type { RunObserver } from "../report/run-observer.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { RunOptions } from "./options.ts";
import { createRun } from "./run.ts";

/**
 * Plays one case of a report again, with the run's seed and from the values that it had found. Where these do not lead to the case,
 * what comes before it is played too, as far as it is needed.
 *
 * @throws {TypeError} when the report is of another suite, or has no such case.
 */
export async function replayCase(
  report: Report,
  suite: ConformanceSuite,
  options: RunOptions,
  id: string,
  observer: RunObserver = {},
): Promise<Report> {
  if (report.suite.name !== suite.name || report.protocol !== suite.protocol) {
    throw new TypeError(`The report is of ${report.suite.name}, not of ${suite.name}`);
  }
  if (!report.cases.some((one) => one.id === id)) throw new TypeError(`The report has no case ${id}`);
  const own: RunOptions = { ...options, seed: report.seed, only: [id], skip: undefined, keepExchanges: true };
  const answers = report.replay?.answers ?? [];
  const replayed = await play(suite, own, observer, answers);
  const isThere = replayed.cases.some((one) => one.id === id);
  return isThere || answers.length === 0 ? replayed : play(suite, own, observer, []);
}

async function play(
  suite: ConformanceSuite,
  options: RunOptions,
  observer: RunObserver,
  answers: NonNullable<Report["replay"]>["answers"],
): Promise<Report> {
  const run = createRun(suite, options, observer, { answers });
  try {
    return await run.play();
  } finally {
    await run.close();
  }
}
