import type { Level } from "../contract/rule.ts";
import type { Report } from "../contract/report.ts";
import { conclude } from "./conclude.ts";

/** With `SHOULD`, cases that break rules of this level fail. */
export function applyFailOn(report: Report, failOn: Exclude<Level, "MAY">): Report {
  if (failOn === "MUST") return report;
  return conclude(
    report,
    report.cases.map((one) =>
      one.verdict === "warned" && one.findings.some(({ level }) => level === "SHOULD")
        ? { ...one, verdict: "failed" }
        : one,
    ),
    [],
  );
}
