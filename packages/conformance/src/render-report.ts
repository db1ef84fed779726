import { type CaseReport, type OperationReport, type Report, type ReportGroup, reportGroups } from "./report.ts";

/** Failed cases that are told in full before the rest is only named. */
const toldFailures = 20;
/** Characters of a body that is told. */
const shownBodyLength = 300;

/** A report for a person: operations × groups of cases, then each failure with what was sent, what came and how to repeat it. */
export function renderReport(report: Report): string {
  const { totals } = report;
  const notJudged = (["missing", "disabled", "untested", "withheld"] as const)
    .filter((verdict) => totals[verdict] > 0)
    .map((verdict) => `, ${totals[verdict]} ${verdict}`);
  const cases = report.operations.reduce((sum, { cases: own }) => sum + own.length, 0);
  const operations = report.operations.filter(({ operation }) => !operation.startsWith("(")).length;
  const unprovoked = report.operations.filter((operation) => operation.unprovoked.length > 0);
  return [
    `${report.title} ${report.version} (${report.source}) at ${report.baseUrl}`,
    "",
    ...renderTable(report.operations),
    "",
    `${operations} operations × ${cases} cases: ${totals.passed} passed, ${totals.failed} failed${notJudged.join("")}`,
    ...(unprovoked.length === 0 ? [] : ["", "Documented failures that no case provokes:"]),
    ...unprovoked.map(({ operation, unprovoked: names }) => `  ${operation}: ${names.join(", ")}`),
    ...renderFailures(report.operations.flatMap(({ cases: own }) => own.filter(isWorthTelling))),
    "",
  ].join("\n");
}

function isWorthTelling({ verdict }: CaseReport): boolean {
  return verdict === "failed" || verdict === "untested";
}

function renderTable(operations: readonly OperationReport[]): readonly string[] {
  const groups = reportGroups.filter((group) =>
    operations.some(({ cases }) => cases.some((one) => one.group === group)),
  );
  const rows = operations.map(({ operation, cases }) => [operation, ...groups.map((group) => cell(cases, group))]);
  const table = [["operation", ...groups], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  return table.map((row) =>
    row
      .map((text, column) => (column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join("  "),
  );
}

/** `12`, `11/12` when some failed, `-` when there is no such case. */
function cell(cases: readonly CaseReport[], group: ReportGroup): string {
  const own = cases.filter((one) => one.group === group);
  const passed = own.filter(({ verdict }) => verdict === "passed").length;
  if (own.length === 0) return "-";
  return passed === own.length ? String(passed) : `${passed}/${own.length}`;
}

function renderFailures(failures: readonly CaseReport[]): readonly string[] {
  const rest = failures.slice(toldFailures);
  return [
    ...failures.slice(0, toldFailures).flatMap(renderFailure),
    ...(rest.length === 0 ? [] : ["", `and ${rest.length} more:`, ...rest.map(({ id }) => `  ${id}`)]),
  ];
}

function renderFailure({ id, verdict, problems, expected, exchange, curl }: CaseReport): readonly string[] {
  const answer = exchange?.answer;
  const body = answer?.body ?? "";
  const shown = body.length > shownBodyLength ? `${body.slice(0, shownBodyLength)}…` : body;
  return [
    "",
    `${verdict === "failed" ? "✗" : "?"} ${id}`,
    ...problems.map((problem) => `    ${problem}`),
    ...(expected === undefined ? [] : [`  expected: ${expected}`]),
    ...(exchange?.body === undefined ? [] : [`  sent: ${exchange.body}`]),
    answer === undefined ? "  received: nothing" : `  received: ${answer.status} ${shown}`,
    ...(curl === undefined ? [] : [`  again: ${curl}`]),
  ];
}
