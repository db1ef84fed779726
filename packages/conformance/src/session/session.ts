import type { CapabilityFacts } from "../contract/capability-facts.ts";
import type { LiveValues } from "../live/live-values.ts";
import type { Safety } from "../safety/safety.ts";
import type { RandomSource } from "@nodewright/api-values";
import type { Evidence } from "./coverage.ts";
import type { Peers } from "./peer.ts";
import type { RunOptions } from "../contract/options.ts";

/** Shared state of the planners of a run. */
export interface Session {
  readonly options: RunOptions;
  readonly live: LiveValues;
  /** Random source of the run. */
  readonly random: RandomSource;
  /** Facts about the target from before the first case. */
  readonly capabilities: CapabilityFacts;
  /** Safety of operations: cases of those that may write are planned with `writes`. */
  readonly safety: Safety;
  /** Coverage of the description. Values that `live` sees, and statuses, are recorded by the run itself. */
  readonly coverage: Evidence;
  /** Returns the number of calls of an operation that a case may still make, beyond those it announced. Absent: none. */
  readonly callsLeft?: (operation: string) => number;
  /** Second targets, when the run has them. */
  readonly peers?: Peers;
}

/** Maximum number of requests for shrinking a failing value when the operation was rarely called. */
const maximumShrinks = 40;
/** Number of calls reserved for repeating a failure. */
const keptCalls = 4;

/** Returns the maximum number of requests for shrinking a failing value: at least `least`, and more when the operation has unused calls. */
export function shrinkAllowance(session: Session, operation: string, least: number): number {
  const spare = (session.callsLeft?.(operation) ?? 0) - keptCalls;
  return Math.max(least, Math.min(spare, maximumShrinks));
}
