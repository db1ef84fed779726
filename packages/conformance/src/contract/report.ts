import type { CaseGroup } from "./planned-case.ts";
import type { Level } from "./rule.ts";
import type { Availability, TargetFacts } from "./capability-facts.ts";
import type { SeenAnswer } from "../live/live-values.ts";
import type { Place } from "../suite/suite-type.ts";
import type { RecordedExchange } from "./exchange.ts";

/** All verdicts, in the order of a report: what needs a look first. */
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
 * How a case ended.
 *
 * `warned`: no rule that fails the run is broken; by default only a MUST does. `skipped`: it says nothing about this target, with the reason. `flaky`:
 * it failed and did not when it was looked at again. `untested`: the server was too busy, or the run's budget was used up.
 * `not-sent`: it might change something. `known`: it failed as the baseline says. `stale`: the baseline says that it fails, and it
 * does not, or otherwise.
 */
export type Verdict = (typeof verdicts)[number];

/** Returns whether a case makes a run fail. */
export function isFailing({ verdict }: Pick<CaseReport, "verdict">): boolean {
  return verdict === "failed" || verdict === "stale";
}

/** Returns how many cases ended how. */
export function countVerdicts(cases: readonly Pick<CaseReport, "verdict">[]): Readonly<Record<Verdict, number>> {
  const counts = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  for (const { verdict } of cases) counts[verdict] += 1;
  return counts;
}

export interface FindingReport {
  /** Of the rule. */
  readonly rule: string;
  readonly level: Level;
  readonly title: string;
  /** The same in every run. */
  readonly message: string;
  readonly detail?: string | undefined;
  readonly pointer?: string | undefined;
  readonly place?: Place | undefined;
  /** Of a heuristic: what was guessed, and from what. */
  readonly guess?: string | undefined;
}

export interface CaseReport {
  readonly id: string;
  readonly operation: string;
  readonly group: CaseGroup;
  readonly rule: string;
  readonly level: Level;
  readonly verdict: Verdict;
  readonly expected: string;
  /** Why it was skipped, untested, known or stale. */
  readonly reason?: string | undefined;
  readonly findings: readonly FindingReport[];
  /** Of cases that did not pass; of all with `--har`. */
  readonly exchanges: readonly RecordedExchange[];
  /** Sends the last request again; the key stands in `$API_KEY`. */
  readonly curl?: string | undefined;
  readonly milliseconds: number;
}

/** Of the answers to one operation's requests. Milliseconds. */
export interface Latency {
  readonly requests: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly most: number;
}

/** How much of what the description names was seen: names of what was, and of what was not. */
export interface Coverage {
  readonly seen: readonly string[];
  readonly unseen: readonly string[];
}

export interface OperationReport {
  readonly operation: string;
  readonly origin: string;
  readonly place?: Place | undefined;
  readonly availability: Availability;
  readonly availabilityReason: string;
  readonly calls: number;
  /** Whether a call was answered as a success; absent where nothing was called, or where that says nothing, as of fields of GraphQL. */
  readonly hasSuccess?: boolean | undefined;
  readonly latency?: Latency | undefined;
  /** By kind of what is covered: `parameters`, `statuses`, `members`, `arms`, `fields`. */
  readonly coverage: Readonly<Record<string, Coverage>>;
}

/** A response that was as documented, as a source of the inputs of other cases; one that holds a key is left out. */
export type ReplayAnswer = Omit<SeenAnswer, "text">;

/** All that a run found out: the form of `--report json`. */
export interface Report {
  readonly format: 2;
  readonly tool: { readonly name: "nodewright"; readonly version: string };
  readonly suite: { readonly name: string; readonly title: string; readonly version: string; readonly source: string };
  readonly protocol: "http" | "rpc" | "graphql";
  /** Without key and credentials. */
  readonly baseUrl: string;
  readonly against?: string | undefined;
  readonly seed: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly milliseconds: number;
  readonly requests: number;
  readonly target: TargetFacts;
  readonly cases: readonly CaseReport[];
  readonly operations: readonly OperationReport[];
  readonly totals: Readonly<Record<Verdict, number>>;
  /** What is to be said of the whole run: examples that contradict their types, an end before its time. */
  readonly notices: readonly string[];
  /**
   * `conforms`: exit code 0. `differs`: 1, something failed or the baseline is stale. `unjudged`: 3, nothing could be said of the
   * target.
   */
  readonly outcome: "conforms" | "differs" | "unjudged";
  /** Why the run did not come to its end, a clause; absent when it did, or its own limits ended it. */
  readonly brokenOff?: string | undefined;
  /** Why nothing could be said. */
  readonly unjudgedBecause?: string | undefined;
  /** What the run's cases were made from, for playing one of them again. Absent when nothing was answered well. */
  readonly replay?: { readonly answers: readonly ReplayAnswer[] } | undefined;
}
