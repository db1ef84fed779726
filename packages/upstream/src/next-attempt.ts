import { isUpstreamFailure, mayHaveArrived } from "./upstream-failure.ts";
import { isUpstreamRpcError } from "./upstream-rpc-error.ts";
import type { MethodKind } from "./method-kind.ts";

/**
 * Signals that a node does not have a block, or does not support a method, unlike perhaps another node. Callers never get it: if no other
 * node has a result, they get that of the first.
 */
export class MissingBlockError extends Error {}

/** Facts about a failed attempt. */
export interface FailedAttempt {
  readonly error: unknown;
  readonly kind: MethodKind;
  /** Number of attempts so far. */
  readonly attempts: number;
  /** Milliseconds until the call's deadline. */
  readonly remainingMilliseconds: number;
  /** Whether there is another node that has not been tried. */
  readonly hasOtherNode: boolean;
}

/** Maximum attempts at one call, while nodes fail or report a retry delay. */
const maximumAttempts = 3;
/** Maximum attempts at one call, while all available nodes are busy and report no retry delay: about three seconds in total. */
const maximumBusyAttempts = 7;
const firstDelayMilliseconds = 50;
const maximumDelayMilliseconds = 1_000;
const maximumBusyDelayMilliseconds = 2_000;

/** Bitcoin Core's error code while it reads its own blocks. */
export const warmingUp = -28;

/** JSON-RPC 2.0, section 5.1: the node does not offer the method. */
export const methodNotFound = -32_601;

/**
 * Error codes of Bitcoin Core and btcd: still starting, no peers, initial block download, no peer-to-peer network, and a method that is not
 * offered.
 */
export const unavailableCodes: ReadonlySet<number> = new Set([warmingUp, -9, -10, -31, methodNotFound]);

/**
 * Returns whether a node's error indicates that it cannot execute such a call at present, regardless of the parameters. It has not executed
 * the call, and another node may be able to.
 *
 * An internal error (-32603) is none of these: nothing shows how far the node has come with a transaction, and some clients report errors
 * of the call by this code.
 */
export function isUnavailable(error: unknown): boolean {
  return isUpstreamRpcError(error) && unavailableCodes.has(error.code);
}

function isMethodNotFound(error: unknown): boolean {
  return isUpstreamRpcError(error) && error.code === methodNotFound;
}

/** Returns which of the failures of two attempts at a call, one after the other, is reported when there is no further attempt. */
export function moreSpecificFailure<T>(before: T | undefined, later: T, kind: MethodKind): T {
  // Only the later failure indicates that the call may have been executed.
  if (before === undefined || (kind !== "read" && mayHaveArrived(later))) return later;
  // The lack of a method on one node is no evidence about the others.
  if (isMethodNotFound(before)) return later;
  if (isMethodNotFound(later)) return before;
  if (isUnavailable(before)) return isUpstreamRpcError(later) && later.code !== warmingUp ? later : before;
  // The last attempts at a read have little time left: the failure before is more informative than the timeout.
  return kind === "read" && isUpstreamFailure(later) && later.kind === "timeout" ? before : later;
}

/**
 * Returns the milliseconds to wait before the next attempt, or `undefined` when the failure is final.
 *
 * A call that does more than read is sent to another node only when the one before has certainly not executed it: it was not reached, it
 * refused before it read the call, or it cannot execute any such call. It is never sent to the same node again.
 */
export function planNextAttempt(attempt: FailedAttempt, random: () => number = Math.random): number | undefined {
  const delay = delayOf(attempt, random);
  return delay !== undefined && delay < attempt.remainingMilliseconds ? delay : undefined;
}

function delayOf({ error, kind, attempts, hasOtherNode }: FailedAttempt, random: () => number): number | undefined {
  if (error instanceof MissingBlockError) return hasOtherNode ? 0 : undefined;
  if (isUnavailable(error)) return hasOtherNode ? 0 : undefined;
  if (!isUpstreamFailure(error)) return undefined;
  if (error.kind === "limit") return undefined;
  if (kind !== "read") return !error.mayHaveArrived && hasOtherNode ? 0 : undefined;
  if (hasOtherNode) return 0;
  if (error.kind === "denied") return undefined;
  const backoff =
    Math.min(maximumDelayMilliseconds, firstDelayMilliseconds * 2 ** (attempts - 1)) * (0.5 + random() / 2);
  if (error.kind === "busy") {
    const delay = Math.max(backoff, error.retryAfterMilliseconds ?? 0);
    const maximum = error.retryAfterMilliseconds === undefined ? maximumBusyAttempts : maximumAttempts;
    // A client that has to wait longer gets the delay in its error, and retries itself.
    return attempts >= maximum || delay > maximumBusyDelayMilliseconds ? undefined : delay;
  }
  // A timeout is not retried on the same node.
  return attempts >= maximumAttempts || error.kind === "timeout" ? undefined : backoff;
}
