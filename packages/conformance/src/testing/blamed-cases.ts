import { ruleGroups } from "../command/list-rules.ts";
import { isBroken } from "../contract/finding.ts";
import type { CaseReport, FindingReport, Report } from "../contract/report.ts";

const rules = new Map(ruleGroups.flatMap((group) => group.rules.map((rule) => [rule.id, rule] as const)));

/** Returns whether a finding is of a MUST, or of a heuristic that correct servers do not break. */
export function isBlame({ rule: id, message }: FindingReport): boolean {
  const rule = rules.get(id);
  return rule !== undefined && isBroken([{ rule, message }]);
}

/** Returns the cases that failed, or would fail under `--strict` for such a finding. */
export function blamedCases({ cases }: Report): readonly CaseReport[] {
  return cases.filter(
    ({ verdict, findings }) => verdict === "failed" || (verdict === "warned" && findings.some(isBlame)),
  );
}

/** Returns the ids of the rules of these findings, sorted. */
export function blamedRules(report: Report): readonly string[] {
  const found = blamedCases(report).flatMap(({ findings }) => findings.filter(isBlame));
  return [...new Set(found.map(({ rule }) => rule))].toSorted();
}
