import { type CaseReport, isFailing, type FindingReport, type Report } from "../contract/report.ts";

/** A fault: equal findings with all cases that found it, of one operation or several. */
export interface FoldedFinding {
  readonly finding: FindingReport;
  /** Rules that it violates, first that of the finding. */
  readonly rules: readonly string[];
  /** The smallest case that shows it. */
  readonly shown: CaseReport;
  readonly cases: readonly CaseReport[];
}

interface Fold {
  readonly finding: FindingReport;
  readonly first: CaseReport;
  readonly rules: Set<string>;
  readonly cases: Set<CaseReport>;
}

/** Returns each fault once, violations of a MUST first, in the order in which cases first show them. */
export function foldFindings(cases: readonly CaseReport[]): readonly FoldedFinding[] {
  const known = new Map<string, Fold>();
  const folds: Fold[] = [];
  const all = cases.flatMap((one) => one.findings.map((finding) => ({ one, finding })));
  const isMust = ({ finding }: (typeof all)[number]): boolean => finding.level === "MUST";
  for (const { one, finding } of [...all.filter(isMust), ...all.filter((each) => !isMust(each))]) {
    const keys = keysOf(finding, one);
    const before = keys.map((key) => known.get(key)).find((found) => found !== undefined);
    const fold = before ?? { finding, first: one, rules: new Set(), cases: new Set() };
    if (before === undefined) folds.push(fold);
    for (const key of keys) if (!known.has(key)) known.set(key, fold);
    fold.rules.add(finding.rule);
    fold.cases.add(one);
  }
  return folds.map(({ finding, first, rules, cases: own }) => {
    const keys = new Set(keysOf(finding, first));
    const sameIn = (one: CaseReport): FindingReport | undefined =>
      one.findings.find((each) => each.rule === finding.rule && keysOf(each, one).some((key) => keys.has(key)));
    // The first operation shows it, where a report lists the fault, with the detail of the shown case.
    const shown = [...own]
      .filter((one) => one.operation === first.operation && sameIn(one) !== undefined)
      .reduce((best, one) => (weight(one) < weight(best) ? one : best), first);
    return { finding: sameIn(shown) ?? finding, rules: [...rules], shown, cases: [...own] };
  });
}

/** A fault in a machine-readable report, without the values of a single case. */
interface FaultReport extends Pick<FindingReport, "rule" | "level" | "message" | "pointer" | "place"> {
  readonly rules: readonly string[];
  readonly operations: readonly string[];
  /** Case ids, first that of the smallest case. */
  readonly cases: readonly string[];
}

/** Returns the faults of failed cases, then those of warnings. */
export function faultsOf({ cases }: Pick<Report, "cases">): readonly FaultReport[] {
  const failing = cases.filter(isFailing);
  const reported = [...failing, ...cases.filter(({ verdict }) => verdict === "warned")];
  return foldFindings(reported).map(
    ({ finding: { rule, level, message, pointer, place }, rules, shown, cases: own }) => ({
      rule,
      rules,
      level,
      message,
      pointer,
      place,
      operations: [...new Set(own.map(({ operation }) => operation))],
      cases: [shown, ...own.filter((one) => one !== shown)].map(({ id }) => id),
    }),
  );
}

/**
 * A message that baselines contain and that does not identify the mistake: for a MUST, the place of its constraint distinguishes the
 * faults.
 */
const statesDifference = "there is a result instead of an error";

/**
 * Returns keys of a finding; two findings with any equal key are one fault: the same message at the same pointer, without the operation
 * name; for a shared schema, the same message about the same place of the document, at any pointer; and the same message with the same
 * values, for any rule.
 */
function keysOf(finding: FindingReport, { operation }: CaseReport): readonly string[] {
  const { rule, level, message, pointer = "", place, detail } = finding;
  const name = operation.slice(operation.lastIndexOf(".") + 1);
  const general = message.split(" ").map((word) => (word === name ? "" : word));
  return [
    JSON.stringify([
      rule,
      level,
      general.join(" "),
      pointer,
      ...(message === statesDifference && level === "MUST" ? [place] : []),
    ]),
    ...(place === undefined || pointer === ""
      ? []
      : [JSON.stringify([rule, level, message.replaceAll(/(?<=^|\s)\/\S*/g, ""), place])]),
    ...(detail === undefined || detail === "" ? [] : [JSON.stringify([message, pointer, { detail }])]),
  ];
}

/** Returns how much there is to read in a case. */
function weight({ exchanges }: CaseReport): number {
  return exchanges.reduce(
    (sum, { url, body = "", response }) => sum + url.length + body.length + (response?.size ?? 0),
    0,
  );
}
