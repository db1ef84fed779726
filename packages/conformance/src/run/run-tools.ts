import { randomBytes } from "node:crypto";
import { type AvailabilityLog, createAvailabilityLog } from "../capabilities/availability.ts";
import type { Detection } from "../capabilities/detect.ts";
import { readRpcReply } from "../capabilities/offer.ts";
import { type BaseUrl, readTarget } from "../client/base-url.ts";
import { type Budget, createBudget } from "../client/budget.ts";
import { type ResponseListener, Sender } from "../client/sender.ts";
import type { PlainRequest, ReceivedResponse } from "../contract/exchange.ts";
import type { RunOptions } from "../contract/options.ts";
import { protocolOperation } from "../contract/planned-case.ts";
import type { RunObserver } from "../contract/report.ts";
import { createRequestGuard, type RequestGuard } from "../safety/request-guard.ts";
import { createSafety } from "../safety/safety.ts";
import { Evidence } from "../session/coverage.ts";
import { createPeers, type Peers } from "../session/peer.ts";
import type { Session } from "../session/session.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import { createRandom } from "@nodewright/api-values";
import { recordCoverage } from "./coverage-of-suite.ts";
import { LatencyMeter } from "./latency.ts";
import { limitsOf, type RunLimits } from "./limits.ts";
import { exchangeOf, preflightOperation } from "./preflight.ts";
import { Presence } from "./presence.ts";
import { RecordingLive } from "./recording-live.ts";
import { createSelection, type Selection } from "./selection.ts";
import { createTroubleLog, type TroubleLog } from "./trouble-log.ts";

/** Tools and state of a run. */
export interface RunTools extends Session {
  readonly suite: ConformanceSuite;
  readonly observer: RunObserver;
  readonly baseUrl: BaseUrl;
  readonly seed: string;
  readonly live: RecordingLive;
  readonly sender: Sender;
  readonly guard: RequestGuard;
  readonly peers: Peers;
  limits: RunLimits;
  /** Simple requests that show whether the target responds. */
  probes: readonly PlainRequest[];
  /** Operations that were called alone, with the run's key, and whether any such call succeeded. */
  readonly successes: Map<string, boolean>;
  detection: Detection | undefined;
  readonly notices: string[];
  readonly budget: Budget;
  readonly selection: Selection;
  readonly availability: AvailabilityLog;
  readonly troubles: TroubleLog;
  readonly latencies: LatencyMeter;
  readonly presence: Presence;
}

const defaultOutageMilliseconds = 8_000;

/** @throws {TypeError} for a suite of another format, and for a base URL that is not an HTTP URL. */
export function createRunTools(suite: ConformanceSuite, options: RunOptions, observer: RunObserver = {}): RunTools {
  const { maxMilliseconds, maxRequests, signal, seed = randomBytes(8).toString("hex") } = options;
  const baseUrl = readTarget(suite, options);
  const maximumCallsOf = (operation: string): number => {
    if (operation === preflightOperation) return Number.POSITIVE_INFINITY;
    return operation === protocolOperation ? tools.limits.callsOf(protocolOperation) * 2 : tools.limits.maximumCalls;
  };
  const budget = createBudget({ maxMilliseconds, maxRequests, callsOf: maximumCallsOf, signal });
  const safety = createSafety(suite, options);
  const availability = createAvailabilityLog(suite, options);
  const tools: RunTools = {
    suite,
    options,
    observer,
    baseUrl,
    seed,
    live: new RecordingLive(suite),
    capabilities: { operations: availability.facts },
    callsLeft: (operation) => maximumCallsOf(operation) - budget.callsOf(operation),
    limits: limitsOf(suite, options, []),
    probes: [],
    successes: new Map(),
    detection: undefined,
    notices: [],
    budget,
    safety,
    availability,
    troubles: createTroubleLog(availability),
    peers: createPeers(suite, options),
    selection: createSelection(suite, options),
    latencies: new LatencyMeter(),
    coverage: new Evidence(),
    random: createRandom(seed),
    guard: createRequestGuard(suite, safety, options.allowWrites === true),
    sender: new Sender({
      suite,
      options,
      baseUrl,
      budget,
      onResponse: (context, response) => recordResponse(tools, context, response),
    }),
    presence: new Presence({
      callOperation: () => isResponding(tools),
      maximumOutageMilliseconds: options.maximumOutageMilliseconds ?? defaultOutageMilliseconds,
      signal,
      onReturn: (notice) => {
        tools.notices.push(notice);
        tools.troubles.forgetLateness();
      },
      onGone: (sentence) => budget.end(`${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`),
    }),
  };
  return tools;
}

function recordResponse(
  { suite, presence, latencies, availability, successes, coverage }: RunTools,
  ...[{ operation, operations = [operation], key }, response]: Parameters<ResponseListener>
): void {
  presence.recordResponse();
  for (const one of operations) latencies.note(one, response.milliseconds);
  const [only, ...others] = operations;
  if (only === undefined || others.length > 0 || key !== undefined) return;
  availability.note(only, response);
  successes.set(only, successes.get(only) === true || isSuccess(suite, response));
  recordCoverage(coverage, suite, only, response);
}

/** Returns whether any of the probes has a response; `undefined` when no more may be sent. */
async function isResponding({ probes, sender, budget }: RunTools): Promise<boolean | undefined> {
  const exchanges = await Promise.all(probes.map((request) => exchangeOf(request, sender)));
  if (budget.endedBecause() !== undefined) return undefined;
  return exchanges.some((exchange) => exchange === undefined || exchange.trouble === undefined);
}

function isSuccess({ protocol }: ConformanceSuite, { status, text }: ReceivedResponse): boolean {
  if (status < 200 || status >= 400) return false;
  return protocol !== "rpc" || readRpcReply(text)?.error === undefined;
}
