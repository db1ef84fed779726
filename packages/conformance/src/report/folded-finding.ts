import type { CaseReport, FindingReport, Report, Verdict } from "../contract/report.ts";

/** A fault: equal findings with all cases that made it, of one operation or several. */
export interface FoldedFinding {
  readonly finding: FindingReport;
  /** The case that shows it with the least. */
  readonly shown: CaseReport;
  readonly cases: readonly CaseReport[];
}

/** Verdicts that make a run fail. */
export const failingVerdicts: ReadonlySet<Verdict> = new Set(["failed", "stale"]);

interface Fold {
  readonly finding: FindingReport;
  readonly cases: CaseReport[];
}

/** Returns each fault once, in the order in which the cases first show them. */
export function foldFindings(cases: readonly CaseReport[]): readonly FoldedFinding[] {
  const known = new Map<string, Fold>();
  const folds: Fold[] = [];
  for (const one of cases)
    for (const finding of one.findings) {
      const keys = keysOf(finding);
      const before = keys.map((key) => known.get(key)).find((found) => found !== undefined);
      const fold = before ?? { finding, cases: [] };
      if (before === undefined) folds.push(fold);
      for (const key of keys) if (!known.has(key)) known.set(key, fold);
      if (fold.cases.at(-1) !== one) fold.cases.push(one);
    }
  return folds.map(({ finding, cases: own }) => {
    // The first operation shows it: its block is where the fault stands in a report.
    const candidates = own.filter(({ operation }) => operation === own[0]?.operation);
    const shown = candidates.reduce((best, one) => (weight(one) < weight(best) ? one : best));
    const keys = new Set(keysOf(finding));
    // The detail is that of the case which is shown.
    return {
      finding: shown.findings.find((each) => keysOf(each).some((key) => keys.has(key))) ?? finding,
      shown,
      cases: own,
    };
  });
}

/** A fault in a report for machines: without the values of a single case. */
interface FaultReport extends Pick<FindingReport, "rule" | "level" | "message" | "pointer" | "place"> {
  readonly operations: readonly string[];
  /** Ids. The first is the one that shows it with the least. */
  readonly cases: readonly string[];
}

/** Returns the faults of failed cases, then those that cases warn of. */
export function faultsOf({ cases }: Pick<Report, "cases">): readonly FaultReport[] {
  const failing = cases.filter(({ verdict }) => failingVerdicts.has(verdict));
  const told = [...failing, ...cases.filter(({ verdict }) => verdict === "warned")];
  return foldFindings(told).map(({ finding: { rule, level, message, pointer, place }, shown, cases: own }) => ({
    rule,
    level,
    message,
    ...(pointer === undefined ? {} : { pointer }),
    ...(place === undefined ? {} : { place }),
    operations: [...new Set(own.map(({ operation }) => operation))],
    cases: [shown, ...own.filter((one) => one !== shown)].map(({ id }) => id),
  }));
}

/**
 * What makes two findings one fault: the same message at the same pointer, or, where a schema is shared, the same message about the same
 * place of the document, whatever the pointer that leads there.
 */
function keysOf({ rule, level, message, pointer = "", place }: FindingReport): readonly string[] {
  const own = JSON.stringify([rule, level, message, pointer]);
  if (place === undefined || pointer === "") return [own];
  return [own, JSON.stringify([rule, level, message.replaceAll(/(?<=^|\s)\/\S*/g, ""), place])];
}

/** How much there is to read in a case. */
function weight({ exchanges }: CaseReport): number {
  return exchanges.reduce((sum, { url, body = "", answer }) => sum + url.length + body.length + (answer?.size ?? 0), 0);
}
