import type { CaseGroup } from "./suite.ts";

/** Groups of cases, in the order of a report's columns. `key` and `protocol` cases are the runner's own. */
export const reportGroups = ["example", "failure", "parameter", "key", "protocol"] as const;

export type ReportGroup = CaseGroup | "key" | "protocol";

/**
 * How a case ended.
 *
 * `missing`: answered as not implemented, where the run allows it. `disabled`: the operation is off for the key.
 * `untested`: the server was too busy to be judged. `withheld`: not sent, because it would change something.
 */
export type Verdict = "passed" | "failed" | "missing" | "disabled" | "untested" | "withheld";

/** What went over the wire, without the key. */
export interface RecordedExchange {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Absent when no answer came. */
  readonly answer?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    /** Shortened when it is long; of bytes, their hex. */
    readonly body: string;
  };
}

export interface CaseReport {
  /** `getBlock/example/first-payment`: the same in every run. */
  readonly id: string;
  readonly operation: string;
  readonly group: ReportGroup;
  readonly name: string;
  readonly verdict: Verdict;
  /** What is wrong, one sentence each; empty when nothing is. */
  readonly problems: readonly string[];
  /** Of a failed case. */
  readonly expected?: string;
  readonly exchange?: RecordedExchange;
  /** A command that sends the same request; the key stands in `$API_KEY`. */
  readonly curl?: string;
}

export interface OperationReport {
  readonly operation: string;
  readonly cases: readonly CaseReport[];
  /** Documented failures that no case provokes. */
  readonly unprovoked: readonly string[];
}

export interface Report {
  readonly suite: string;
  readonly title: string;
  readonly version: string;
  readonly source: string;
  /** Without a key. */
  readonly baseUrl: string;
  readonly operations: readonly OperationReport[];
  readonly totals: Readonly<Record<Verdict, number>>;
  /** True when no case failed and none was left untested. */
  readonly conforms: boolean;
}
