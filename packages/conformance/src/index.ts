export { jsonDifferences } from "./json-difference.ts";
export type { RunOptions } from "./options.ts";
export { renderReport } from "./render-report.ts";
export { reportGroups } from "./report.ts";
export type { CaseReport, OperationReport, RecordedExchange, Report, ReportGroup, Verdict } from "./report.ts";
export { runSuite } from "./run-suite.ts";
export type * from "./suite.ts";
