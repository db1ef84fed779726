import { counted } from "../counted.ts";
import type { CaseReport, Report, Verdict } from "../report.ts";
import { verdicts, verdictWords } from "../verdict-words.ts";
import { visibleText } from "../visible-text.ts";
import { cut } from "../shown-value.ts";
import type { TerminalSettings } from "./render-terminal.ts";

/** Rows from which on those where all is well are only counted. */
const longTable = 40;

/** Operations × verdicts, with calls and the median of times. */
export function renderSummaryTable(report: Report, { width, isVerbose, paint }: TerminalSettings): readonly string[] {
  const counts = countCases(report.cases);
  const columns = verdicts.filter((verdict) => report.totals[verdict] > 0);
  const rows = rowsOf(report, counts);
  const isLong = rows.length > longTable && !isVerbose;
  const shown = isLong ? rows.filter(({ operation }) => !isAllWell(counts.get(operation))) : rows;
  if (rows.length === 0) return [];
  const header = ["operation", ...columns.map((verdict) => verdictWords[verdict]), "calls", "p50"];
  const cells = shown.map(({ operation, title, calls, median }) => [
    title,
    ...columns.map((verdict) => dash(counts.get(operation)?.get(verdict) ?? 0)),
    dash(calls),
    median === undefined ? "-" : `${median} ms`,
  ]);
  const widths = header.map((text, column) => Math.max(text.length, ...cells.map((row) => row[column]?.length ?? 0)));
  const others = widths.slice(1).reduce((sum, each) => sum + each + 2, 0);
  const first = Math.min(widths[0] ?? 0, Math.max(20, width - others));
  const line = (row: readonly string[]): string =>
    row
      .map((text, column) => (column === 0 ? cut(text, first).padEnd(first) : text.padStart(widths[column] ?? 0)))
      .join("  ");
  return [
    paint("dim", line(header)),
    ...cells.map(line),
    ...(isLong ? [`… and ${counted(rows.length - shown.length, "operation")} where nothing is to be told`] : []),
  ];
}

type Counts = ReadonlyMap<string, ReadonlyMap<Verdict, number>>;

function countCases(cases: readonly CaseReport[]): Counts {
  const counts = new Map<string, Map<Verdict, number>>();
  for (const { operation, verdict } of cases) {
    const own = counts.get(operation) ?? new Map<Verdict, number>();
    counts.set(operation, own.set(verdict, (own.get(verdict) ?? 0) + 1));
  }
  return counts;
}

interface Row {
  readonly operation: string;
  readonly title: string;
  readonly calls: number;
  readonly median?: number;
}

/** Operations of the document, then those that cases alone name, such as `(protocol)`. */
function rowsOf(report: Report, counts: Counts): readonly Row[] {
  const named = report.operations.map(({ operation, origin, calls, latency }) => ({
    operation,
    title: visibleText(origin),
    calls,
    ...(latency === undefined ? {} : { median: Math.round(latency.p50) }),
  }));
  const known = new Set(named.map(({ operation }) => operation));
  const rest = [...counts.keys()].filter((operation) => !known.has(operation));
  return [...named, ...rest.map((operation) => ({ operation, title: visibleText(operation), calls: 0 }))];
}

const quiet: ReadonlySet<Verdict> = new Set(["passed", "skipped", "not-sent"]);

function isAllWell(counts: ReadonlyMap<Verdict, number> | undefined): boolean {
  return counts === undefined || [...counts.keys()].every((verdict) => quiet.has(verdict));
}

function dash(count: number): string {
  return count === 0 ? "-" : String(count);
}
