import { isMap, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";
import { type FailOn, failsRun } from "../contract/rule.ts";
import type { CaseReport, FindingReport, Report } from "../contract/report.ts";
import { applicability, isEvaluated, replacedFindings } from "./apply-baseline.ts";
import { isEntryOf, type KnownFailure, readBaseline, unexplained } from "./read-baseline.ts";

/** Changes of a baseline. */
export interface BaselineUpdate {
  readonly text: string;
  readonly added: number;
  readonly removed: number;
}

/** First comment of a new file. */
const heading = ` Failures that are known, each with its reason. A failure that does not stand here fails a run, and so does an entry
 whose failure is gone or has become another one. Members: case, rule, message (all exact), reason, since, and where it is true
 of some versions alone, clients: btcd >=0.24 <0.27. Cases under "flaky" (case, reason, since) never fail a run.`;

/**
 * Writes the failures of a report into a baseline. Remaining entries keep their text and comments; entries of cases without a verdict,
 * and of other clients, remain; entries without a failure are removed; new entries have no reason yet.
 *
 * @param report as the run created it, without a baseline applied
 * @param day of new entries
 */
export function updateBaseline(
  file: string,
  text: string,
  report: Report,
  { day, failOn }: { readonly day: string; readonly failOn: FailOn },
): BaselineUpdate {
  const before = readBaseline(file, text);
  const flaky = new Set(before.flaky.map((entry) => entry.case));
  const used = before.known.filter((entry) => applicability(entry, report) === true);
  const gone = new Set(used.filter((entry) => isGone(entry, report)));
  const isListed = ({ one, finding }: Failure): boolean =>
    flaky.has(one.id) || used.some((entry) => entry.case === one.id && isEntryOf(entry, finding));
  const fresh = failuresOf(report, failOn)
    .filter((failure) => !isListed(failure))
    .map(({ one, finding: { rule, message } }): KnownFailure => {
      // The reason of an entry for a replaced rule also applies to the replacement.
      const replaced = before.known.find((entry) =>
        replacedFindings(entry, report).some(
          ({ id, finding }) => id === one.id && finding.rule === rule && finding.message === message,
        ),
      );
      return { case: one.id, rule, message, reason: replaced?.reason ?? unexplained, since: day };
    });
  if (gone.size === 0 && fresh.length === 0 && text !== "") return { text, added: 0, removed: 0 };
  const isKept = before.known.map((entry) => !gone.has(entry));
  return { text: rewrite(text, isKept, fresh), added: fresh.length, removed: gone.size };
}

/** Returns whether the case of an entry was checked and has other findings, or findings of a rule that replaced the entry's. */
function isGone(entry: KnownFailure, report: Report): boolean {
  const one = report.cases.find(({ id }) => id === entry.case);
  const isOtherwise =
    one !== undefined && isEvaluated(one) && !one.findings.some((finding) => isEntryOf(entry, finding));
  return isOtherwise || replacedFindings(entry, report).length > 0;
}

/** Returns the text of a baseline without some of its entries, by position, and with further ones. */
function rewrite(text: string, isKept: readonly boolean[], fresh: readonly KnownFailure[]): string {
  const document = parseDocument(text);
  if (!isMap(document.contents)) {
    document.contents = document.createNode({ format: 1 }) as unknown as typeof document.contents;
    document.commentBefore ??= heading;
  }
  const known = listOf(document, "known");
  known.items = known.items.filter((_, position) => isKept[position] !== false);
  for (const entry of fresh) known.add(document.createNode(entry));
  known.flow = known.items.length === 0;
  return document.toString({ lineWidth: 0 });
}

function listOf(document: ReturnType<typeof parseDocument>, name: string): YAMLSeq<YAMLMap> {
  const list = document.get(name);
  if (list !== undefined && list !== null) return list as YAMLSeq<YAMLMap>;
  const created = document.createNode([]) as YAMLSeq<YAMLMap>;
  document.set(name, created);
  return created;
}

interface Failure {
  readonly one: CaseReport;
  readonly finding: FindingReport;
}

function failuresOf({ cases }: Report, failOn: FailOn): readonly Failure[] {
  return cases
    .filter(({ verdict }) => verdict === "failed")
    .flatMap((one) => {
      const findings = one.findings.filter(({ level }) => failsRun(level, failOn));
      const unique = new Map(findings.map((finding) => [JSON.stringify([finding.rule, finding.message]), finding]));
      return [...unique.values()].map((finding) => ({ one, finding }));
    });
}
