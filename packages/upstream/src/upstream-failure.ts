import { ServiceError } from "@nodewright/runtime";

/**
 * Reason why a node gave no usable response.
 *
 * - `unreachable`: no connection was established.
 * - `broken`: the connection ended before the response did.
 * - `timeout`: the deadline passed.
 * - `busy`: the node refused because it was busy, without reading the call.
 * - `unusable`: what arrived is not a response to the call.
 * - `denied`: the node does not accept the service's credentials, or there are none.
 * - `limit`: one of our own limits ended it, or the upstream is closed: it says nothing about the node.
 */
export type FailureKind = "unreachable" | "broken" | "timeout" | "busy" | "unusable" | "denied" | "limit";

export interface FailureFacts {
  readonly kind: FailureKind;
  /** Whether the node may have executed the call nevertheless. */
  readonly mayHaveArrived: boolean;
  /** Delay that a busy node names, in milliseconds. */
  readonly retryAfterMilliseconds?: number | undefined;
  /** Cause for logs. */
  readonly cause?: unknown;
}

/** A `ServiceError` that describes why an attempt at a node failed. */
export class UpstreamFailure extends ServiceError {
  readonly kind: FailureKind;
  readonly mayHaveArrived: boolean;
  readonly retryAfterMilliseconds: number | undefined;

  constructor(message: string, facts: FailureFacts, details?: Readonly<Record<string, unknown>>) {
    const { kind, mayHaveArrived, retryAfterMilliseconds, cause } = facts;
    super(kind === "timeout" ? "upstream_timeout" : "upstream_unavailable", message, {
      cause,
      details,
      ...(retryAfterMilliseconds === undefined
        ? {}
        : { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMilliseconds / 1_000)) }),
    });
    this.kind = kind;
    this.mayHaveArrived = mayHaveArrived;
    this.retryAfterMilliseconds = retryAfterMilliseconds;
  }
}

/**
 * Returns whether a value is an `UpstreamFailure`. Checks its members, because `instanceof` fails when two copies of this package are
 * installed.
 */
export function isUpstreamFailure(value: unknown): value is UpstreamFailure {
  return value instanceof Error && value.name === "ServiceError" && "mayHaveArrived" in value;
}

/** Returns whether a call has failed and the node may nevertheless have executed it. */
export function mayHaveArrived(error: unknown): boolean {
  return isUpstreamFailure(error) && error.mayHaveArrived;
}
