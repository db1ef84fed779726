import { type FailOn, failsRun } from "../contract/rule.ts";
import { type CaseReport, countVerdicts, isFailing, type Report } from "../contract/report.ts";

/** A report with other cases: counts and outcome are those of these. Of what could not be judged nothing is said still. */
export function conclude(report: Report, cases: readonly CaseReport[], notices: readonly string[]): Report {
  const fails = cases.some(isFailing);
  return {
    ...report,
    cases,
    totals: countVerdicts(cases),
    notices: [...report.notices, ...notices],
    ...outcomeOf(report, fails),
  };
}

/** A run that was broken off can say that a target differs, and never that it conforms. */
function outcomeOf(
  { outcome, unjudgedBecause, brokenOff }: Report,
  fails: boolean,
): Pick<Report, "outcome" | "unjudgedBecause"> {
  if (brokenOff !== undefined && fails) return { outcome: "differs", unjudgedBecause: undefined };
  if (outcome === "unjudged") return { outcome, unjudgedBecause };
  if (brokenOff !== undefined)
    return { outcome: "unjudged", unjudgedBecause: `${brokenOff}; all that failed until then is known.` };
  return { outcome: fails ? "differs" : "conforms" };
}

/** Cases fail that break a rule of a level that fails the run. */
export function applyFailOn(report: Report, failOn: FailOn): Report {
  if (failOn === "MUST") return report;
  return conclude(
    report,
    report.cases.map((one) =>
      one.verdict === "warned" && one.findings.some(({ level }) => failsRun(level, failOn))
        ? { ...one, verdict: "failed" }
        : one,
    ),
    [],
  );
}
