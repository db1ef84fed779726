import { randomBytes } from "node:crypto";
import { type AvailabilityLog, createAvailabilityLog } from "../capabilities/availability.ts";
import { type Detection, detectCapabilities } from "../capabilities/detect.ts";
import { readRpcReply } from "../capabilities/rpc-reply.ts";
import { type PlannedCase, protocolOperation, type Stage } from "../contract/planned-case.ts";
import { counted } from "../basics/counted.ts";
import type { CaseReport, Report } from "../contract/report.ts";
import type { RunObserver } from "../contract/run-observer.ts";
import { createRequestGuard, type RequestGuard } from "../safety/request-guard.ts";
import { findRelationMistakes } from "../relations/relation-mistakes.ts";
import { createSafety, refusalOfOperation, type Safety } from "../safety/safety.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import { createRandom } from "../types/random.ts";
import type { RandomSource } from "../types/random-source.ts";
import type { BaseUrl } from "../wire/base-url.ts";
import type { Answer, PlainRequest } from "../contract/exchange.ts";
import { pause } from "../wire/pause.ts";
import { type AnswerListener, createSender, type Sender } from "../wire/sender.ts";
import { type Budget, createBudget } from "../wire/budget.ts";
import { createEvidence } from "../session/coverage.ts";
import { createCaseJudge } from "./case-judge.ts";
import { announceSuite, noteAnswer, noteSeen } from "./coverage-of-suite.ts";
import { createLatencyMeter, type LatencyMeter } from "./latency.ts";
import { limitsOf, prerequisiteCalls, type RunLimits } from "./limits.ts";
import type { RunOptions } from "../contract/options.ts";
import { judgeCase, type Judgement, type PlayedCase, reportCase } from "./played-case.ts";
import { keyEchoCase, unsentCase } from "./own-cases.ts";
import { isWorthAnotherLook, playAgain } from "./play-again.ts";
import type { CaseTools } from "./play-case.ts";
import { createPeers, type Peers } from "../session/peer.ts";
import { playStage, type StageTools, unplayed } from "./play-stage.ts";
import { findMismatch } from "./mismatch.ts";
import { findObstacle, madeUpRequest, preflightOperation, probesOf } from "./preflight.ts";
import { createPresence, type Presence } from "./presence.ts";
import { exchangeOf, isAnyAnswered } from "./probe.ts";
import { readTarget } from "../session/read-target.ts";
import { createRecordingLive, type RecordingLive } from "./recording-live.ts";
import { reportRun } from "./report-run.ts";
import { runRules } from "./run-rules.ts";
import { createSelection, type Selection } from "./selection.ts";
import type { Session } from "../session/session.ts";
import { stagesOf } from "./stages-of.ts";
import { createTroubleLog, type TroubleLog } from "./trouble-log.ts";

/** A run that can be played once. */
export interface Run {
  play(): Promise<Report>;
  close(): Promise<void>;
}

const usualConcurrency = 4;
/** Calls that a stage leaves to each stage after it, so that the last ones are heard too. */
const callsLeftToLaterStages = 4;
const pauseBeforeRecheckMilliseconds = 500;
const usualPatienceMilliseconds = 8_000;

/** `planStages`: in place of the stages of the suite's protocol. */
export function createRun(
  suite: ConformanceSuite,
  options: RunOptions,
  observer: RunObserver,
  planStages: typeof stagesOf = stagesOf,
): Run {
  const baseUrl = readTarget(suite, options);
  const seed = options.seed ?? randomBytes(8).toString("hex");
  const live = createRecordingLive(suite);
  const answers = options.earlierAnswers ?? [];
  for (const answer of answers) live.values.see(answer);
  return new SuiteRun({ suite, options, observer, baseUrl, seed, live, isPrimed: answers.length > 0, planStages });
}

interface RunParts {
  readonly suite: ConformanceSuite;
  readonly options: RunOptions;
  readonly observer: RunObserver;
  readonly baseUrl: BaseUrl;
  readonly seed: string;
  readonly live: RecordingLive;
  /** True: values were found by an earlier run, so that nothing needs to be played for what it finds out. */
  readonly isPrimed: boolean;
  readonly planStages: typeof stagesOf;
}

