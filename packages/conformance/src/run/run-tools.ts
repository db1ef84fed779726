import { type AvailabilityLog, createAvailabilityLog } from "../capabilities/availability.ts";
import type { Detection } from "../capabilities/detect.ts";
import { readRpcReply } from "../capabilities/rpc-reply.ts";
import type { Answer, PlainRequest } from "../contract/exchange.ts";
import { protocolOperation } from "../contract/planned-case.ts";
import type { RunOptions } from "../contract/options.ts";
import type { RunObserver } from "../contract/run-observer.ts";
import { createRequestGuard } from "../safety/request-guard.ts";
import { createSafety, type Safety } from "../safety/safety.ts";
import { createEvidence, type Evidence } from "../session/coverage.ts";
import { createPeers, type Peers } from "../session/peer.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import { createRandom } from "../types/random.ts";
import type { BaseUrl } from "../client/base-url.ts";
import { type Budget, createBudget } from "../client/budget.ts";
import { type AnswerListener, createSender, type Sender } from "../client/sender.ts";
import { CaseBook } from "./case-book.ts";
import { createCaseJudge } from "./case-judge.ts";
import { noteAnswer } from "./coverage-of-suite.ts";
import { createLatencyMeter, type LatencyMeter } from "./latency.ts";
import { limitsOf, type RunLimits } from "./limits.ts";
import type { CaseTools } from "./play-case.ts";
import type { PlayedCase } from "./played-case.ts";
import { preflightOperation } from "./preflight.ts";
import { createPresence, type Presence } from "./presence.ts";
import { isAnyAnswered } from "./probe.ts";
import type { RecordingLive } from "./recording-live.ts";
import { createSelection, type Selection } from "./selection.ts";
import { StagePlayer } from "./stage-player.ts";
import { createTroubleLog } from "./trouble-log.ts";

export interface RunToolsParts {
  readonly suite: ConformanceSuite;
  readonly options: RunOptions;
  readonly observer: RunObserver;
  readonly baseUrl: BaseUrl;
  readonly seed: string;
  readonly live: RecordingLive;
  /** True: values were found by an earlier run, so that nothing needs to be played for what it finds out. */
  readonly isPrimed: boolean;
}

/** What a run finds out about its target. */
interface RunState {
  limits: RunLimits;
  /** Simple requests that tell whether the target answers. */
  probes: readonly PlainRequest[];
  /** Whether any operation was answered as a success. */
  hasSuccess: boolean;
  detection: Detection | undefined;
  unjudgedBecause: string | undefined;
}

/** What a run is played with. */
export interface RunTools {
  readonly state: RunState;
  readonly notices: string[];
  readonly budget: Budget;
  readonly safety: Safety;
  readonly peers: Peers;
  readonly selection: Selection;
  readonly availability: AvailabilityLog;
  readonly latencies: LatencyMeter;
  readonly coverage: Evidence;
  readonly sender: Sender;
  readonly presence: Presence;
  readonly book: CaseBook;
  readonly player: StagePlayer;
  readonly cases: CaseTools;
  /** Calls of an operation that may still be made. */
  callsLeft(operation: string): number;
  take(played: PlayedCase): void;
}

const usualConcurrency = 4;
const usualPatienceMilliseconds = 8_000;

export function createRunTools({ suite, options, observer, baseUrl, seed, live, isPrimed }: RunToolsParts): RunTools {
  const state: RunState = {
    limits: limitsOf(suite, options, []),
    probes: [],
    hasSuccess: false,
    detection: undefined,
    unjudgedBecause: undefined,
  };
  const notices: string[] = [];
  const mostCallsOf = (operation: string): number => {
    if (operation === preflightOperation) return Number.POSITIVE_INFINITY;
    return operation === protocolOperation ? state.limits.callsOf(protocolOperation) * 2 : state.limits.mostCalls;
  };
  const { maxMilliseconds, maxRequests, signal } = options;
  const budget = createBudget({ maxMilliseconds, maxRequests, callsOf: mostCallsOf, signal });
  const safety = createSafety(suite, options);
  const peers = createPeers(suite, options);
  const selection = createSelection(suite, options);
  const availability = createAvailabilityLog(suite, options);
  const troubles = createTroubleLog(availability);
  const latencies = createLatencyMeter();
  const coverage = createEvidence();
  const onAnswer: AnswerListener = (context, answer) => {
    presence.noteAnswer();
    const operations = context.operations ?? [context.operation];
    for (const operation of operations) latencies.note(operation, answer.milliseconds);
    const [only, ...others] = operations;
    if (only === undefined || others.length > 0 || context.key !== undefined) return;
    availability.note(only, answer);
    state.hasSuccess ||= only !== preflightOperation && only !== protocolOperation && isSuccess(suite, answer);
    noteAnswer(coverage, suite, only, answer);
  };
  const sender = createSender({ suite, options, baseUrl, budget, onAnswer });
  const presence = createPresence({
    ask: async () => {
      const isAnswered = await isAnyAnswered(state.probes, sender);
      return budget.endedBecause() === undefined ? isAnswered : undefined;
    },
    patienceMilliseconds: options.patienceMilliseconds ?? usualPatienceMilliseconds,
    signal,
    onReturn: (notice) => {
      notices.push(notice);
      troubles.forgetLateness();
    },
    onGone: (sentence) => budget.end(`${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`),
  });
  const isCatchingUp = (): boolean => state.detection?.facts.isSynchronised === false;
  const judge = createCaseJudge({ suite, options, availability, latencies, presence, isCatchingUp });
  const book = new CaseBook({ options, observer, selection, mask: sender.mask, judge });
  const guard = createRequestGuard(suite, safety, options.allowWrites === true);
  const cases = { sender, random: createRandom(seed), guard, peers };
  const take = (played: PlayedCase): void => {
    troubles.note(played);
    if (played.interruption?.kind === "no-answer") presence.noteLost(played);
    book.take(played);
  };
  const player = new StagePlayer({
    options,
    observer,
    safety,
    selection,
    live,
    book,
    tools: {
      ...cases,
      budget,
      concurrency: options.concurrency ?? usualConcurrency,
      skipOf: ({ operation }) => troubles.reasonToLeave(operation),
      onPlayed: take,
      whenAnswering: () => presence.settle(),
    },
    isPrimed,
    limits: () => state.limits,
    onNotice: (notice) => notices.push(notice),
  });
  const callsLeft = (operation: string): number => mostCallsOf(operation) - budget.callsOf(operation);
  const own = { state, notices, budget, safety, peers, selection, availability, latencies, coverage };
  return { ...own, sender, presence, book, player, cases, callsLeft, take };
}

function isSuccess({ protocol }: ConformanceSuite, { status, text }: Answer): boolean {
  if (status < 200 || status >= 400) return false;
  return protocol !== "rpc" || readRpcReply(text)?.error === undefined;
}
