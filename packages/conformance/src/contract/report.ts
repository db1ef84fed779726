import type { CaseGroup } from "./planned-case.ts";
import type { Level } from "./rule.ts";
import type { Availability, TargetFacts } from "./capability-facts.ts";
import type { ObservedResult } from "../live/live-values.ts";
import type { Place } from "../suite/suite-type.ts";
import type { RecordedExchange } from "./exchange.ts";

/** All verdicts in the order of a report, most urgent first. */
export const verdicts = [
  "failed",
  "stale",
  "warned",
  "flaky",
  "untested",
  "known",
  "passed",
  "skipped",
  "not-sent",
] as const;

/**
 * Result of a case.
 *
 * `warned`: no violated rule fails the run; by default only a MUST does. `skipped`: the case does not apply to this target, with the
 * reason. `flaky`: it failed and did not when it was repeated. `untested`: the server was too busy, or the run's budget was used up.
 * `not-sent`: it might write. `known`: it failed as in the baseline. `stale`: it passed, or failed otherwise, unlike in the baseline.
 */
export type Verdict = (typeof verdicts)[number];

/** Returns whether a case makes a run fail. */
export function isFailing({ verdict }: Pick<CaseReport, "verdict">): boolean {
  return verdict === "failed" || verdict === "stale";
}

/** Returns the number of cases by verdict. */
export function countVerdicts(cases: readonly Pick<CaseReport, "verdict">[]): Readonly<Record<Verdict, number>> {
  const counts = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  for (const { verdict } of cases) counts[verdict] += 1;
  return counts;
}

/** A violation of a rule that a case found. */
export interface FindingReport {
  /** Id of the rule. */
  readonly rule: string;
  readonly level: Level;
  readonly title: string;
  /** Message, the same in every run. */
  readonly message: string;
  readonly detail?: string | undefined;
  readonly pointer?: string | undefined;
  readonly place?: Place | undefined;
  /** Guess of a heuristic, and its basis. */
  readonly guess?: string | undefined;
}

/** Result of one case. */
export interface CaseReport {
  readonly id: string;
  readonly operation: string;
  readonly group: CaseGroup;
  readonly rule: string;
  readonly level: Level;
  readonly verdict: Verdict;
  readonly expected: string;
  /** Reason why it was skipped, untested, known or stale. */
  readonly reason?: string | undefined;
  readonly findings: readonly FindingReport[];
  /** Exchanges of cases that did not pass; of all with `--har`. */
  readonly exchanges: readonly RecordedExchange[];
  /** Shell command that repeats the last request; the key is in `$API_KEY`. */
  readonly curl?: string | undefined;
  readonly milliseconds: number;
}

/** Response times of one operation's requests, in milliseconds. */
export interface Latency {
  readonly requests: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly most: number;
}

/** Coverage of the description: names of covered elements, and of others. */
export interface Coverage {
  readonly seen: readonly string[];
  readonly unseen: readonly string[];
}

/** Availability, calls, latency and coverage of one operation. */
export interface OperationReport {
  readonly operation: string;
  readonly origin: string;
  readonly place?: Place | undefined;
  readonly availability: Availability;
  readonly availabilityReason: string;
  readonly calls: number;
  /** Whether any call succeeded; absent when nothing was called, or where it is meaningless, as for fields of GraphQL. */
  readonly hasSuccess?: boolean | undefined;
  readonly latency?: Latency | undefined;
  /** Coverage by kind: `parameters`, `statuses`, `members`, `arms`, `fields`. */
  readonly coverage: Readonly<Record<string, Coverage>>;
}

/** A valid response, as a source of the inputs of other cases; one that contains a key is omitted. */
export type ReplayResult = Omit<ObservedResult, "text">;

/** Complete result of a run, in the format of `--report json`. */
export interface Report {
  readonly format: 2;
  readonly tool: { readonly name: "nodewright"; readonly version: string };
  readonly suite: { readonly name: string; readonly title: string; readonly version: string; readonly source: string };
  readonly protocol: "http" | "rpc" | "graphql";
  /** Base URL without key and credentials. */
  readonly baseUrl: string;
  readonly against?: string | undefined;
  readonly seed: string;
  /** Time in ISO 8601, UTC. */
  readonly startedAt: string;
  readonly milliseconds: number;
  readonly requests: number;
  readonly target: TargetFacts;
  readonly cases: readonly CaseReport[];
  readonly operations: readonly OperationReport[];
  readonly totals: Readonly<Record<Verdict, number>>;
  /** Notices about the complete run: examples that contradict their types, an early end. */
  readonly notices: readonly string[];
  /** `conforms`: exit code 0. `differs`: 1, something failed or the baseline is outdated. `inconclusive`: 3, the run has no result. */
  readonly outcome: "conforms" | "differs" | "inconclusive";
  /** Reason why the run was aborted, as a clause; absent when it was not, or its own limits ended it. */
  readonly brokenOff?: string | undefined;
  /** Reason why the run is inconclusive. */
  readonly inconclusiveBecause?: string | undefined;
  /** Responses from which the run's cases were derived, for replaying one of them. Absent when none was valid. */
  readonly replay?: { readonly results: readonly ReplayResult[] } | undefined;
}

/** Listener of a run, for progress and for reports that are written line by line. */
export interface RunObserver {
  /** Called when a stage was planned. `planned`: number of known cases, which may increase with each stage. */
  onStage?(name: string, planned: number): void;
  onCase?(report: CaseReport): void;
}
