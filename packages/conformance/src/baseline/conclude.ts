import { type FailOn, failsRun } from "../contract/rule.ts";
import { type CaseReport, countVerdicts, isFailing, type Report } from "../contract/report.ts";

/** Returns a report with other cases, and with their counts and outcome. A target that is inconclusive stays so. */
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

/** Returns the outcome. An aborted run can find that a target differs, but never that it conforms. */
function outcomeOf(
  { outcome, inconclusiveBecause, brokenOff }: Report,
  fails: boolean,
): Pick<Report, "outcome" | "inconclusiveBecause"> {
  if (brokenOff !== undefined && fails) return { outcome: "differs", inconclusiveBecause: undefined };
  if (outcome === "inconclusive") return { outcome, inconclusiveBecause };
  if (brokenOff !== undefined)
    return { outcome: "inconclusive", inconclusiveBecause: `${brokenOff}; all that failed until then is known.` };
  return { outcome: fails ? "differs" : "conforms" };
}

/** Fails the cases that violate a rule of a level that fails the run. */
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
