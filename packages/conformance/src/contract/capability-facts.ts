/** Availability of an operation at a target. */
export type Availability = "available" | "disabled" | "missing" | "needs archive" | "not sent" | "unknown";

/** Facts that a target reports about itself. */
export interface TargetFacts {
  /** Name and version as the node reports them: `btcd 0.26.0`, `Geth/v1.17.8…`. */
  readonly client?: string | undefined;
  /** `main`, `regtest`, or a chain id in decimal. */
  readonly chain?: string | undefined;
  /** Height of the head when the run began. */
  readonly height?: number | undefined;
  /** Whether the node has caught up with the chain. */
  readonly isSynchronised?: boolean | undefined;
  /** Seconds between now and the head's time. */
  readonly headLagSeconds?: number | undefined;
  /** Height below which blocks are pruned. */
  readonly prunedBelow?: number | undefined;
}

/** Facts about a target. They only remove cases: the configuration takes precedence. */
export interface CapabilityFacts extends TargetFacts {
  /** Operation → its availability, and the reason for it. */
  readonly operations: ReadonlyMap<string, { readonly availability: Availability; readonly reason: string }>;
}
