import type { CaseReport, FindingReport, Verdict } from "../contract/report.ts";

/** A finding with all cases of one operation that made it. */
export interface FoldedFinding {
  readonly finding: FindingReport;
  /** The one that shows it with the least: at least this one. */
  readonly shown: CaseReport;
  readonly cases: readonly CaseReport[];
}

/** Verdicts that make a run fail. */
export const failingVerdicts: ReadonlySet<Verdict> = new Set(["failed", "stale"]);

/** Equal findings of cases told once, in the order in which they were made first. */
export function foldFindings(cases: readonly CaseReport[]): readonly FoldedFinding[] {
  const folds = new Map<string, { finding: FindingReport; cases: CaseReport[] }>();
  for (const one of cases)
    for (const finding of one.findings) {
      const key = JSON.stringify([finding.rule, finding.level, finding.message, finding.pointer ?? ""]);
      const fold = folds.get(key);
      if (fold === undefined) folds.set(key, { finding, cases: [one] });
      else if (fold.cases.at(-1) !== one) fold.cases.push(one);
    }
  return [...folds.values()].map(({ finding, cases: own }) => {
    const shown = own.reduce((best, one) => (weight(one) < weight(best) ? one : best));
    // The detail is that of the case which is shown.
    const shownFinding = shown.findings.find(
      ({ rule, message }) => rule === finding.rule && message === finding.message,
    );
    return { finding: shownFinding ?? finding, shown, cases: own };
  });
}

/** How much there is to read in a case: of several, the smallest is shown. */
function weight({ exchanges }: CaseReport): number {
  return exchanges.reduce((sum, { url, body = "", answer }) => sum + url.length + body.length + (answer?.size ?? 0), 0);
}
