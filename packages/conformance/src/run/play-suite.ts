import { detectCapabilities } from "../capabilities/detect.ts";
import { pause } from "../client/pause.ts";
import type { RunOptions } from "../contract/options.ts";
import { type PlannedCase, protocolCase } from "../contract/planned-case.ts";
import type { Report, RunObserver } from "../contract/report.ts";
import { findRelationMistakes } from "../relations/relation-cases.ts";
import { refusalOfOperation } from "../safety/safety.ts";
import { describedOperations } from "../suite/described-operations.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import { CaseBook } from "./case-book.ts";
import { announceSuite, noteSeen } from "./coverage-of-suite.ts";
import { evaluateCase, isWorthAnotherLook } from "./evaluate-case.ts";
import { limitsOf } from "./limits.ts";
import { findMismatch } from "./mismatch.ts";
import { playCase, type PlayedCase, unplayed } from "./play-case.ts";
import { exchangeOf, findObstacle, madeUpRequest, probesOf } from "./preflight.ts";
import { reportRun } from "./report-run.ts";
import { runRules } from "./run-rules.ts";
import { createRunTools, type RunTools } from "./run-tools.ts";
import { StagePlayer } from "./stage-player.ts";
import { planStages } from "./stages.ts";

/**
 * Plays a suite against a target and reports every case. All behaviour of a target, and an early end of the run, are part of the report.
 *
 * @param plan in place of the stages of the suite's protocol
 * @throws {TypeError} for a suite of another format, and for a base URL that is not an HTTP URL.
 */
export async function playSuite(
  suite: ConformanceSuite,
  options: RunOptions,
  observer: RunObserver = {},
  plan: typeof planStages = planStages,
): Promise<Report> {
  const run = new Run(createRunTools(suite, options, observer), plan);
  try {
    const report = await run.play();
    if (options.earlierResults === undefined || report.cases.length > 0) return report;
  } finally {
    await run.close();
  }
  // The earlier responses did not lead to the selected cases: their prerequisites must be played.
  return playSuite(suite, { ...options, earlierResults: undefined }, observer, plan);
}

/**
 * Plays one case of a report again, with the run's seed and the values that the run had found. When these do not lead to the case, its
 * prerequisites are played too.
 */
export async function replayCase(
  report: Report,
  suite: ConformanceSuite,
  options: RunOptions,
  id: string,
  observer: RunObserver = {},
): Promise<Report> {
  const isOfSuite = report.suite.name === suite.name && report.protocol === suite.protocol;
  const own: RunOptions = {
    ...options,
    seed: report.seed,
    only: [id],
    skip: undefined,
    keepExchanges: true,
    earlierResults: isOfSuite ? report.replay?.results : undefined,
  };
  return playSuite(suite, own, observer);
}

const pauseBeforeRecheckMilliseconds = 500;
/** Number of consecutive passes after which a failure is considered flaky. */
const passesBeforeBelief = 2;

/** A run, which can be played once. */
class Run {
  readonly #planStages: typeof planStages;
  readonly #tools: RunTools;
  readonly #book: CaseBook;
  readonly #player: StagePlayer;
  readonly #startedAt = new Date();
  readonly #start = performance.now();

  constructor(tools: RunTools, plan: typeof planStages) {
    const { suite, live, coverage, notices, options } = tools;
    for (const response of options.earlierResults ?? []) live.see(response);
    this.#planStages = plan;
    this.#tools = tools;
    this.#book = new CaseBook(tools);
    this.#player = new StagePlayer(tools, this.#book);
    notices.push(...findRelationMistakes(suite));
    announceSuite(coverage, suite);
    live.onSee((response) => noteSeen(coverage, suite, response));
  }

