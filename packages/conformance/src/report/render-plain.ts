import { plainPaint } from "./paint.ts";
import type { Report } from "../contract/report.ts";
import { renderTerminal } from "./terminal/render-terminal.ts";

/** Columns of a report that is printed where nobody knows how many there are. */
const usualWidth = 120;

/** A report as text without colours: for logs, and for tests that play a suite. */
export function renderPlainReport(report: Report): string {
  return renderTerminal(report, { width: usualWidth, paint: plainPaint, isVerbose: false, texts: new Map() });
}
