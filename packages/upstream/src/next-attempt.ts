import { isUpstreamFailure } from "./upstream-failure.ts";
import { isUpstreamRpcError } from "./upstream-rpc-error.ts";
import type { MethodKind } from "./method-kind.ts";

/** A node has answered that it lacks what another one may have. Never seen outside: that answer counts when no other has it. */
export class LacksBlock extends Error {}

/** What is known when an attempt has failed. */
export interface FailedAttempt {
  readonly error: unknown;
  readonly kind: MethodKind;
  /** Attempts so far. */
  readonly attempts: number;
  /** Until the call's deadline. */
  readonly remainingMilliseconds: number;
  /** Whether there is another node that has not been tried. */
  readonly hasOtherNode: boolean;
}

/** Of one call, while nodes fail, or say themselves after how long they can be called again. */
const maximumAttempts = 3;
/** Of one call, while all nodes that can be called are busy and name no delay: about three seconds with those between the attempts. */
const maximumBusyAttempts = 7;
const firstDelayMilliseconds = 50;
const longestDelayMilliseconds = 1_000;
const longestBusyDelayMilliseconds = 2_000;

/** Bitcoin Core's code while it reads its own blocks. */
const warmingUp = -28;

/**
 * Plans what follows a failed attempt: gives the milliseconds to wait before the next one, or `undefined` when the failure is the answer.
 *
 * What does more than read is offered to another node only when the one before has certainly not carried it out: it was not reached, or it
 * refused before it looked at the call. It is never sent to the same node again.
 */
export function planNextAttempt(attempt: FailedAttempt, random: () => number = Math.random): number | undefined {
  const delay = delayOf(attempt, random);
  return delay !== undefined && delay < attempt.remainingMilliseconds ? delay : undefined;
}

function delayOf({ error, kind, attempts, hasOtherNode }: FailedAttempt, random: () => number): number | undefined {
  if (error instanceof LacksBlock) return hasOtherNode ? 0 : undefined;
  if (isUpstreamRpcError(error)) {
    return error.code === warmingUp && kind === "read" && hasOtherNode ? 0 : undefined;
  }
  if (!isUpstreamFailure(error)) return undefined;
  if (error.kind === "limit") return undefined;
  if (kind !== "read") return !error.mayHaveArrived && hasOtherNode ? 0 : undefined;
  if (hasOtherNode) return 0;
  if (error.kind === "denied") return undefined;
  const backoff =
    Math.min(longestDelayMilliseconds, firstDelayMilliseconds * 2 ** (attempts - 1)) * (0.5 + random() / 2);
  if (error.kind === "busy") {
    const delay = Math.max(backoff, error.retryAfterMilliseconds ?? 0);
    const most = error.retryAfterMilliseconds === undefined ? maximumBusyAttempts : maximumAttempts;
    // Who has to wait longer is told for how long, and tries again.
    return attempts >= most || delay > longestBusyDelayMilliseconds ? undefined : delay;
  }
  // A node that was silent until now has had its time.
  return attempts >= maximumAttempts || error.kind === "timeout" ? undefined : backoff;
}
