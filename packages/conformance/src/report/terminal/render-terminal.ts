import { counted, type Paint, plainPaint, renderDuration, visibleText } from "@nodewright/terminal-text";
import { faultSentence, outcomeSentence, verdictCounts } from "../outcome-words.ts";
import type { OperationReport, Report, Verdict } from "../../contract/report.ts";
import { renderFindings } from "./operation-findings.ts";
import { hanging } from "./render-finding.ts";
import { renderSummaryTable } from "./summary-table.ts";

/** Settings of a printed report. */
export interface TerminalSettings {
  /** Width in columns. */
  readonly width: number;
  readonly paint: Paint;
  /** Whether each failure is shown in full, with warnings and skipped cases. */
  readonly isVerbose: boolean;
  /** Source texts of the document's files by path, for the lines that a finding is about. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Number of lines that a terminal shows without scrolling. */
const screen = 24;

/** Renders a report for people: outcome and first fault on the first screen, then tables. It ends with a line feed. */
export function renderTerminal(report: Report, settings: TerminalSettings): string {
  const lines = [
    ...renderHeader(report, settings),
    ...renderOutcome(report, settings),
    ...renderFindings(report, settings),
    ...renderUnsent(report, settings),
    ...renderReasons("Known", "known", report, settings),
    ...renderReasons("Untested", "untested", report, settings),
    ...renderReasons("Skipped", "skipped", report, settings),
    ...renderSummaryTable(report, settings),
    ...renderNotices(report, settings),
    "",
    ...renderTarget(report, settings),
    ...renderSummary(report, settings),
  ];
  // When the first lines have scrolled away, the outcome is the last line.
  if (lines.length > screen) lines.push(...renderOutcome(report, settings));
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

/** Renders a report without colours, at a default width: for logs, and for tests that play a suite. */
export function renderPlainReport(report: Report): string {
  return renderTerminal(report, { width: 120, paint: plainPaint, isVerbose: false, texts: new Map() });
}

function renderHeader({ suite, baseUrl, against }: Report, { paint }: TerminalSettings): readonly string[] {
  return [
    `${paint("bold", visibleText(`${suite.title} ${suite.version}`))} (${visibleText(suite.source)})`,
    `at ${visibleText(baseUrl)}${against === undefined ? "" : ` against ${visibleText(against)}`}`,
  ];
}

function renderTarget({ target, seed }: Report, settings: TerminalSettings): readonly string[] {
  const facts = [
    target.client,
    target.chain,
    target.height === undefined ? undefined : `height ${target.height}`,
    target.isSynchronised === false ? "still catching up" : undefined,
    target.prunedBelow === undefined ? undefined : `blocks from ${target.prunedBelow}`,
    `seed ${seed}`,
  ].filter((fact) => fact !== undefined);
  return [settings.paint("dim", facts.map(visibleText).join(" · "))];
}

/** Renders the operations that were not sent because they write, with the reason. */
function renderUnsent(report: Report, settings: TerminalSettings): readonly string[] {
  const unsent = report.operations.filter(({ availability }) => availability === "not sent");
  const byReason = Map.groupBy(unsent, ({ availabilityReason }) => availabilityReason);
  if (unsent.length === 0) return [];
  return [
    "",
    settings.paint("bold", `Not sent: ${counted(unsent.length, "operation")}`),
    ...[...byReason].flatMap(([reason, operations]) => [
      ...hanging("  ", 2, `${reason}:`, settings),
      ...hanging("    ", 4, namesOf(operations, settings), settings),
    ]),
  ];
}

function namesOf(operations: readonly OperationReport[], { isVerbose }: TerminalSettings): string {
  const most = isVerbose ? operations.length : 12;
  const names = operations.slice(0, most).map(({ origin }) => origin);
  return `${names.join(", ")}${operations.length > most ? ` and ${counted(operations.length - most, "other")}` : ""}`;
}

/** Renders the cases of a neutral verdict, each reason once, with its cases when there are few. */
function renderReasons(title: string, verdict: Verdict, report: Report, settings: TerminalSettings): readonly string[] {
  const own = report.cases.filter((one) => one.verdict === verdict);
  if (own.length === 0) return [];
  const reasons = [...Map.groupBy(own, ({ reason = "no reason is known" }) => reason)].toSorted(
    ([, left], [, right]) => right.length - left.length,
  );
  const most = settings.isVerbose ? reasons.length : 5;
  return [
    "",
    settings.paint("bold", `${title}: ${counted(own.length, "case")}`),
    ...reasons.slice(0, most).flatMap(([reason, cases]) => {
      const ids = settings.isVerbose || cases.length <= 2 ? ` [${cases.map(({ id }) => id).join(", ")}]` : "";
      return hanging(`  ${String(cases.length).padStart(5)}  `, 9, `${reason}${ids}`, settings);
    }),
    ...(reasons.length > most
      ? [`  … for ${counted(reasons.length - most, "other reason")}; --verbose shows them.`]
      : []),
  ];
}

function renderNotices({ notices }: Report, settings: TerminalSettings): readonly string[] {
  if (notices.length === 0) return [];
  const most = settings.isVerbose ? notices.length : 10;
  return [
    "",
    settings.paint("bold", "To know:"),
    ...notices.slice(0, most).flatMap((notice) => noticeLines(notice, settings)),
    ...(notices.length > most ? [`  … and ${notices.length - most} more; --verbose shows them.`] : []),
  ];
}

/** Returns the lines of a notice, which may have several, as with a code frame. */
function noticeLines(notice: string, settings: TerminalSettings): readonly string[] {
  const [first = "", ...rest] = notice.split("\n").map((line) => visibleText(line.replace(/\r$/, "")));
  return [...hanging("  - ", 4, first, settings), ...rest.map((line) => `    ${line}`)];
}

function renderOutcome(report: Report, settings: TerminalSettings): readonly string[] {
  const { outcome, inconclusiveBecause = "" } = report;
  const words = settings.paint(["bold", outcomeStyles[outcome]], outcomeSentence(report));
  const faults = faultSentence(report);
  if (outcome === "inconclusive") return [words, ...hanging("", 0, inconclusiveBecause, settings)];
  return [faults === undefined ? words : `${words} ${faults}`];
}

function renderSummary({ requests, milliseconds, cases }: Report, settings: TerminalSettings): readonly string[] {
  const counts = verdictCounts(cases);
  const summary = `${counted(cases.length, "case")}${counts === "" ? "" : `: ${counts}`}`;
  const effort = `${counted(requests, "request")} in ${renderDuration(milliseconds)}`;
  return hanging("", 0, `${summary}; ${effort}.`, settings);
}

const outcomeStyles = {
  conforms: "green",
  differs: "red",
  inconclusive: "yellow",
} as const satisfies Readonly<Record<Report["outcome"], string>>;
