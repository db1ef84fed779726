import { counted } from "../../basics/counted.ts";
import { foldFindings, type FoldedFinding } from "../folded-finding.ts";
import { faultSentence, outcomeSentence, verdictWords } from "../outcome-words.ts";
import type { Paint } from "../paint.ts";
import {
  type CaseReport,
  failingVerdicts,
  type OperationReport,
  type Report,
  type Verdict,
  verdicts,
} from "../../contract/report.ts";
import { visibleText } from "../visible-text.ts";
import { renderDuration } from "../../basics/duration.ts";
import { type FindingView, hanging, renderFinding, renderShortFinding } from "./render-finding.ts";
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
/** The same of findings of one rule: a server that breaks it everywhere is understood before. */
const shownInFullOfRule = 5;
const shownInShortOfRule = 10;
/** Warnings of one operation that are shown. */
const shownWarnings = 3;
/** Lines that a terminal shows without scrolling. */
const screen = 24;

/** A report for a person: outcome and first fault on the first screen, tables behind. It ends with a line feed. */
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
  // Where the first lines have gone by, the outcome is the last line that is read.
  if (lines.length > screen) lines.push(...renderOutcome(report, settings));
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
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

/** How many findings are shown so far, over all operations and of each rule. */
class Shown {
  readonly #full = new Map<string, number>();
  readonly #short = new Map<string, number>();
  /** Rule → findings that are not shown. */
  readonly left = new Map<string, number>();
  readonly #isVerbose: boolean;

  constructor(isVerbose: boolean) {
    this.#isVerbose = isVerbose;
  }

