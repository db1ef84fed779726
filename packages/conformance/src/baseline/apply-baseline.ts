import { type FailOn, failsRun } from "../contract/rule.ts";
import { counted, listed } from "@nodewright/terminal-text";
import type { CaseReport, FindingReport, Report } from "../contract/report.ts";
import { type Baseline, type FlakyCase, isEntryOf, type KnownFailure, unexplained } from "./read-baseline.ts";
import { isInClientRange } from "./client-range.ts";
import { conclude } from "./conclude.ts";
import { propertyRules } from "../properties/property-rules.ts";

/** Whether an entry applies to this target; `undefined` when this can't be determined. */
type Applicability = boolean | undefined;

/**
 * Applies a baseline to a report. A listed failure is known; an unlisted one fails; a listed one that did not occur, or had another
 * finding, is stale, which fails too. Entries whose cases were not played are reported.
 */
export function applyBaseline(report: Report, written: Baseline, failOn: FailOn = "MUST"): Report {
  const baseline = withReplacedRules(written, report);
  const isUsed = (entry: FlakyCase): boolean => applicability(entry, report) === true;
  const known = Map.groupBy(baseline.known.filter(isUsed), (entry) => entry.case);
  const flaky = new Map(baseline.flaky.filter(isUsed).map((entry) => [entry.case, entry]));
  const cases = report.cases.map((one) => {
    const listed = flaky.get(one.id);
    if (listed !== undefined) return evaluateFlaky(one, listed);
    const own = known.get(one.id);
    return own === undefined || !isEvaluated(one) ? one : evaluate(one, own, failOn);
  });
  const isHeard = (one: CaseReport): boolean => isEvaluated(one) || (one.verdict === "flaky" && flaky.has(one.id));
  const played = new Set(report.cases.filter(isHeard).map(({ id }) => id));
  const unplayed = [...new Set([...flaky.keys(), ...known.keys()])].filter((id) => !played.has(id));
  return conclude(report, cases, noticesOf(report, baseline, unplayed));
}

/** Returns whether an entry applies to the detected client. */
export function applicability({ clients }: FlakyCase, { target }: Report): Applicability {
  if (clients === undefined) return true;
  const { client } = target;
  if (client === undefined) return undefined;
  const results = clients.map((range) => isInClientRange(client, range));
  if (results.includes(true)) return true;
  return results.includes(undefined) ? undefined : false;
}

/** Returns whether a case has a verdict on the target. */
export function isEvaluated({ verdict }: CaseReport): boolean {
  return verdict === "passed" || verdict === "failed" || verdict === "warned";
}

function evaluateFlaky(one: CaseReport, { reason }: FlakyCase): CaseReport {
  const isFlaky = one.verdict === "failed" || one.verdict === "flaky";
  return isFlaky ? { ...one, verdict: "flaky", reason: `known to be flaky: ${reason}` } : one;
}

function evaluate(one: CaseReport, known: readonly KnownFailure[], failOn: FailOn): CaseReport {
  const { findings } = one;
  const fresh = findings.filter(
    (finding) => failsRun(finding.level, failOn) && !known.some((entry) => isEntryOf(entry, finding)),
  );
  const gone = known.filter((entry) => !findings.some((finding) => isEntryOf(entry, finding)));
  if (gone.length === 0 && fresh.length === 0)
    return { ...one, verdict: "known", reason: [...new Set(known.map(({ reason }) => reason))].join("; ") };
  if (gone.length === 0)
    return { ...one, verdict: "failed", reason: "the baseline knows another failure of it, not this one" };
  return { ...one, verdict: "stale", reason: staleReason(gone, fresh) };
}

function staleReason(gone: readonly KnownFailure[], fresh: readonly FindingReport[]): string {
  const expected = gone.map(({ rule, message }) => `${rule} "${message}"`).join(", ");
  return fresh.length === 0
    ? `the baseline expects ${expected}, which is not there any more: take it out with --update-baseline`
    : `the baseline expects ${expected}, and it is otherwise now: look at it, then --update-baseline`;
}

/** @param unplayed ids of cases without a verdict */
function noticesOf(report: Report, baseline: Baseline, unplayed: readonly string[]): readonly string[] {
  const all = [...baseline.known, ...baseline.flaky];
  const others = all.filter((entry) => applicability(entry, report) === false);
  const unclear = all.filter((entry) => applicability(entry, report) === undefined);
  const open = baseline.known.filter(({ reason }) => reason.startsWith(unexplained));
  const entriesOf = ({ length }: readonly unknown[]): string => counted(length, "entry", "entries");
  const notices: readonly (readonly [of: readonly unknown[], sentence: string])[] = [
    [open, `BASELINE: ${entriesOf(open)} without a reason (${unexplained}): ${idsOf(open)}.`],
    [
      unplayed,
      `${counted(unplayed.length, "case")} of the baseline had no verdict in this run: ${listed(unplayed, shownIds)}.`,
    ],
    [
      others,
      `${entriesOf(others)} of the baseline ${others.length === 1 ? "is" : "are"} of other clients or versions: ${idsOf(others)}.`,
    ],
    [
      unclear,
      `The target does not say what client it is, so ${entriesOf(unclear)} of the baseline could not be used: ${idsOf(unclear)}.`,
    ],
  ];
  return notices.filter(([of]) => of.length > 0).map(([, sentence]) => sentence);
}

function idsOf(entries: readonly FlakyCase[]): string {
  return listed([...new Set(entries.map((entry) => entry.case))], shownIds);
}

const shownIds = 5;

/** Id of a replaced rule → id of its replacement. */
const replacements: ReadonlyMap<string, string> = new Map(
  Object.values(propertyRules).flatMap(({ id, aliases = [] }) => aliases.map((alias) => [alias, id] as const)),
);

/**
 * Returns a baseline with entries of replaced rules moved to their replacements: an entry applies to every finding of the new rule at its
 * operation, with the case and the message of the report. Entries without such a finding stay unchanged.
 */
function withReplacedRules(baseline: Baseline, report: Report): Baseline {
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
