import { randomBytes } from "node:crypto";
import { detectCapabilities } from "../capabilities/detect.ts";
import { type PlannedCase, protocolOperation } from "../contract/planned-case.ts";
import type { RunOptions } from "../contract/options.ts";
import type { Report } from "../contract/report.ts";
import type { RunObserver } from "../contract/run-observer.ts";
import { findRelationMistakes } from "../relations/relation-mistakes.ts";
import { refusalOfOperation } from "../safety/safety.ts";
import { readTarget } from "../session/read-target.ts";
import type { Session } from "../session/session.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import { announceSuite, noteSeen } from "./coverage-of-suite.ts";
import { limitsOf } from "./limits.ts";
import { lookAgain } from "./look-again.ts";
import { findMismatch } from "./mismatch.ts";
import { keyEchoCase, unsentCase } from "./own-cases.ts";
import { judgeCase, type PlayedCase } from "./played-case.ts";
import { unplayed } from "./play-stage.ts";
import { findObstacle, madeUpRequest, probesOf } from "./preflight.ts";
import { exchangeOf } from "./probe.ts";
import { createRecordingLive } from "./recording-live.ts";
import { reportRun } from "./report-run.ts";
import { runRules } from "./run-rules.ts";
import { createRunTools, type RunTools, type RunToolsParts } from "./run-tools.ts";
import { planStages } from "./stages.ts";

/** A run that can be played once. */
export interface Run {
  play(): Promise<Report>;
  close(): Promise<void>;
}

/** `plan`: in place of the stages of the suite's protocol. */
export function createRun(
  suite: ConformanceSuite,
  options: RunOptions,
  observer: RunObserver,
  plan: typeof planStages = planStages,
): Run {
  const baseUrl = readTarget(suite, options);
  const seed = options.seed ?? randomBytes(8).toString("hex");
  const live = createRecordingLive(suite);
  const answers = options.earlierAnswers ?? [];
  for (const answer of answers) live.values.see(answer);
  return new SuiteRun({ suite, options, observer, baseUrl, seed, live, isPrimed: answers.length > 0 }, plan);
}

class SuiteRun implements Run {
  readonly #parts: RunToolsParts;
  readonly #planStages: typeof planStages;
  readonly #tools: RunTools;
  readonly #startedAt = new Date();
  readonly #start = performance.now();

