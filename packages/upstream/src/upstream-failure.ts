import { ServiceError } from "@nodewright/runtime";

/**
 * Why a node gave no usable answer.
 *
 * - `unreachable`: no connection came about.
 * - `broken`: the connection ended before the answer did.
 * - `timeout`: the deadline passed.
 * - `busy`: the node refused for being busy, without looking at the call.
 * - `unusable`: what came is no answer to the call.
 * - `denied`: the node does not take the service's credentials, or there are none.
 * - `limit`: one of our own limits ended it, or the upstream is closed: it says nothing about the node.
 */
export type FailureKind = "unreachable" | "broken" | "timeout" | "busy" | "unusable" | "denied" | "limit";

export interface FailureFacts {
  readonly kind: FailureKind;
  /** Whether the node may have carried out the call all the same. */
  readonly mayHaveArrived: boolean;
  /** What a busy node asks for. */
  readonly retryAfterMilliseconds?: number | undefined;
  /** For logs. */
  readonly cause?: unknown;
}

/** A `ServiceError` that says what an attempt at a node failed of. */
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

/** Looks at what it holds, because `instanceof` fails when two copies of this package are installed. */
export function isUpstreamFailure(value: unknown): value is UpstreamFailure {
  return value instanceof Error && value.name === "ServiceError" && "mayHaveArrived" in value;
}

/** True when a call has failed and the node may have carried it out all the same. */
export function mayHaveArrived(error: unknown): boolean {
  return isUpstreamFailure(error) && error.mayHaveArrived;
}