class SuiteRun implements Run {
  readonly #suite: ConformanceSuite;
  readonly #options: RunOptions;
  readonly #observer: RunObserver;
  readonly #baseUrl: BaseUrl;
  readonly #seed: string;
  readonly #random: RandomSource;
  readonly #live: RecordingLive;
  readonly #isPrimed: boolean;
  readonly #planStages: typeof stagesOf;
  readonly #limits: RunLimits;
  readonly #budget: Budget;
  readonly #sender: Sender;
  readonly #safety: Safety;
  readonly #guard: RequestGuard;
  readonly #peers: Peers;
  readonly #selection: Selection;
  readonly #availability: AvailabilityLog;
  readonly #latencies: LatencyMeter = createLatencyMeter();
  readonly #coverage = createEvidence();
  readonly #startedAt = new Date();
  readonly #start = performance.now();
  readonly #notices: string[] = [];
  /** By id, in the order in which they were planned. */
  readonly #played = new Map<string, PlayedCase>();
  readonly #reports = new Map<string, CaseReport>();
  readonly #dropped: PlannedCase[] = [];
  /** Cases that were not even planned, as calls are few: id → operation. */
  readonly #leftOut = new Map<string, string>();
  readonly #troubles: TroubleLog;
  readonly #presence: Presence;
  readonly #judge: (played: PlayedCase) => Judgement;
  #probes: readonly PlainRequest[] = [];
  #planned = 0;
  /** Whether any operation was answered as a success. */
  #hasSuccess = false;
  #detection: Detection | undefined;
  #unjudgedBecause: string | undefined;

