import { counted } from "../../basics/counted.ts";
import {
  type CaseReport,
  failingVerdicts,
  type OperationReport,
  type Report,
  type Verdict,
  verdicts,
} from "../../contract/report.ts";
import { foldFindings, type FoldedFinding } from "../folded-finding.ts";
import { verdictWords } from "../outcome-words.ts";
import { visibleText } from "../visible-text.ts";
import { type FindingView, hanging, renderFinding, renderShortFinding } from "./render-finding.ts";
import type { TerminalSettings } from "./render-terminal.ts";

/**
 * Findings that are shown in full, and then in a line; the rest is counted. The second number is of findings of one rule: a server that
 * breaks it everywhere is understood before.
 */
const shownAtMost = { full: [20, 5], short: [100, 10] } as const;
/** Warnings of one operation that are shown. */
const shownWarnings = 3;

/** How findings are shown so far, over all operations and of each rule. */
class Shown {
  readonly #taken: { readonly form: "full" | "short"; readonly rule: string }[] = [];
  /** Rules of findings that are not shown. */
  readonly left: string[] = [];
  readonly #isVerbose: boolean;

  constructor(isVerbose: boolean) {
    this.#isVerbose = isVerbose;
  }

  /** How the next finding of a rule is shown; undefined where it is only counted. */
  take(rule: string): "full" | "short" | undefined {
    if (this.#isVerbose) return "full";
    const form = (["full", "short"] as const).find((one) => {
      const own = this.#taken.filter((taken) => taken.form === one);
      const [most, mostOfRule] = shownAtMost[one];
      return own.length < most && own.filter((taken) => taken.rule === rule).length < mostOfRule;
    });
    if (form === undefined) this.left.push(rule);
    else this.#taken.push({ form, rule });
    return form;
  }
}

/** Renders the findings of a report, operation by operation, those with faults first. */
export function renderFindings(report: Report, settings: TerminalSettings): readonly string[] {
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
    ...(shown.left.length === 0 ? [] : [""]),
    ...[...Map.groupBy(shown.left, (rule) => rule)].map(
      ([rule, own]) => `  … and ${counted(own.length, "more finding")} of ${visibleText(rule)}; --verbose shows them.`,
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
