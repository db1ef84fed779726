import { counted } from "../../basics/counted.ts";
import { type CaseReport, type Report, type Verdict, verdicts } from "../../contract/report.ts";
import { verdictWords } from "../outcome-words.ts";
import { visibleText } from "../visible-text.ts";
import { cut } from "../shown-value.ts";
import type { TerminalSettings } from "./render-terminal.ts";

/** Rows from which on those where all is well are only counted. */
const longTable = 40;

/** Operations × verdicts, with calls and the median of times. */
export function renderSummaryTable(report: Report, { width, isVerbose, paint }: TerminalSettings): readonly string[] {
  const counts = countCases(report.cases);
  const rows = rowsOf(report, counts);
  const isLong = rows.length > longTable && !isVerbose;
  const shown = isLong ? rows.filter(({ operation }) => !isAllWell(counts.get(operation))) : rows;
  // Where nothing was asked there is nothing to count.
  if (!report.operations.some(({ calls }) => calls > 0) && !report.cases.some(isPlayed)) return [];
  const present = verdicts.filter((verdict) => report.totals[verdict] > 0);
  const all = present.map((verdict): Column => ({ title: verdictWords(verdict), verdicts: [verdict] }));
  const whole = layOut(shown, all, counts, width);
  const lines = whole.isTooWide ? layOut(shown, fewColumns(present), counts, width).lines : whole.lines;
  const [header = "", ...cells] = lines;
  return [
    "",
    paint("dim", header),
    ...cells,
    ...(isLong ? [`… and ${counted(rows.length - shown.length, "operation")} where nothing is to be told`] : []),
  ];
}

function isPlayed({ verdict }: CaseReport): boolean {
  return verdict !== "untested" && verdict !== "skipped" && verdict !== "not-sent";
}

interface Column {
  readonly title: string;
  readonly verdicts: readonly Verdict[];
}

/** What there is no room for stands together. */
function fewColumns(present: readonly Verdict[]): readonly Column[] {
  const chief: ReadonlySet<Verdict> = new Set(["failed", "warned", "passed"]);
  const others = present.filter((verdict) => !chief.has(verdict));
  return [
    ...present.filter((verdict) => chief.has(verdict)).map((verdict) => ({ title: verdict, verdicts: [verdict] })),
    { title: "other", verdicts: others },
  ];
}

const shortestTitle = 20;

function layOut(
  rows: readonly Row[],
  columns: readonly Column[],
  counts: Counts,
  width: number,
): { readonly lines: readonly string[]; readonly isTooWide: boolean } {
  const table = [
    ["operation", ...columns.map(({ title }) => title), "calls", "p50"],
    ...rows.map(({ operation, title, calls, median }) => [
      title,
      ...columns.map((column) => dash(countOf(counts.get(operation), column))),
      dash(calls),
      median === undefined ? "-" : `${median} ms`,
    ]),
  ];
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const others = widths.slice(1).reduce((sum, each) => sum + each + 2, 0);
  const first = Math.min(widths[0] ?? 0, Math.max(shortestTitle, width - others));
  const lines = table.map((row) =>
    row
      .map((text, column) => (column === 0 ? cut(text, first).padEnd(first) : text.padStart(widths[column] ?? 0)))
      .join("  "),
  );
  return { lines, isTooWide: first + others > width };
}

function countOf(counts: ReadonlyMap<Verdict, number> | undefined, column: Column): number {
  return column.verdicts.reduce((sum, verdict) => sum + (counts?.get(verdict) ?? 0), 0);
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

const quiet: ReadonlySet<Verdict> = new Set(["passed", "known", "untested", "skipped", "not-sent"]);

function isAllWell(counts: ReadonlyMap<Verdict, number> | undefined): boolean {
  return counts === undefined || [...counts.keys()].every((verdict) => quiet.has(verdict));
}

function dash(count: number): string {
  return count === 0 ? "-" : String(count);
}
