import { expect } from "vitest";
import type { CorrectServer } from "./correct-servers.ts";
import { falseAlarmsIn, missingFindings, playCorrectServer } from "./play-correct-server.ts";

/** Two of them, so that what only some random values show is likely to be seen. */
const seeds = ["01", "7e57"];

/** Calls that a run has to have answered well before its silence says anything. */
const fewestPassed = 20;

/** Plays a server by each seed. Fails for what is found in it and is not listed. */
export async function expectNoFalseAlarm(server: CorrectServer, cache: string): Promise<void> {
  const reports = await playCorrectServer(server, cache, seeds);
  for (const report of reports) {
    expect(falseAlarmsIn(report, server), `seed ${report.seed}`).toEqual([]);
    expect(report.totals.passed, `seed ${report.seed}`).toBeGreaterThan(fewestPassed);
  }
  expect(missingFindings(reports, server)).toEqual([]);
}
