import type { CapabilityFacts } from "../capabilities/capability-facts.ts";
import type { LiveValues } from "../live/live-values.ts";
import type { RandomSource } from "../types/random-source.ts";
import type { RunOptions } from "./options.ts";

/** What the planners of a run share. */
export interface Session {
  readonly options: RunOptions;
  readonly live: LiveValues;
  /** Of the run. */
  readonly random: RandomSource;
  /** What was found out about the target before the first case. */
  readonly capabilities: CapabilityFacts;
  /** Calls of one operation that the run allows. */
  readonly callsPerOperation: number;
}
