import type { RunOptions } from "../contract/options.ts";
import type { CaseReport } from "../contract/report.ts";
import type { RunObserver } from "../contract/run-observer.ts";
import type { SecretMask } from "../client/secret-mask.ts";
import { isWorthAnotherLook } from "./play-again.ts";
import { judgeCase, type Judgement, type PlayedCase, reportCase } from "./played-case.ts";
import type { Selection } from "./selection.ts";

export interface CaseBookParts {
  readonly options: RunOptions;
  readonly observer: RunObserver;
  readonly selection: Selection;
  readonly mask: SecretMask;
  readonly judge: (played: PlayedCase) => Judgement;
}

/** The cases that a run played, and what it reports of them. */
export class CaseBook {
  readonly #parts: CaseBookParts;
  /** Ids of what was played, also for what it finds out alone. */
  readonly #seen = new Set<string>();
  /** By id, in the order in which they were played. */
  readonly #played = new Map<string, PlayedCase>();
  readonly #reports = new Map<string, CaseReport>();

  constructor(parts: CaseBookParts) {
    this.#parts = parts;
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
    this.#seen.add(planned.id);
    if (!this.#parts.selection.isSelected(planned)) return;
    this.#played.set(planned.id, played);
    const judgement = this.#parts.judge(played);
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
    const counts = isWorthAnotherLook(this.#parts.judge(again)) ? again : first;
    this.add(counts, this.#parts.judge(counts));
  }

  /** An operation that turned out to be there is judged, whatever was thought of it before, and one that turned out not to be is not. */
  judgeAgain(): void {
    for (const [id, played] of this.#played) {
      const report = this.#reports.get(id);
      const judgement = this.#parts.judge(played);
      const isJudged = judgement.verdict !== "skipped";
      const wasJudged = report?.verdict === "failed" || report?.verdict === "warned";
      if (report === undefined || (report.verdict === "skipped" ? isJudged : wasJudged && !isJudged))
        this.#report(played, judgement);
    }
  }

  #report(played: PlayedCase, judgement: Judgement): void {
    const { mask, options, observer } = this.#parts;
    const report = reportCase(played, judgement, mask, options.keepExchanges === true);
    this.#reports.set(report.id, report);
    observer.onCase?.(report);
  }
}
