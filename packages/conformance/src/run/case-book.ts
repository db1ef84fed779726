import { curlCommand } from "../client/curl-command.ts";
import type { Finding } from "../contract/finding.ts";
import type { PlannedCase } from "../contract/planned-case.ts";
import type { CaseReport, FindingReport } from "../contract/report.ts";
import type { Level } from "../contract/rule.ts";
import { createCaseEvaluation, isWorthAnotherLook, evaluateCase, type Evaluation } from "./evaluate-case.ts";
import { maskReport } from "./mask-report.ts";
import type { PlayedCase } from "./play-case.ts";
import type { RunTools } from "./run-tools.ts";

/** Played cases of a run, and their reports. */
export class CaseBook {
  readonly #tools: RunTools;
  readonly #evaluate: (played: PlayedCase) => Evaluation;
  /** Ids of all played cases, including those that only provide values. */
  readonly #seen = new Set<string>();
  /** Played cases by id, in the order in which they were played. */
  readonly #played = new Map<string, PlayedCase>();
  readonly #reports = new Map<string, CaseReport>();

  constructor(tools: RunTools) {
    this.#tools = tools;
    this.#evaluate = createCaseEvaluation(tools);
  }

  get played(): readonly PlayedCase[] {
    return [...this.#played.values()];
  }

  get reports(): readonly CaseReport[] {
    return [...this.#played.keys()].flatMap((id) => this.#reports.get(id) ?? []);
  }

  isSeen(id: string): boolean {
    return this.#seen.has(id);
  }

  /** Records a case, and reports it unless it will be repeated. */
  take(played: PlayedCase): void {
    const { planned, interruption } = played;
    const { troubles, presence, selection } = this.#tools;
    troubles.note(played);
    if (interruption?.kind === "no-response") presence.noteLost(played);
    this.#seen.add(planned.id);
    if (!selection.isSelected(planned)) return;
    this.#played.set(planned.id, played);
    const evaluation = this.#evaluate(played);
    // A new head, or a broken connection, may explain a failure.
    const mayBeExplained = !planned.writes && (planned.isLive || interruption?.kind === "no-response");
    if (!mayBeExplained || !isWorthAnotherLook(evaluation)) this.#report(played, evaluation);
  }

  /** Records and reports a case with a known judgement. */
  add(played: PlayedCase, evaluation: Evaluation): void {
    this.#played.set(played.planned.id, played);
    this.#report(played, evaluation);
  }

  /** Failures that are repeated before they count. */
  get open(): readonly PlayedCase[] {
    return this.played.filter((played) => !this.#reports.has(played.planned.id));
  }

  /** Reports an open failure. `again`: result of the repetition; `undefined` when it passed twice. */
  settle(first: PlayedCase, again: PlayedCase | undefined): void {
    if (again === undefined) {
      const { findings } = evaluateCase(first);
      // A heuristic that the repetition does not confirm is dropped.
      const isGuess = findings.length > 0 && findings.every(({ rule }) => rule.level === "heuristic");
      const reason = "it failed, and passed twice when it was played again";
      this.#report(first, isGuess ? { verdict: "passed", findings: [] } : { verdict: "flaky", reason, findings });
      return;
    }
    // When the repetition is inconclusive, as when the budget is used up, the failure counts.
    const counts = isWorthAnotherLook(this.#evaluate(again)) ? again : first;
    this.add(counts, this.#evaluate(counts));
  }

  /** Evaluates all cases again: an operation that turned out to exist is checked despite earlier assumptions, and a missing one is not. */
  evaluateAgain(): void {
    for (const [id, played] of this.#played) {
      const report = this.#reports.get(id);
      const evaluation = this.#evaluate(played);
      const isEvaluated = evaluation.verdict !== "skipped";
      const wasEvaluated = report?.verdict === "failed" || report?.verdict === "warned";
      if (report === undefined || (report.verdict === "skipped" ? isEvaluated : wasEvaluated && !isEvaluated))
        this.#report(played, evaluation);
    }
  }

  #report(played: PlayedCase, evaluation: Evaluation): void {
    const { sender, options, observer } = this.#tools;
    const report = maskReport(reportCase(played, evaluation, options.keepExchanges === true), sender.mask);
    this.#reports.set(report.id, report);
    observer.onCase?.(report);
  }
}

/** Returns the report of a case. */
function reportCase(
  { planned, exchanges, milliseconds }: PlayedCase,
  { verdict, reason, findings }: Evaluation,
  keepExchanges: boolean,
): CaseReport {
  const last = exchanges.at(-1);
  const isKept = keepExchanges || verdict !== "passed";
  return {
    id: planned.id,
    operation: planned.operation,
    group: planned.group,
    rule: planned.rule.id,
    level: levelOf(planned, findings),
    verdict,
    expected: planned.expected,
    reason,
    findings: findings.map(reportFinding),
    exchanges: isKept ? exchanges : [],
    curl: isKept && last !== undefined ? curlCommand(last) : undefined,
    milliseconds: Math.round(milliseconds * 10) / 10,
  };
}

/** Returns the level of the worst finding, else of the case's rule. */
function levelOf(planned: PlannedCase, findings: readonly Finding[]): Level {
  const levels = new Set(findings.map(({ rule }) => rule.level));
  return (["MUST", "SHOULD", "heuristic", "MAY"] as const).find((level) => levels.has(level)) ?? planned.rule.level;
}

function reportFinding({ rule, message, detail, pointer, place, guess = rule.source }: Finding): FindingReport {
  const { id, level, title } = rule;
  return { rule: id, level, title, message, detail, pointer, place, guess: level === "heuristic" ? guess : undefined };
}
