import type { FindingReport, Report } from "../contract/report.ts";
import { propertyRules } from "../properties/property-rules.ts";
import type { Baseline, KnownFailure } from "./read-baseline.ts";

/** Id of a replaced rule → id of its replacement. */
const replacements: ReadonlyMap<string, string> = new Map(
  Object.values(propertyRules).flatMap(({ id, aliases = [] }) => aliases.map((alias) => [alias, id] as const)),
);

/**
 * Returns a baseline with entries of replaced rules moved to their replacements: an entry applies to every finding of the new rule at its
 * operation, with the case and the message of the report. Entries without such a finding stay unchanged.
 */
export function withReplacedRules(baseline: Baseline, report: Report): Baseline {
  return {
    ...baseline,
    known: baseline.known.flatMap((entry) => {
      const found = replacedFindings(entry, report).map(({ id, finding }) => ({ ...entry, case: id, ...finding }));
      // A rule may have been replaced only in part.
      const isLeft = report.cases.some(
        ({ id, findings }) => id === entry.case && findings.some(({ rule }) => rule === entry.rule),
      );
      return found.length === 0 || isLeft ? [entry, ...found] : found;
    }),
  };
}

/** Returns the findings that an entry of a replaced rule applies to. */
export function replacedFindings(
  { case: id, rule }: Pick<KnownFailure, "case" | "rule">,
  { cases }: Report,
): readonly { readonly id: string; readonly finding: Pick<FindingReport, "rule" | "message"> }[] {
  const replacement = replacements.get(rule);
  if (replacement === undefined) return [];
  const operation = id.slice(0, id.indexOf("/"));
  return cases
    .filter((one) => one.operation === operation)
    .flatMap((one) =>
      one.findings
        .filter((finding) => finding.rule === replacement)
        .map(({ rule: own, message }) => ({ id: one.id, finding: { rule: own, message } })),
    );
}
