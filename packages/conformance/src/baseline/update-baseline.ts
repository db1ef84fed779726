import { isMap, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";
import { type FailOn, failsRun } from "../contract/rule.ts";
import type { CaseReport, FindingReport, Report } from "../contract/report.ts";
import { applicability, isEvaluated, replacedFindings } from "./apply-baseline.ts";
import { isEntryOf, readBaseline, unexplained } from "./read-baseline.ts";

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
 * Writes the failures of a report into a baseline. Remaining entries keep their text and comments; entries of cases that were not judged,
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
  const checked = new Map(report.cases.filter(isEvaluated).map((one) => [one.id, one]));
  const used = before.known.filter((entry) => applicability(entry, report) === true);
  const gone = new Set(
    used.filter((entry) => {
      const one = checked.get(entry.case);
      const isFound = one === undefined || one.findings.some((finding) => isEntryOf(entry, finding));
      return !isFound || replacedFindings(entry, report).length > 0;
    }),
  );
  const listed = Map.groupBy(used, (entry) => entry.case);
  const fresh = failuresOf(report, failOn).filter(
    ({ one, finding }) => !flaky.has(one.id) && listed.get(one.id)?.some((entry) => isEntryOf(entry, finding)) !== true,
  );
  // The reason of an entry for a replaced rule also applies to the replacement.
  const reasonOf = (id: string, { rule, message }: FindingReport): string => {
    const entry = before.known.find((known) =>
      replacedFindings(known, report).some(
        (one) => one.id === id && one.finding.rule === rule && one.finding.message === message,
      ),
    );
    return entry?.reason ?? unexplained;
  };
  const removed = gone.size;
  if (removed === 0 && fresh.length === 0 && text !== "") return { text, added: 0, removed: 0 };
  const document = parseDocument(text);
  if (!isMap(document.contents)) {
    document.contents = document.createNode({ format: 1 }) as unknown as typeof document.contents;
    document.commentBefore ??= heading;
  }
  const known = listOf(document, "known");
  known.items = known.items.filter((_, position) => {
    const entry = before.known[position];
    return entry === undefined || !gone.has(entry);
  });
  for (const { one, finding } of fresh)
    known.add(
      document.createNode({
        case: one.id,
        rule: finding.rule,
        message: finding.message,
        reason: reasonOf(one.id, finding),
        since: day,
      }),
    );
  known.flow = known.items.length === 0;
  return { text: document.toString({ lineWidth: 0 }), added: fresh.length, removed };
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
