import { counted, visibleText } from "@nodewright/terminal-text";
import { countVerdicts, type OperationReport, type Report, type Verdict, verdicts } from "../../contract/report.ts";
import { verdictWords } from "../outcome-words.ts";
import { cut } from "../shown-value.ts";
import type { TerminalSettings } from "./render-terminal.ts";

/** Number of rows from which on passed ones are only counted. */
const longTable = 40;

/** Renders operations × verdicts, with calls and the median of response times. */
export function renderSummaryTable(report: Report, { width, isVerbose, paint }: TerminalSettings): readonly string[] {
  const rows = rowsOf(report);
  // Without calls there is nothing to count.
  if (!rows.some(({ calls }) => calls > 0) && report.cases.every(({ verdict }) => unplayed.has(verdict))) return [];
  const isLong = rows.length > longTable && !isVerbose;
  const shown = isLong ? rows.filter(({ isAllWell }) => !isAllWell) : rows;
  const present = verdicts.filter((verdict) => report.totals[verdict] > 0);
  const all = present.map((verdict): Column => ({ title: verdictWords(verdict), verdicts: [verdict] }));
  const whole = layOut(shown, all, width);
  const [header = "", ...cells] = whole.isTooWide ? layOut(shown, fewColumns(present), width).lines : whole.lines;
  return [
    "",
    paint("dim", header),
    ...cells,
    ...(isLong ? [`… and ${counted(rows.length - shown.length, "operation")} without findings`] : []),
  ];
}

const unplayed: ReadonlySet<Verdict> = new Set(["untested", "skipped", "not-sent"]);

interface Column {
  readonly title: string;
  readonly verdicts: readonly Verdict[];
}

/** Combines the columns for which there is no space. */
function fewColumns(present: readonly Verdict[]): readonly Column[] {
  const chief: ReadonlySet<Verdict> = new Set(["failed", "warned", "passed"]);
  const others = present.filter((verdict) => !chief.has(verdict));
  return [
    ...present.filter((verdict) => chief.has(verdict)).map((verdict) => ({ title: verdict, verdicts: [verdict] })),
    { title: "other", verdicts: others },
  ];
}

const minimumTitleLength = 20;

function layOut(
  rows: readonly Row[],
  columns: readonly Column[],
  width: number,
): { readonly lines: readonly string[]; readonly isTooWide: boolean } {
  const table = [
    ["operation", ...columns.map(({ title }) => title), "calls", "p50", ""],
    ...rows.map(({ title, counts, calls, median, note }) => [
      title,
      ...columns.map((column) => dash(column.verdicts.reduce((sum, verdict) => sum + counts[verdict], 0))),
      dash(calls),
      median === undefined ? "-" : `${median} ms`,
      note,
    ]),
  ];
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const others = widths.slice(1).reduce((sum, each) => sum + (each === 0 ? 0 : each + 2), 0);
  const first = Math.min(widths[0] ?? 0, Math.max(minimumTitleLength, width - others));
  const lines = table.map((row) =>
    row
      .map((text, column) => (column === 0 ? cut(text, first).padEnd(first) : text.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
  return { lines, isTooWide: first + others > width };
}

interface Row {
  readonly title: string;
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly calls: number;
  readonly median: number | undefined;
  readonly note: string;
  readonly isAllWell: boolean;
}

/** Verdicts of operations without anything to report. */
const quiet: ReadonlySet<Verdict> = new Set(["passed", "known", "untested", "skipped", "not-sent"]);

/** Returns the operations of the document, then those of cases only, such as `(protocol)`. */
function rowsOf({ operations, cases }: Report): readonly Row[] {
  const byOperation = Map.groupBy(cases, ({ operation }) => operation);
  const known = new Set(operations.map(({ operation }) => operation));
  const others = [...byOperation.keys()].filter((operation) => !known.has(operation));
  const all: readonly Pick<OperationReport, "operation" | "origin" | "calls" | "latency" | "hasSuccess">[] = [
    ...operations,
    ...others.map((operation) => ({ operation, origin: operation, calls: 0 })),
  ];
  return all.map(({ operation, origin, calls, latency, hasSuccess }) => {
    const own = byOperation.get(operation) ?? [];
    const isUnchecked = hasSuccess === false;
    return {
      title: visibleText(origin),
      counts: countVerdicts(own),
      calls,
      median: latency && Math.round(latency.p50),
      note: isUnchecked ? "never succeeded" : "",
      isAllWell: !isUnchecked && own.every(({ verdict }) => quiet.has(verdict)),
    };
  });
}

function dash(count: number): string {
  return count === 0 ? "-" : String(count);
}
