import type { Verdict } from "../contract/report.ts";

/** All verdicts, in the order of a report: what needs a look first. */
export const verdicts: readonly Verdict[] = [
  "failed",
  "stale",
  "warned",
  "flaky",
  "untested",
  "known",
  "passed",
  "skipped",
  "not-sent",
];

/** As a person says it. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  failed: "failed",
  stale: "stale",
  warned: "warned",
  flaky: "flaky",
  untested: "untested",
  known: "known",
  passed: "passed",
  skipped: "skipped",
  "not-sent": "not sent",
};
