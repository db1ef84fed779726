import type { CaseReport, Report } from "../contract/report.ts";

/** Facts that are known when a run begins. */
export type RunStart = Pick<Report, "format" | "tool" | "suite" | "protocol" | "baseUrl">;

/** Returns the first line. */
export function ndjsonStart(start: RunStart): object {
  return { event: "start", ...start };
}

/**
 * Returns the line of a case, written as soon as it has ended: with the run's own verdict, before the baseline is applied, which happens
 * after the last case.
 */
export function ndjsonCase(report: CaseReport): object {
  return { event: "case", ...report };
}

/** Returns the last line: the report without the contents of cases, but with the verdicts that the baseline changed. */
export function ndjsonEnd({ cases, replay: _, ...report }: Report): object {
  return { event: "end", ...report, verdicts: Object.fromEntries(cases.map(({ id, verdict }) => [id, verdict])) };
}