  /** How the next finding of a rule is shown; undefined where it is only counted. */
  take(rule: string): "full" | "short" | undefined {
    if (this.#isVerbose || take(this.#full, rule, shownInFullOfRule, shownInFull)) return "full";
    if (take(this.#short, rule, shownInShortOfRule, shownInShort)) return "short";
    this.left.set(rule, (this.left.get(rule) ?? 0) + 1);
    return undefined;
  }
}

function take(counts: Map<string, number>, rule: string, mostOfRule: number, most: number): boolean {
  const own = counts.get(rule) ?? 0;
  if (own >= mostOfRule || counts.values().reduce((sum, each) => sum + each, 0) >= most) return false;
  counts.set(rule, own + 1);
  return true;
}

function renderFindings(report: Report, settings: TerminalSettings): readonly string[] {
  const byOperation = Map.groupBy(report.cases, ({ operation }) => operation);
  const origins = new Map(report.operations.map((one) => [one.operation, one]));
  const order = [...new Set([...origins.keys(), ...byOperation.keys()])];
  const ordered = order.flatMap((name) => byOperation.get(name) ?? []);
  const faults = Map.groupBy(foldFindings(ordered.filter(isFailing)), ({ shown }) => shown.operation);
  const warnings = Map.groupBy(
    foldFindings(ordered.filter(({ verdict }) => verdict === "warned")),
    ({ shown }) => shown.operation,
  );
  const blocks = order.map((name) => ({
    title: titleOf(name, origins.get(name)),
    cases: byOperation.get(name) ?? [],
    faults: faults.get(name) ?? [],
    warnings: warnings.get(name) ?? [],
  }));
  const shown = new Shown(settings.isVerbose);
  const isOfFaults = ({ cases, faults: own }: Block): boolean => own.length > 0 || cases.some(isBare);
  const lines = [...blocks.filter(isOfFaults), ...blocks.filter((one) => !isOfFaults(one))].flatMap((one) =>
    renderOperation(one, { report, settings, shown }),
  );
  return [
    ...lines,
    ...(shown.left.size === 0 ? [] : [""]),
    ...[...shown.left].map(
      ([rule, count]) => `  … and ${counted(count, "more finding")} of ${visibleText(rule)}; --verbose shows them.`,
    ),
  ];
}

/** What is shown of an operation: the faults that it is the first to show. */
interface Block {
  readonly title: string;
  readonly cases: readonly CaseReport[];
  readonly faults: readonly FoldedFinding[];
  readonly warnings: readonly FoldedFinding[];
}

function isFailing({ verdict }: CaseReport): boolean {
  return failingVerdicts.has(verdict);
}

/** A case that fails without a finding, such as one that the baseline expects otherwise. */
function isBare(one: CaseReport): boolean {
  return isFailing(one) && one.findings.length === 0;
}

interface Telling {
  readonly report: Report;
  readonly settings: TerminalSettings;
  readonly shown: Shown;
}

function renderOperation(block: Block, telling: Telling): readonly string[] {
  const { title, cases, faults } = block;
  const { settings } = telling;
  const { paint } = settings;
  const bare = cases
    .filter(isBare)
    .flatMap((one) => [
      "",
      `  ${paint("red", verdictWords(one.verdict))} ${visibleText(one.id)}`,
      ...reasonOf(one, settings),
    ]);
  const lines = [...renderFaults(faults, telling), ...bare];
  const others = [...renderWarnings(block, telling), ...told(cases, "flaky", settings)];
  if (lines.length + others.length === 0) return [];
  const sign = lines.length > 0 ? paint("red", "✗") : paint("yellow", "!");
  return [
    "",
    `${sign} ${paint("bold", visibleText(title))}   ${paint("dim", countVerdicts(cases))}`,
    ...lines,
    ...others,
  ];
}

function renderFaults(faults: readonly FoldedFinding[], { report, settings, shown }: Telling): readonly string[] {
  const lines: string[] = [];
  let last: CaseReport | undefined;
  for (const folded of faults) {
    const view: FindingView = { ...folded, report, settings, isAnswerShown: folded.shown === last };
    const form = shown.take(folded.finding.rule);
    if (form === "short") lines.push(...renderShortFinding(view));
    if (form !== "full") continue;
    if (last !== undefined) lines.push("");
    lines.push(...renderFinding(view));
    last = folded.shown;
  }
  return lines;
}

function renderWarnings({ warnings }: Block, { report, settings }: Telling): readonly string[] {
  const most = settings.isVerbose ? warnings.length : shownWarnings;
  const lines = warnings
    .slice(0, most)
    .flatMap((folded) =>
      settings.isVerbose
        ? ["", ...renderFinding({ ...folded, report, settings })]
        : renderShortFinding({ ...folded, report, settings }),
    );
  const left = warnings.length - most;
  return [...lines, ...(left > 0 ? [`  … and ${counted(left, "warning")} more; --verbose shows them.`] : [])];
}

/** Cases that are neither right nor wrong, each reason once. */
function told(cases: readonly CaseReport[], verdict: Verdict, settings: TerminalSettings): readonly string[] {
  const own = cases.filter((one) => one.verdict === verdict);
  return [...Map.groupBy(own, ({ reason = "" }) => reason)].flatMap(([reason, same]) =>
    hanging(
      `  ${settings.paint("yellow", verdictWords(verdict))} `,
      verdictWords(verdict).length + 3,
      `${same[0]?.id ?? ""}${same.length > 1 ? ` and ${counted(same.length - 1, "more case")}` : ""}${reason === "" ? "" : `: ${reason}`}`,
      settings,
    ),
  );
}

function reasonOf({ reason }: CaseReport, settings: TerminalSettings): readonly string[] {
  return reason === undefined ? [] : hanging("    ", 4, reason, settings);
}

/** `GET /tx/{txid} (getTx)`; one of both where they are the same. */
function titleOf(name: string, operation: OperationReport | undefined): string {
  return operation === undefined || operation.origin === name ? name : `${operation.origin} (${name})`;
}

function countVerdicts(cases: readonly CaseReport[]): string {
  return verdicts
    .map((verdict) => ({ verdict, count: cases.filter((one) => one.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => `${count} ${verdictWords(verdict)}`)
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

function renderOutcome(report: Report, settings: TerminalSettings): readonly string[] {
  const { outcome, unjudgedBecause = "" } = report;
  const words = settings.paint(["bold", outcomeStyles[outcome]], outcomeSentence(report));
  const faults = faultSentence(report);
  if (outcome === "unjudged") return [words, ...hanging("", 0, unjudgedBecause, settings)];
  return [faults === undefined ? words : `${words} ${faults}`];
}

function renderSummary(
  { totals, requests, milliseconds, cases }: Report,
  settings: TerminalSettings,
): readonly string[] {
  const counts = verdicts
    .filter((verdict) => totals[verdict] > 0)
    .map((verdict) => `${totals[verdict].toLocaleString("en")} ${verdictWords(verdict)}`)
    .join(", ");
  const summary = `${counted(cases.length, "case")}${counts === "" ? "" : `: ${counts}`}`;
  const effort = `${counted(requests, "request")} in ${renderDuration(milliseconds)}`;
  return hanging("", 0, `${summary}; ${effort}.`, settings);
}

const outcomeStyles = {
  conforms: "green",
  differs: "red",
  unjudged: "yellow",
} as const satisfies Readonly<Record<Report["outcome"], string>>;