  constructor({ suite, options, observer, baseUrl, seed, live, isPrimed, planStages }: RunParts) {
    this.#suite = suite;
    this.#options = options;
    this.#observer = observer;
    this.#baseUrl = baseUrl;
    this.#seed = seed;
    this.#random = createRandom(seed);
    this.#live = live;
    this.#isPrimed = isPrimed;
    this.#planStages = planStages;
    this.#limits = limitsOf(suite, options);
    this.#budget = createBudget({
      maxMilliseconds: options.maxMilliseconds,
      maxRequests: options.maxRequests,
      callsOf: (operation) => this.#hardLimitOf(operation),
      signal: options.signal,
    });
    this.#safety = createSafety(suite, options);
    this.#guard = createRequestGuard(suite, this.#safety, options.allowWrites === true);
    this.#peers = createPeers(suite, options);
    this.#selection = createSelection(suite, options);
    this.#availability = createAvailabilityLog(suite, options);
    this.#troubles = createTroubleLog(this.#availability);
    this.#sender = createSender({
      suite,
      options,
      baseUrl,
      budget: this.#budget,
      onAnswer: this.#noteAnswer,
    });
    this.#presence = createPresence({
      ask: () => this.#isAnswering(),
      patienceMilliseconds: options.patienceMilliseconds ?? usualPatienceMilliseconds,
      signal: options.signal,
      onReturn: (notice) => {
        this.#notices.push(notice);
        this.#troubles.forgetLateness();
      },
      onGone: (sentence) => this.#budget.end(lowerFirst(sentence)),
    });
    this.#judge = createCaseJudge({
      suite,
      options,
      availability: this.#availability,
      latencies: this.#latencies,
      presence: this.#presence,
      isCatchingUp: () => this.#detection?.facts.isSynchronised === false,
    });
    this.#notices.push(...findRelationMistakes(suite));
    announceSuite(this.#coverage, suite);
    live.onSee((answer) => noteSeen(this.#coverage, suite, answer));
  }

  async play(): Promise<Report> {
    await this.#playAll();
    return this.#report();
  }

  async close(): Promise<void> {
    const senders = [this.#sender, ...Object.values(this.#peers).map(({ sender }) => sender)];
    await Promise.all(senders.map((sender) => sender.close()));
  }

  async #playAll(): Promise<void> {
    const session: Session = {
      options: this.#options,
      live: this.#live.values,
      random: this.#random,
      capabilities: { operations: this.#availability.facts },
      safety: this.#safety,
      coverage: this.#coverage,
      callsPerOperation: this.#limits.callsPerOperation,
      callsLeft: (operation) => this.#hardLimitOf(operation) - this.#budget.callsOf(operation),
      leaveOut: (operation, id) => this.#leftOut.set(id, operation),
      peers: this.#peers,
    };
    this.#setUnsent();
    const stages = this.#planStages(this.#suite, session);
    const [first] = stages;
    if (first === undefined) return;
    const firstCases = this.#plan(first);
    this.#probes = probesOf(this.#suite, firstCases);
    this.#unjudgedBecause = await findObstacle(this.#suite, firstCases, this.#sender);
    if (this.#unjudgedBecause !== undefined) {
      this.#leave(firstCases, this.#unjudgedBecause);
      return;
    }
    this.#detection = await detectCapabilities(this.#suite, this.#safety, this.#sender);
    Object.assign(session.capabilities, this.#detection.facts);
    await Promise.all(Object.values(this.#peers).map((peer) => peer.meet()));
    await this.#playStage(first, firstCases, stages.length - 1);
    this.#unjudgedBecause = await this.#findMismatch();
    if (this.#unjudgedBecause !== undefined) return;
    for (const [index, stage] of stages.entries()) {
      if (index > 0) await this.#playStage(stage, this.#plan(stage), stages.length - 1 - index);
    }
    await this.#playDropped();
    await this.#lookAgain();
  }

  readonly #noteAnswer: AnswerListener = (context, answer) => {
    this.#presence.noteAnswer();
    const operations = context.operations ?? [context.operation];
    for (const operation of operations) this.#latencies.note(operation, answer.milliseconds);
    const [only, ...others] = operations;
    if (only === undefined || others.length > 0 || context.key !== undefined) return;
    this.#availability.note(only, answer);
    this.#hasSuccess ||= only !== preflightOperation && only !== protocolOperation && isSuccess(this.#suite, answer);
    noteAnswer(this.#coverage, this.#suite, only, answer);
  };

  /** Cases of a stage; what our own code gets wrong costs no more than the stage. */
  #plan(stage: Stage): readonly PlannedCase[] {
    try {
      return stage.plan();
    } catch (reason) {
      this.#notices.push(`The cases of the stage "${stage.name}" could not be planned: ${String(reason)}`);
      return [];
    }
  }

  async #playStage(stage: Stage, cases: readonly PlannedCase[], stagesLeft: number): Promise<void> {
    const wanted = this.#takeWanted(cases);
    this.#planned += wanted.filter((planned) => this.#selection.isSelected(planned)).length;
    this.#observer.onStage?.(stage.name, this.#planned);
    const reserve = Math.min(this.#limits.callsPerOperation / 2, callsLeftToLaterStages * stagesLeft);
    const dropped = await this.#live.holdWhile(() =>
      playStage(wanted, {
        ...this.#stageTools(),
        callsOf: (operation) => this.#softLimitOf(operation) - (operation === protocolOperation ? 0 : reserve),
      }),
    );
    this.#dropped.push(...dropped.filter((planned) => this.#selection.isSelected(planned)));
  }

  #stageTools(): Omit<StageTools, "callsOf"> {
    return {
      ...this.#caseTools(),
      budget: this.#budget,
      concurrency: this.#options.concurrency ?? usualConcurrency,
      skipOf: ({ operation }) => this.#troubles.reasonToLeave(operation),
      onPlayed: (played) => this.#take(played),
      whenAnswering: () => this.#presence.settle(),
    };
  }

  #caseTools(): CaseTools {
    return { sender: this.#sender, random: this.#random, guard: this.#guard, peers: this.#peers };
  }

  /** Without those that are not sent, which are noted, those that nobody selected, and ids that were there before. */
  #takeWanted(cases: readonly PlannedCase[]): readonly PlannedCase[] {
    const wanted: PlannedCase[] = [];
    const prerequisites = new Map<string, number>();
    for (const planned of cases) {
      const { id, operation } = planned;
      if (this.#played.has(id)) continue;
      const isSelected = this.#selection.isSelected(planned);
      const refusal = this.#refusalOf(planned);
      if (refusal !== undefined) {
        if (isSelected) this.#take(unplayed(planned, { kind: "withheld", text: refusal }));
        continue;
      }
      if (!isSelected) {
        // What nobody asked for changes nothing, whatever the run allows.
        if (planned.writes || !this.#safety.of(operation).isSafe) continue;
        const calls = prerequisites.get(operation) ?? 0;
        if (this.#isPrimed || !this.#selection.isPrerequisite(planned) || calls >= prerequisiteCalls) continue;
        prerequisites.set(operation, calls + planned.requests);
      }
      wanted.push(planned);
    }
    return wanted;
  }

  #refusalOf({ operation, writes }: PlannedCase): string | undefined {
    const { allowWrites } = this.#options;
    const refusal = refusalOfOperation(this.#safety.of(operation), allowWrites);
    return refusal ?? (writes && allowWrites !== true ? "it may change something" : undefined);
  }

  #take(played: PlayedCase): void {
    this.#troubles.note(played);
    if (played.interruption?.kind === "no-answer") this.#presence.noteLost(played);
    if (!this.#selection.isSelected(played.planned)) return;
    this.#played.set(played.planned.id, played);
    if (this.#isLookedAtAgain(played)) return;
    this.#reportCase(played, this.#judge(played));
  }

  /** Whether the target answers anything at all; undefined where it may not be asked any more. */
  async #isAnswering(): Promise<boolean | undefined> {
    const isAnswered = await isAnyAnswered(this.#probes, this.#sender);
    return this.#budget.endedBecause() === undefined ? isAnswered : undefined;
  }

  #reportCase(played: PlayedCase, judgement: Judgement): void {
    const report = reportCase(played, judgement, this.#sender.mask, this.#options.keepExchanges === true);
    this.#reports.set(report.id, report);
    this.#observer.onCase?.(report);
  }

  /** A failure that a new head, or a connection that broke, may explain. */
  #isLookedAtAgain(played: PlayedCase): boolean {
    const { planned, interruption } = played;
    if (planned.writes || !(planned.isLive || interruption?.kind === "no-answer")) return false;
    return isWorthAnotherLook(this.#judge(played));
  }

  async #playDropped(): Promise<void> {
    let left: readonly PlannedCase[] = this.#dropped;
    let spare = 0;
    // What small operations leave over is for those that have more to ask, twice: the first time may leave something over again.
    for (const isSpread of [false, true, true]) {
      if (isSpread) spare += this.#limits.spareCalls(countOperations(left), this.#budget.requests);
      const extra = Math.min(spare, this.#limits.mostCalls - this.#limits.callsPerOperation);
      left = await playStage(left, {
        ...this.#stageTools(),
        callsOf: (operation) => this.#softLimitOf(operation) + (operation === protocolOperation ? 0 : extra),
      });
    }
    const extra = left.length === 0 ? 0 : spare;
    this.#noteLeftOut(left, Math.min(this.#limits.mostCalls, this.#limits.callsPerOperation + extra));
  }

  /** Tells how much more there is to ask: who conforms by the cases that were played is not known by the others. */
  #noteLeftOut(left: readonly PlannedCase[], most: number): void {
    const all = new Map(left.map(({ id, operation }) => [id, operation]));
    // What nobody planned can't be told to be selected.
    const { only = [], skip = [] } = this.#options;
    const isWhole = only.length + skip.length === 0;
    for (const [id, operation] of isWhole ? this.#leftOut : []) if (!this.#played.has(id)) all.set(id, operation);
    if (all.size === 0) return;
    const operations = new Set(all.values()).size;
    this.#notices.push(
      `Left out: ${counted(all.size, "case")} of ${counted(operations, "operation")}, as no operation is called more than ${most} times (--max-calls).`,
    );
  }

  /** Failures of cases that depend on the head are played again, later; what then passes twice is flaky. */
  async #lookAgain(): Promise<void> {
    const open = [...this.#played.values()].filter((played) => !this.#reports.has(played.planned.id));
    if (open.length === 0) return;
    await this.#presence.settle(1);
    if (this.#presence.goneBecause !== undefined) return;
    if (this.#budget.endedBecause() === undefined) await this.#waitForNews();
    const settleAll = async (own: readonly PlayedCase[]): Promise<void> => {
      for (const played of own)
        this.#settle(
          played,
          await playAgain(played.planned, this.#caseTools(), this.#presence, this.#options.strict === true),
        );
    };
    // What one case brings the target down with must not be blamed on the others.
    const isFragile = open.some(({ interruption }) => interruption?.kind === "no-answer");
    if (isFragile) await settleAll(open);
    else await Promise.all([...Map.groupBy(open, ({ planned }) => planned.operation).values()].map(settleAll));
  }

  async #waitForNews(): Promise<void> {
    await pause(pauseBeforeRecheckMilliseconds, this.#options.signal);
    await this.#detection?.waitForHead(this.#options.signal);
  }

  #settle(first: PlayedCase, again: PlayedCase | undefined): void {
    if (again === undefined) {
      const { findings } = judgeCase(first);
      // A guess that is not confirmed is none.
      if (findings.length > 0 && findings.every(({ rule }) => rule.level === "heuristic")) {
        this.#reportCase(first, { verdict: "passed", findings: [] });
        return;
      }
      this.#reportCase(first, {
        verdict: "flaky",
        reason: "it failed, and passed twice when it was played again",
        findings,
      });
      return;
    }
    // Where the repetition says nothing, as when the budget is used up, the failure stands.
    const counts = isWorthAnotherLook(this.#judge(again)) ? again : first;
    this.#played.set(counts.planned.id, counts);
    this.#reportCase(counts, this.#judge(counts));
  }

  /** Operations that are not sent are listed even where nobody planned a case of them. */
  #setUnsent(): void {
    const operations = this.#suite.protocol === "graphql" ? this.#suite.documents : this.#suite.operations;
    for (const { name } of operations) {
      const reason = refusalOfOperation(this.#safety.of(name), this.#options.allowWrites);
      if (reason === undefined) continue;
      this.#availability.set(name, { availability: "not sent", reason });
      const planned = unsentCase(name);
      if (this.#selection.isSelected(planned)) this.#take(unplayed(planned, { kind: "withheld", text: reason }));
    }
  }

  #leave(cases: readonly PlannedCase[], reason: string): void {
    for (const planned of this.#takeWanted(cases)) {
      if (this.#selection.isSelected(planned)) this.#take(unplayed(planned, { kind: "ended", text: reason }));
    }
  }

  /** Why the document is not of this target, as far as the first stage tells. */
  async #findMismatch(): Promise<string | undefined> {
    const played = [...this.#played.values()].filter(({ interruption }) => interruption?.kind !== "withheld");
    return findMismatch(this.#suite, played, () => exchangeOf(madeUpRequest(this.#suite), this.#sender));
  }

  #hardLimitOf(operation: string): number {
    if (operation === preflightOperation) return Number.POSITIVE_INFINITY;
    return operation === protocolOperation ? this.#limits.protocolCalls * 2 : this.#limits.mostCalls;
  }

  #softLimitOf(operation: string): number {
    return operation === protocolOperation ? this.#limits.protocolCalls : this.#limits.callsPerOperation;
  }

  #report(): Report {
    this.#reportKeyEcho();
    // An operation that turned out to be there is judged, whatever was thought of it before, and one that turned out not to be is not.
    for (const [id, played] of this.#played) {
      const report = this.#reports.get(id);
      const judgement = this.#judge(played);
      const isJudged = judgement.verdict !== "skipped";
      const wasJudged = report?.verdict === "failed" || report?.verdict === "warned";
      if (report === undefined || (report.verdict === "skipped" ? isJudged : wasJudged && !isJudged)) {
        this.#reportCase(played, judgement);
      }
    }
    return reportRun({
      suite: this.#suite,
      baseUrl: this.#sender.mask.mask(
        `${this.#baseUrl.address}${this.#baseUrl.query === "" ? "" : `?${this.#baseUrl.query}`}`,
      ),
      ...this.#comparedWith(),
      seed: this.#seed,
      startedAt: this.#startedAt,
      milliseconds: performance.now() - this.#start,
      cases: [...this.#played.keys()].flatMap((id) => this.#reports.get(id) ?? []),
      notices: this.#notices,
      facts: this.#detection?.facts ?? {},
      budget: this.#budget,
      availability: this.#availability,
      latencies: this.#latencies,
      coverage: this.#coverage,
      live: this.#live,
      mask: this.#sender.mask,
      ...this.#brokenOff(),
      hasSuccess: this.#hasSuccess || (this.#options.only?.length ?? 0) > 0,
      ...(this.#unjudgedBecause === undefined ? {} : { unjudgedBecause: this.#unjudgedBecause }),
    });
  }

  #brokenOff(): { readonly brokenOff?: string } {
    const sentence =
      this.#presence.goneBecause ?? (this.#options.signal?.aborted === true ? "The run was interrupted" : undefined);
    return sentence === undefined ? {} : { brokenOff: sentence };
  }

  /** The second target, where anything was compared with it. */
  #comparedWith(): { readonly against?: string } {
    const { against } = this.#options;
    const isCompared = [...this.#reports.values()].some(
      ({ id, group, verdict }) =>
        group === "against" &&
        !id.startsWith(protocolOperation) &&
        ["passed", "failed", "warned", "flaky"].includes(verdict),
    );
    const peer = this.#peers.against;
    return against === undefined || peer === undefined || !isCompared
      ? {}
      : { against: peer.sender.mask.mask(against) };
  }

  #reportKeyEcho(): void {
    const planned = keyEchoCase();
    if (!this.#sender.hasKey || this.#budget.requests === 0 || !this.#selection.isSelected(planned)) return;
    const findings = [...this.#sender.keyEchoes].map((operation) => ({
      rule: runRules.keyEcho,
      message: `an answer of ${operation} repeats the key`,
    }));
    const played: PlayedCase = { planned, findings, exchanges: [], milliseconds: 0 };
    this.#played.set(planned.id, played);
    this.#reportCase(played, judgeCase(played, { isStrict: this.#options.strict }));
  }
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

function countOperations(cases: readonly PlannedCase[]): number {
  return new Set(cases.map(({ operation }) => operation)).size;
}

function isSuccess({ protocol }: ConformanceSuite, { status, text }: Answer): boolean {
  if (status < 200 || status >= 400) return false;
  return protocol !== "rpc" || readRpcReply(text)?.error === undefined;
}
