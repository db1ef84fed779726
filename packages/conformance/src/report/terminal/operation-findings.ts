import { counted, visibleText } from "@nodewright/terminal-text";
import { type CaseReport, isFailing, type OperationReport, type Report } from "../../contract/report.ts";
import { foldFindings, type FoldedFinding } from "../folded-finding.ts";
import { verdictCounts, verdictWords } from "../outcome-words.ts";
import { type FindingView, hanging, renderFinding, renderShortFinding } from "./render-finding.ts";
import type { TerminalSettings } from "./render-terminal.ts";

/**
 * Maximum number of findings that are shown in full, and then in one line; the rest is counted. The second number is the maximum for one
 * rule, since a server that violates it everywhere is understood before.
 */
const shownAtMost = { full: [20, 5], short: [100, 10] } as const;
/** Maximum number of shown warnings of one operation. */
const shownWarnings = 3;

/** Form in which findings are shown; absent: only counted. */
type Forms = ReadonlyMap<FoldedFinding, "full" | "short">;

function formsOf(faults: readonly FoldedFinding[], isVerbose: boolean): Forms {
  const forms = new Map<FoldedFinding, "full" | "short">();
  for (const fault of faults) {
    const form = (["full", "short"] as const).find((one) => {
      const taken = [...forms].filter(([, other]) => other === one);
      const ofRule = taken.filter(([{ finding }]) => finding.rule === fault.finding.rule);
      const [most, mostOfRule] = shownAtMost[one];
      return isVerbose || (taken.length < most && ofRule.length < mostOfRule);
    });
    if (form !== undefined) forms.set(fault, form);
  }
  return forms;
}

/** Renders the findings of a report by operation, those with faults first. */
export function renderFindings(report: Report, settings: TerminalSettings): readonly string[] {
  const byOperation = Map.groupBy(report.cases, ({ operation }) => operation);
  const operations = new Map(report.operations.map((one) => [one.operation, one]));
  const order = [...new Set([...operations.keys(), ...byOperation.keys()])];
  const ordered = order.flatMap((name) => byOperation.get(name) ?? []);
  const byShown = (cases: readonly CaseReport[]): ReadonlyMap<string, readonly FoldedFinding[]> =>
    Map.groupBy(foldFindings(cases), ({ shown }) => shown.operation);
  const faults = byShown(ordered.filter(isFailing));
  const warnings = byShown(ordered.filter(({ verdict }) => verdict === "warned"));
  const blocks = order.map((name) => ({
    title: titleOf(name, operations.get(name)),
    cases: byOperation.get(name) ?? [],
    faults: faults.get(name) ?? [],
    warnings: warnings.get(name) ?? [],
  }));
  const isOfFaults = ({ cases, faults: own }: Block): boolean => own.length > 0 || cases.some(isBare);
  const sorted = [...blocks.filter(isOfFaults), ...blocks.filter((one) => !isOfFaults(one))];
  const all = sorted.flatMap((block) => block.faults);
  const forms = formsOf(all, settings.isVerbose);
  const left = all.filter((fault) => !forms.has(fault));
  return [
    ...sorted.flatMap((block) => renderOperation(block, { report, settings, forms })),
    ...(left.length === 0 ? [] : [""]),
    ...[...Map.groupBy(left, ({ finding }) => finding.rule)].map(
      ([rule, own]) => `  … and ${counted(own.length, "more finding")} of ${visibleText(rule)}; --verbose shows them.`,
    ),
  ];
}

/** The part of a report about an operation: the faults that it is the first to show. */
interface Block {
  readonly title: string;
  readonly cases: readonly CaseReport[];
  readonly faults: readonly FoldedFinding[];
  readonly warnings: readonly FoldedFinding[];
}

/** Returns whether a case fails without a finding, such as one with another verdict in the baseline. */
function isBare(one: CaseReport): boolean {
  return isFailing(one) && one.findings.length === 0;
}

interface FindingContext {
  readonly report: Report;
  readonly settings: TerminalSettings;
  readonly forms: Forms;
}

function renderOperation(block: Block, context: FindingContext): readonly string[] {
  const { title, cases, faults } = block;
  const { settings } = context;
  const { paint } = settings;
  const bare = cases
    .filter(isBare)
    .flatMap((one) => [
      "",
      `  ${paint("red", verdictWords(one.verdict))} ${visibleText(one.id)}`,
      ...reasonOf(one, settings),
    ]);
  const lines = [...renderFaults(faults, context), ...bare];
  const others = [...renderWarnings(block, context), ...renderFlaky(cases, settings)];
  if (lines.length + others.length === 0) return [];
  const sign = lines.length > 0 ? paint("red", "✗") : paint("yellow", "!");
  return [
    "",
    `${sign} ${paint("bold", visibleText(title))}   ${paint("dim", verdictCounts(cases))}`,
    ...lines,
    ...others,
  ];
}

function renderFaults(
  faults: readonly FoldedFinding[],
  { report, settings, forms }: FindingContext,
): readonly string[] {
  const lines: string[] = [];
  let last: CaseReport | undefined;
  for (const folded of faults) {
    const view: FindingView = { ...folded, report, settings, isResponseShown: folded.shown === last };
    const form = forms.get(folded);
    if (form === "short") lines.push(...renderShortFinding(view));
    if (form !== "full") continue;
    if (last !== undefined) lines.push("");
    lines.push(...renderFinding(view));
    last = folded.shown;
  }
  return lines;
}

function renderWarnings({ warnings }: Block, { report, settings }: FindingContext): readonly string[] {
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

/** Renders flaky cases, each reason once. */
function renderFlaky(cases: readonly CaseReport[], settings: TerminalSettings): readonly string[] {
  const own = cases.filter(({ verdict }) => verdict === "flaky");
  return [...Map.groupBy(own, ({ reason = "" }) => reason)].flatMap(([reason, same]) => {
    const others = same.length > 1 ? ` and ${counted(same.length - 1, "more case")}` : "";
    const text = `${same[0]?.id ?? ""}${others}${reason === "" ? "" : `: ${reason}`}`;
    return hanging(`  ${settings.paint("yellow", "flaky")} `, 8, text, settings);
  });
}

function reasonOf({ reason }: CaseReport, settings: TerminalSettings): readonly string[] {
  return reason === undefined ? [] : hanging("    ", 4, reason, settings);
}

/** Returns `GET /tx/{txid} (getTx)`, or one of both when they are equal. */
function titleOf(name: string, operation: OperationReport | undefined): string {
  return operation === undefined || operation.origin === name ? name : `${operation.origin} (${name})`;
}
