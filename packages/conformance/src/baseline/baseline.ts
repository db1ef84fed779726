import type { FindingReport } from "../contract/report.ts";

/** A failure that is known: of one case, with the finding that is expected. */
export interface KnownFailure {
  /** Id of the case, exact. */
  readonly case: string;
  /** Id of the rule. */
  readonly rule: string;
  /** Message of the finding, exact. */
  readonly message: string;
  /** Why the target does so, for people. */
  readonly reason: string;
  /** Day on which it was seen first: `2026-11-22`. */
  readonly since: string;
  /** Clients that it is true of, as `btcd >=0.24 <0.27`; any of them. Absent: whatever client. */
  readonly clients?: readonly string[];
}

/** A case that fails now and then: it is played and told, and never fails a run. */
export interface FlakyCase {
  readonly case: string;
  readonly reason: string;
  readonly since: string;
  readonly clients?: readonly string[];
}

/** What is known to be wrong with a target. */
export interface Baseline {
  readonly known: readonly KnownFailure[];
  readonly flaky: readonly FlakyCase[];
}

/**
 * Whether an entry names a finding. Findings of GraphQL once named the keys of a response, which may be aliases, where they name fields now:
 * an entry of then still holds.
 */
export function isEntryOf(
  entry: Pick<KnownFailure, "rule" | "message">,
  { rule, message, pointer }: Pick<FindingReport, "rule" | "message" | "pointer">,
): boolean {
  if (entry.rule !== rule) return false;
  return (
    entry.message === message || (pointer !== undefined && entry.message === message.replace(/^\/\S*/, () => pointer))
  );
}

/** The reason of an entry that nobody has looked at yet. */
export const unexplained = "TO BE EXPLAINED";
