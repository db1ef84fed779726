import type { CaseReport, Report } from "../contract/report.ts";

/** What is known when a run begins. */
export type RunStart = Pick<Report, "format" | "tool" | "suite" | "protocol" | "baseUrl">;

/** The first line. */
export function ndjsonStart(start: RunStart): object {
  return { event: "start", ...start };
}

/**
 * The line of a case, written as soon as it has ended: as the run judged it, before the baseline is held against it, which is done when
 * all are played.
 */
export function ndjsonCase(report: CaseReport): object {
  return { event: "case", ...report };
}

/** The last line: the report but for the cases' contents, of which the verdicts that differ by the baseline stand in it. */
export function ndjsonEnd({ cases, replay: _, ...report }: Report): object {
  return { event: "end", ...report, verdicts: Object.fromEntries(cases.map(({ id, verdict }) => [id, verdict])) };
}
