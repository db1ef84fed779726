import type { CaseReport, Report, Verdict } from "../report/report.ts";
import { failingVerdicts } from "../report/folded-finding.ts";
import { verdicts } from "../report/verdict-words.ts";

/** A report with other cases: counts and outcome are those of these. Of what could not be judged nothing is said still. */
export function conclude(report: Report, cases: readonly CaseReport[], notices: readonly string[]): Report {
  const totals = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  for (const { verdict } of cases) totals[verdict] += 1;
  const fails = cases.some(({ verdict }) => failingVerdicts.has(verdict));
  return {
    ...report,
    cases,
    totals,
    notices: [...report.notices, ...notices],
    outcome: report.outcome === "unjudged" ? "unjudged" : fails ? "differs" : "conforms",
  };
}
