import { counted } from "../../basics/counted.ts";
import { failingVerdicts, foldFindings } from "../folded-finding.ts";
import type { Paint } from "../paint.ts";
import type { CaseReport, OperationReport, Report, Verdict } from "../../contract/report.ts";
import { verdicts, verdictWords } from "../verdict-words.ts";
import { visibleText } from "../visible-text.ts";
import { renderDuration } from "../../basics/duration.ts";
import { wrapText } from "../../basics/wrap-text.ts";
import { type FindingView, renderFinding, renderFindingAgain, renderShortFinding } from "./render-finding.ts";
import { renderSummaryTable } from "./summary-table.ts";
import { visibleLines } from "./visible-lines.ts";

/** How a report is printed. */
export interface TerminalSettings {
  /** Columns. */
  readonly width: number;
  readonly paint: Paint;
  /** Shows each failure in full, warnings and what was skipped too. */
  readonly isVerbose: boolean;
  /** Texts of the document's files, by their paths: for the lines that a finding is about. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Findings that are shown in full, and then in a line; the rest is counted. */
const shownInFull = 20;
const shownInShort = 100;
/** Warnings of one operation that are shown. */
const shownWarnings = 3;

/** A report for a person. It ends with a line feed. */
export function renderTerminal(report: Report, settings: TerminalSettings): string {
  const lines = [
    ...renderHeader(report, settings),
    ...renderFindings(report, settings),
    ...renderUnsent(report, settings),
    ...renderReasons("Known", "known", report, settings),
    ...renderReasons("Untested", "untested", report, settings),
    ...renderReasons("Skipped", "skipped", report, settings),
    ...renderSummaryTable(report, settings),
    ...renderNotices(report, settings),
    "",
    ...renderEnd(report, settings),
  ];
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

function renderHeader(report: Report, { paint }: TerminalSettings): readonly string[] {
  const { suite, baseUrl, against, target, seed } = report;
  const facts = [
    target.client,
    target.chain,
    target.height === undefined ? undefined : `height ${target.height}`,
    target.isSynchronised === false ? "still catching up" : undefined,
    target.prunedBelow === undefined ? undefined : `blocks from ${target.prunedBelow}`,
    `seed ${seed}`,
  ].filter((fact) => fact !== undefined);
  return [
    `${paint("bold", visibleText(`${suite.title} ${suite.version}`))} (${visibleText(suite.source)})`,
    `at ${visibleText(baseUrl)}${against === undefined ? "" : ` against ${visibleText(against)}`}`,
    paint("dim", facts.map(visibleText).join(" · ")),
  ];
}

/** What is shown of findings so far, over all operations. */
class Shown {
  #full = 0;
  #short = 0;
  readonly #limits: { readonly full: number; readonly short: number };
  /** Finding → operation where it stands in full. */
  readonly first = new Map<string, string>();

  constructor(isVerbose: boolean) {
    this.#limits = isVerbose
      ? { full: Number.POSITIVE_INFINITY, short: Number.POSITIVE_INFINITY }
      : { full: shownInFull, short: shownInShort };
  }

  takeFull(): boolean {
    this.#full += 1;
    return this.#full <= this.#limits.full;
  }

  takeShort(): boolean {
    this.#short += 1;
    return this.#short <= this.#limits.short;
  }

  get left(): number {
    return Math.max(0, this.#short - this.#limits.short);
  }
}

function renderFindings(report: Report, settings: TerminalSettings): readonly string[] {
  const byOperation = Map.groupBy(report.cases, ({ operation }) => operation);
  const origins = new Map(report.operations.map((one) => [one.operation, one]));
  const order = [...origins.keys(), ...[...byOperation.keys()].filter((name) => !origins.has(name))];
  const shown = new Shown(settings.isVerbose);
  const blocks = order.map((name) => ({ name, cases: byOperation.get(name) ?? [] }));
  const failing = blocks.filter(({ cases }) => cases.some(isFailing));
  const warned = blocks.filter(({ cases }) => !cases.some(isFailing) && cases.some(isWorthTelling));
  const lines = [...failing, ...warned].flatMap(({ name, cases }) =>
    renderOperation(origins.get(name), name, cases, { report, settings, shown }),
  );
  return shown.left === 0
    ? lines
    : [...lines, "", `  … and ${counted(shown.left, "finding")} more; --verbose shows all of them.`];
}

function isFailing({ verdict }: CaseReport): boolean {
  return failingVerdicts.has(verdict);
}

function isWorthTelling({ verdict }: CaseReport): boolean {
  return verdict === "warned" || verdict === "flaky";
}

interface Telling {
  readonly report: Report;
  readonly settings: TerminalSettings;
  readonly shown: Shown;
}

function renderOperation(
  operation: OperationReport | undefined,
  name: string,
  cases: readonly CaseReport[],
  { report, settings, shown }: Telling,
): readonly string[] {
  const { paint } = settings;
  const failing = cases.filter(isFailing);
  const sign = failing.length > 0 ? paint("red", "✗") : paint("yellow", "!");
  const title = operation === undefined ? name : titleOf(operation);
  const lines = ["", `${sign} ${paint("bold", visibleText(title))}   ${paint("dim", countVerdicts(cases))}`];
  let last: CaseReport | undefined;
  for (const folded of foldFindings(failing)) {
    const view: FindingView = { ...folded, report, settings, isAnswerShown: folded.shown === last };
    const key = `${folded.finding.rule} ${folded.finding.message}`;
    const before = shown.first.get(key);
    if (before !== undefined && !settings.isVerbose) {
      if (shown.takeShort()) lines.push(...renderFindingAgain(view, before));
    } else if (shown.takeFull()) {
      shown.first.set(key, title);
      lines.push("", ...renderFinding(view));
      last = folded.shown;
    } else if (shown.takeShort()) lines.push(...renderShortFinding(view));
  }
  for (const one of failing.filter(({ findings }) => findings.length === 0))
    lines.push("", `  ${paint("red", verdictWords[one.verdict])} ${visibleText(one.id)}`, ...reasonOf(one, settings));
  return [...lines, ...renderWarnings(cases, { report, settings, shown })];
}

function renderWarnings(cases: readonly CaseReport[], { report, settings }: Telling): readonly string[] {
  const warnings = foldFindings(cases.filter(({ verdict }) => verdict === "warned"));
  const most = settings.isVerbose ? warnings.length : shownWarnings;
  const lines = warnings
    .slice(0, most)
    .flatMap((folded) =>
      settings.isVerbose
        ? ["", ...renderFinding({ ...folded, report, settings })]
        : renderShortFinding({ ...folded, report, settings }),
    );
  const left = warnings.length - most;
  return [
    ...lines,
    ...(left > 0 ? [`  … and ${counted(left, "warning")} more; --verbose shows them.`] : []),
    ...told(cases, "flaky", settings),
  ];
}

/** Cases that are neither right nor wrong, each reason once. */
function told(cases: readonly CaseReport[], verdict: Verdict, settings: TerminalSettings): readonly string[] {
  const own = cases.filter((one) => one.verdict === verdict);
  return [...Map.groupBy(own, ({ reason = "" }) => reason)].flatMap(([reason, same]) =>
    hanging(
      `  ${settings.paint("yellow", verdictWords[verdict])} `,
      verdictWords[verdict].length + 3,
      `${same[0]?.id ?? ""}${same.length > 1 ? ` and ${counted(same.length - 1, "more case")}` : ""}${reason === "" ? "" : `: ${reason}`}`,
      settings,
    ),
  );
}

function reasonOf({ reason }: CaseReport, settings: TerminalSettings): readonly string[] {
  return reason === undefined ? [] : hanging("    ", 4, reason, settings);
}

function hanging(label: string, indent: number, text: string, { width }: TerminalSettings): readonly string[] {
  const [first = "", ...rest] = wrapText(visibleText(text), Math.max(30, width - indent));
  return [label + first, ...rest.map((line) => " ".repeat(indent) + line)];
}

/** `GET /tx/{txid} (getTx)`; one of both where they are the same. */
function titleOf({ operation, origin }: OperationReport): string {
  return origin === operation ? origin : `${origin} (${operation})`;
}

function countVerdicts(cases: readonly CaseReport[]): string {
  return verdicts
    .map((verdict) => ({ verdict, count: cases.filter((one) => one.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => `${count} ${verdictWords[verdict]}`)
    .join(", ");
}

/** Operations that were kept from changing something, with the reason. */
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

/** Cases of a verdict that says nothing against the target, each reason once, with the cases where there are few. */
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

/** A notice may be of several lines, such as one with a code frame. */
function noticeLines(notice: string, settings: TerminalSettings): readonly string[] {
  const [first = "", ...rest] = visibleLines(notice);
  return [...hanging("  - ", 4, first, settings), ...rest.map((line) => `    ${line}`)];
}

function renderEnd(report: Report, settings: TerminalSettings): readonly string[] {
  const { totals, requests, milliseconds, outcome, cases } = report;
  const counts = verdicts
    .filter((verdict) => totals[verdict] > 0)
    .map((verdict) => `${totals[verdict].toLocaleString("en")} ${verdictWords[verdict]}`)
    .join(", ");
  const summary = `${counted(cases.length, "case")}${counts === "" ? "" : `: ${counts}`}`;
  const effort = `${counted(requests, "request")} in ${renderDuration(milliseconds)}`;
  const { words, style } = outcomes[outcome];
  const because = outcome === "unjudged" ? hanging("", 0, report.unjudgedBecause ?? "", settings) : [];
  return [settings.paint(["bold", style], words), ...because, ...hanging("", 0, `${summary}; ${effort}.`, settings)];
}

const outcomes = {
  conforms: { words: "It conforms.", style: "green" },
  differs: { words: "It does not conform.", style: "red" },
  unjudged: { words: "Nothing can be said.", style: "yellow" },
} as const satisfies Readonly<Record<Report["outcome"], object>>;