  async play(): Promise<Report> {
    this.#reportUnsent();
    const inconclusiveBecause = await this.#playAll();
    this.#reportKeyEcho();
    this.#book.evaluateAgain();
    return reportRun(this.#tools, {
      cases: this.#book.reports,
      startedAt: this.#startedAt,
      milliseconds: performance.now() - this.#start,
      inconclusiveBecause,
    });
  }

  async close(): Promise<void> {
    const { sender, peers } = this.#tools;
    const senders = [sender, ...Object.values(peers).map((peer) => peer.sender)];
    await Promise.all(senders.map((one) => one.close()));
  }

  /** Plays all stages. Returns why the run is inconclusive. */
  async #playAll(): Promise<string | undefined> {
    const tools = this.#tools;
    const { suite, options, capabilities, sender, safety, peers } = tools;
    const { stages, operations } = this.#planStages(suite, tools);
    tools.limits = limitsOf(suite, options, operations);
    const [first, ...others] = stages;
    if (first === undefined) return undefined;
    const firstCases = this.#player.plan(first);
    tools.probes = probesOf(suite, firstCases);
    const obstacle = await findObstacle(suite, tools.probes, sender);
    if (obstacle !== undefined) {
      this.#player.leave(firstCases, obstacle);
      return obstacle;
    }
    tools.detection = await detectCapabilities(suite, safety, sender);
    Object.assign(capabilities, tools.detection.facts);
    await Promise.all(Object.values(peers).map((peer) => peer.detectFacts()));
    await this.#player.play(first, firstCases);
    const sent = this.#book.played.filter(({ interruption }) => interruption?.kind !== "withheld");
    const mismatch = await findMismatch(suite, sent, () => exchangeOf(madeUpRequest(suite), sender));
    if (mismatch !== undefined) return mismatch;
    for (const stage of others) await this.#player.play(stage, this.#player.plan(stage));
    await this.#player.playDropped();
    await this.#lookAgain();
    this.#player.noteDropped();
    return undefined;
  }

  /** Repeats failures of cases that depend on the head later; those that then pass twice are flaky. */
  async #lookAgain(): Promise<void> {
    const { budget, presence, detection, options } = this.#tools;
    const { open } = this.#book;
    if (open.length === 0) return;
    await presence.settle(1);
    if (presence.goneBecause !== undefined) return;
    if (budget.endedBecause() === undefined) {
      await pause(pauseBeforeRecheckMilliseconds, options.signal);
      await detection?.waitForHead(options.signal);
    }
    const settleAll = async (own: readonly PlayedCase[]): Promise<void> => {
      for (const played of own) this.#book.settle(played, await this.#playAgain(played.planned));
    };
    // A crash of the target that one case causes must not be attributed to the others.
    const isFragile = open.some(({ interruption }) => interruption?.kind === "no-response");
    if (isFragile) await settleAll(open);
    else await Promise.all([...Map.groupBy(open, ({ planned }) => planned.operation).values()].map(settleAll));
  }

  /** Repeats a case. Returns the first repetition that does not pass; `undefined` when all do. */
  async #playAgain(planned: PlannedCase): Promise<PlayedCase | undefined> {
    const { presence, options } = this.#tools;
    for (let round = 1; round <= passesBeforeBelief; round += 1) {
      const played = await playCase(planned, this.#tools);
      const evaluation = evaluateCase(played, { isStrict: options.strict });
      if (played.interruption?.kind === "no-response") {
        presence.noteLost(played);
        await presence.settle(1);
      }
      const { verdict } = evaluation;
      if (isWorthAnotherLook(evaluation) || (verdict !== "passed" && verdict !== "warned")) return played;
    }
    return undefined;
  }

  /** Reports operations that are not sent, even without a planned case. */
  #reportUnsent(): void {
    const { suite, options, safety, availability, selection } = this.#tools;
    for (const { name } of describedOperations(suite)) {
      const reason = refusalOfOperation(safety.of(name), options.allowWrites);
      if (reason === undefined) continue;
      availability.set(name, { availability: "not sent", reason });
      const planned = protocolCase({
        name: "not-sent",
        operation: name,
        group: "protocol",
        rule: runRules.safety,
        expected: "nothing: it is not sent",
        writes: true,
        requests: 0,
        play: async () => [],
      });
      if (selection.isSelected(planned)) this.#book.take(unplayed(planned, { kind: "withheld", text: reason }));
    }
  }

  /** Reports the case about all responses together: none repeats the key. */
  #reportKeyEcho(): void {
    const { sender, budget, selection, options } = this.#tools;
    const planned = protocolCase({
      name: "not-repeated",
      group: "key",
      rule: runRules.keyEcho,
      expected: "no response that contains the key",
      requests: 0,
      play: async () => [],
    });
    if (!sender.hasKey || budget.requests === 0 || !selection.isSelected(planned)) return;
    const findings = [...sender.keyEchoes].map((operation) => ({
      rule: runRules.keyEcho,
      message: `a response of ${operation} repeats the key`,
    }));
    const played: PlayedCase = { planned, findings, exchanges: [], milliseconds: 0 };
    this.#book.add(played, evaluateCase(played, { isStrict: options.strict }));
  }
}
