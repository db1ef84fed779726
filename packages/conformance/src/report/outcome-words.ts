import { counted, listed } from "@nodewright/terminal-text";
import { type CaseReport, countVerdicts, isFailing, type Report, type Verdict, verdicts } from "../contract/report.ts";
import { foldFindings } from "./folded-finding.ts";

/** Returns a verdict in words. */
export function verdictWords(verdict: Verdict): string {
  return verdict.replace("-", " ");
}

/** Returns the number of cases by verdict: `2 failed, 20 passed`. */
export function verdictCounts(cases: readonly CaseReport[]): string {
  const counts = countVerdicts(cases);
  return verdicts
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => `${counts[verdict].toLocaleString("en")} ${verdictWords(verdict)}`)
    .join(", ");
}

/** Returns the outcome of a run as a sentence, with the known failures. */
export function outcomeSentence({ outcome, totals }: Pick<Report, "outcome" | "totals">): string {
  if (outcome === "differs") return "It does not conform.";
  if (outcome === "inconclusive") return "The run is inconclusive.";
  return totals.known === 0 ? "It conforms." : `It conforms, but for ${counted(totals.known, "known failure")}.`;
}

/** Returns how many faults failed how many cases: `2 faults failed 22 of 56 cases.` Returns `undefined` when nothing failed. */
export function faultSentence({ cases }: Pick<Report, "cases">): string | undefined {
  const failing = cases.filter(isFailing);
  if (failing.length === 0) return undefined;
  const bare = failing.filter(({ findings }) => findings.length === 0).length;
  return `${counted(foldFindings(failing).length + bare, "fault")} in ${failing.length} of ${counted(cases.length, "case")}.`;
}

/** Returns `3 operations: GET /items, GET /pets and 1 more` for the operations of cases; `undefined` for a single operation. */
export function operationsWords(cases: readonly CaseReport[], report: Report): string | undefined {
  const names = [...new Set(cases.map(({ operation }) => operation))];
  if (names.length < 2) return undefined;
  const origins = new Map(report.operations.map(({ operation, origin }) => [operation, origin]));
  const shown = names.map((name) => origins.get(name) ?? name);
  return `${counted(names.length, "operation")}: ${listed(shown, namedOperations)}`;
}

/** Maximum number of named operations of a fault. */
const namedOperations = 3;
