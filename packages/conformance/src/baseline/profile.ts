import type { Availability } from "../contract/capability-facts.ts";

/** What a client is known not to offer. A profile only takes cases away, and one that is not verified not even these. */
export interface Profile {
  /** `btcd`. */
  readonly name: string;
  /** What the client is called, as in baselines: `btcd >=0.24`. */
  readonly client: string;
  /** True: it was held against the running client. */
  readonly isVerified: boolean;
  /** In which ways the client differs, for people. */
  readonly notes: readonly string[];
  readonly operations: readonly ProfileOperation[];
}

export interface ProfileOperation {
  /** Name of an operation; `*` stands for any text. */
  readonly operation: string;
  readonly availability: Extract<Availability, "missing" | "disabled" | "needs archive">;
  readonly reason: string;
  /** Where that is said: an address, or a file of the client's sources. */
  readonly source: string;
}
