import type { CapabilityFacts } from "../contract/capability-facts.ts";
import type { LiveValues } from "../live/live-values.ts";
import type { Safety } from "../safety/safety.ts";
import type { RandomSource } from "@nodewright/api-values";
import type { Evidence } from "./coverage.ts";
import type { Peers } from "./peer.ts";
import type { RunOptions } from "../contract/options.ts";

/** What the planners of a run share. */
export interface Session {
  readonly options: RunOptions;
  readonly live: LiveValues;
  /** Of the run. */
  readonly random: RandomSource;
  /** What was found out about the target before the first case. */
  readonly capabilities: CapabilityFacts;
  /** Which operations may change something: their cases are planned with `writes`. */
  readonly safety: Safety;
  /** What of the description was seen. Values that `live` sees, and statuses, are noted by the run itself. */
  readonly coverage: Evidence;
  /** Calls of an operation that a case may still make, beyond those it announced. Absent: none. */
  readonly callsLeft?: (operation: string) => number;
  /** Second targets, where the run has them. */
  readonly peers?: Peers;
}