  constructor(parts: RunToolsParts, plan: typeof planStages) {
    const { suite, live } = parts;
    this.#parts = parts;
    this.#planStages = plan;
    this.#tools = createRunTools(parts);
    this.#tools.notices.push(...findRelationMistakes(suite));
    announceSuite(this.#tools.coverage, suite);
    live.onSee((answer) => noteSeen(this.#tools.coverage, suite, answer));
  }

  async play(): Promise<Report> {
    await this.#playAll();
    return this.#report();
  }

  async close(): Promise<void> {
    const { sender, peers } = this.#tools;
    const senders = [sender, ...Object.values(peers).map((peer) => peer.sender)];
    await Promise.all(senders.map((one) => one.close()));
  }

  async #playAll(): Promise<void> {
    const { suite, options, live } = this.#parts;
    const { state, player, sender, safety, peers } = this.#tools;
    const session: Session = {
      options,
      live: live.values,
      random: this.#tools.cases.random,
      capabilities: { operations: this.#tools.availability.facts },
      safety,
      coverage: this.#tools.coverage,
      callsLeft: this.#tools.callsLeft,
      peers,
    };
    this.#setUnsent();
    const { stages, operations } = this.#planStages(suite, session);
    state.limits = limitsOf(suite, options, operations);
    const [first, ...others] = stages;
    if (first === undefined) return;
    const firstCases = player.plan(first);
    state.probes = probesOf(suite, firstCases);
    state.unjudgedBecause = await findObstacle(suite, firstCases, sender);
    if (state.unjudgedBecause !== undefined) {
      player.leave(firstCases, state.unjudgedBecause);
      return;
    }
    state.detection = await detectCapabilities(suite, safety, sender);
    Object.assign(session.capabilities, state.detection.facts);
    await Promise.all(Object.values(peers).map((peer) => peer.meet()));
    await player.play(first, firstCases);
    state.unjudgedBecause = await this.#findMismatch();
    if (state.unjudgedBecause !== undefined) return;
    for (const stage of others) await player.play(stage, player.plan(stage));
    await player.playDropped();
    await lookAgain(options, this.#tools);
  }

  /** Operations that are not sent are listed even where nobody planned a case of them. */
  #setUnsent(): void {
    const { suite, options } = this.#parts;
    const { safety, availability, selection, take } = this.#tools;
    for (const { name } of suite.protocol === "graphql" ? suite.documents : suite.operations) {
      const reason = refusalOfOperation(safety.of(name), options.allowWrites);
      if (reason === undefined) continue;
      availability.set(name, { availability: "not sent", reason });
      const planned: PlannedCase = unsentCase(name);
      if (selection.isSelected(planned)) take(unplayed(planned, { kind: "withheld", text: reason }));
    }
  }

  /** Why the document is not of this target, as far as the first stage tells. */
  async #findMismatch(): Promise<string | undefined> {
    const { suite } = this.#parts;
    const { book, sender } = this.#tools;
    const played = book.played.filter(({ interruption }) => interruption?.kind !== "withheld");
    return findMismatch(suite, played, () => exchangeOf(madeUpRequest(suite), sender));
  }

  #report(): Report {
    const { suite, options, baseUrl, seed, live } = this.#parts;
    const { state, book, sender, notices, budget, availability, latencies, coverage } = this.#tools;
    this.#reportKeyEcho();
    book.judgeAgain();
    return reportRun({
      suite,
      baseUrl: sender.mask.mask(`${baseUrl.address}${baseUrl.query === "" ? "" : `?${baseUrl.query}`}`),
      ...this.#comparedWith(),
      seed,
      startedAt: this.#startedAt,
      milliseconds: performance.now() - this.#start,
      cases: book.reports,
      notices,
      facts: state.detection?.facts ?? {},
      budget,
      availability,
      latencies,
      coverage,
      live,
      mask: sender.mask,
      ...this.#brokenOff(),
      hasSuccess: state.hasSuccess || (options.only?.length ?? 0) > 0,
      ...(state.unjudgedBecause === undefined ? {} : { unjudgedBecause: state.unjudgedBecause }),
    });
  }

  #brokenOff(): { readonly brokenOff?: string } {
    const isInterrupted = this.#parts.options.signal?.aborted === true;
    const sentence = this.#tools.presence.goneBecause ?? (isInterrupted ? "The run was interrupted" : undefined);
    return sentence === undefined ? {} : { brokenOff: sentence };
  }

  /** The second target, where anything was compared with it. */
  #comparedWith(): { readonly against?: string } {
    const { against } = this.#parts.options;
    const peer = this.#tools.peers.against;
    const isCompared = this.#tools.book.reports.some(
      ({ id, group, verdict }) =>
        group === "against" &&
        !id.startsWith(protocolOperation) &&
        ["passed", "failed", "warned", "flaky"].includes(verdict),
    );
    if (against === undefined || peer === undefined || !isCompared) return {};
    return { against: peer.sender.mask.mask(against) };
  }

  #reportKeyEcho(): void {
    const { sender, budget, selection, book } = this.#tools;
    const planned = keyEchoCase();
    if (!sender.hasKey || budget.requests === 0 || !selection.isSelected(planned)) return;
    const findings = [...sender.keyEchoes].map((operation) => ({
      rule: runRules.keyEcho,
      message: `an answer of ${operation} repeats the key`,
    }));
    const played: PlayedCase = { planned, findings, exchanges: [], milliseconds: 0 };
    book.add(played, judgeCase(played, { isStrict: this.#parts.options.strict }));
  }
}
