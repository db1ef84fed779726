/** How an operation is offered by a target. */
export type Availability = "available" | "disabled" | "missing" | "needs archive" | "not sent" | "unknown";

/** What a target says of itself. */
export interface TargetFacts {
  /** As the node calls itself: `btcd 0.26.0`, `Geth/v1.17.8…`. */
  readonly client?: string | undefined;
  /** `main`, `regtest`, or a chain id in decimal. */
  readonly chain?: string | undefined;
  /** Height of the head when the run began. */
  readonly height?: number | undefined;
  /** False while the node is catching up. */
  readonly isSynchronised?: boolean | undefined;
  /** Seconds between now and the head's time. */
  readonly headLagSeconds?: number | undefined;
  /** Blocks below this height are not kept. */
  readonly prunedBelow?: number | undefined;
}

/** What was found out about a target. It only ever takes cases away: what the configuration says counts before it. */
export interface CapabilityFacts extends TargetFacts {
  /** Operation → how it is offered, and why that is thought. */
  readonly operations: ReadonlyMap<string, { readonly availability: Availability; readonly reason: string }>;
}
