import { curlCommand } from "../client/curl-command.ts";
import type { Finding } from "../contract/finding.ts";
import type { PlannedCase } from "../contract/planned-case.ts";
import type { CaseReport, FindingReport } from "../contract/report.ts";
import type { Level } from "../contract/rule.ts";
import { createCaseJudge, isWorthAnotherLook, judgeCase, type Judgement } from "./judge-case.ts";
import { maskReport } from "./mask-report.ts";
import type { PlayedCase } from "./play-case.ts";
import type { RunTools } from "./run-tools.ts";

/** The cases that a run played, and what it reports of them. */
export class CaseBook {
  readonly #tools: RunTools;
  readonly #judge: (played: PlayedCase) => Judgement;
  /** Ids of what was played, also for what it finds out alone. */
  readonly #seen = new Set<string>();
  /** By id, in the order in which they were played. */
  readonly #played = new Map<string, PlayedCase>();
  readonly #reports = new Map<string, CaseReport>();

  constructor(tools: RunTools) {
    this.#tools = tools;
    this.#judge = createCaseJudge(tools);
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

  /** Keeps a case, and reports it unless it is looked at again. */
  take(played: PlayedCase): void {
    const { planned, interruption } = played;
    const { troubles, presence, selection } = this.#tools;
    troubles.note(played);
    if (interruption?.kind === "no-answer") presence.noteLost(played);
    this.#seen.add(planned.id);
    if (!selection.isSelected(planned)) return;
    this.#played.set(planned.id, played);
    const judgement = this.#judge(played);
    // A new head, or a connection that broke, may explain a failure.
    const mayBeExplained = !planned.writes && (planned.isLive || interruption?.kind === "no-answer");
    if (!mayBeExplained || !isWorthAnotherLook(judgement)) this.#report(played, judgement);
  }

  /** Keeps and reports a case whose judgement is known. */
  add(played: PlayedCase, judgement: Judgement): void {
    this.#played.set(played.planned.id, played);
    this.#report(played, judgement);
  }

  /** Failures that are looked at again before they count. */
  get open(): readonly PlayedCase[] {
    return this.played.filter((played) => !this.#reports.has(played.planned.id));
  }

  /** Reports an open failure. `again`: what came of it when it was played again; undefined where it passed twice. */
  settle(first: PlayedCase, again: PlayedCase | undefined): void {
    if (again === undefined) {
      const { findings } = judgeCase(first);
      // A guess that is not confirmed is none.
      const isGuess = findings.length > 0 && findings.every(({ rule }) => rule.level === "heuristic");
      const reason = "it failed, and passed twice when it was played again";
      this.#report(first, isGuess ? { verdict: "passed", findings: [] } : { verdict: "flaky", reason, findings });
      return;
    }
    // Where the repetition says nothing, as when the budget is used up, the failure stands.
    const counts = isWorthAnotherLook(this.#judge(again)) ? again : first;
    this.add(counts, this.#judge(counts));
  }

  /** An operation that turned out to be there is judged, whatever was thought of it before, and one that turned out not to be is not. */
  judgeAgain(): void {
    for (const [id, played] of this.#played) {
      const report = this.#reports.get(id);
      const judgement = this.#judge(played);
      const isJudged = judgement.verdict !== "skipped";
      const wasJudged = report?.verdict === "failed" || report?.verdict === "warned";
      if (report === undefined || (report.verdict === "skipped" ? isJudged : wasJudged && !isJudged))
        this.#report(played, judgement);
    }
  }

  #report(played: PlayedCase, judgement: Judgement): void {
    const { sender, options, observer } = this.#tools;
    const report = maskReport(reportCase(played, judgement, options.keepExchanges === true), sender.mask);
    this.#reports.set(report.id, report);
    observer.onCase?.(report);
  }
}

/** Returns what a report says of a case. */
function reportCase(
  { planned, exchanges, milliseconds }: PlayedCase,
  { verdict, reason, findings }: Judgement,
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

/** Of the worst finding, else of the rule that the case is about. */
function levelOf(planned: PlannedCase, findings: readonly Finding[]): Level {
  const levels = new Set(findings.map(({ rule }) => rule.level));
  return (["MUST", "SHOULD", "heuristic", "MAY"] as const).find((level) => levels.has(level)) ?? planned.rule.level;
}

function reportFinding({ rule, message, detail, pointer, place, guess = rule.source }: Finding): FindingReport {
  const { id, level, title } = rule;
  return { rule: id, level, title, message, detail, pointer, place, guess: level === "heuristic" ? guess : undefined };
}
