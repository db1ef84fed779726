import { type FailOn, failsRun } from "../contract/rule.ts";
import type { Report } from "../contract/report.ts";
import { conclude } from "./conclude.ts";

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
