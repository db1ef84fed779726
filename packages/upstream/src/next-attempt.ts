import { isUpstreamFailure, mayHaveArrived } from "./upstream-failure.ts";
import { isUpstreamRpcError } from "./upstream-rpc-error.ts";
import type { MethodKind } from "./method-kind.ts";

/** A node has answered that it lacks, or can't do, what another one may. Never seen outside: that answer counts when no other does. */
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
export const warmingUp = -28;

/** JSON-RPC 2.0, section 5.1: the node does not offer the method. */
export const methodNotFound = -32_601;

/** Codes of Bitcoin Core and btcd: still starting, no peers, initial block download, no peer-to-peer network, and a method that is not offered. */
export const inNoPosition: ReadonlySet<number> = new Set([warmingUp, -9, -10, -31, methodNotFound]);

/**
 * Returns whether a node's error says that the node can't carry out such a call at present, whatever the call holds: it has not, and
 * another node may.
 *
 * An internal error (-32603) is none of these: nothing says how far the node has come with a transaction, and some clients report errors
 * of the call by this code.
 */
export function isInNoPosition(error: unknown): boolean {
  return isUpstreamRpcError(error) && inNoPosition.has(error.code);
}

function isMethodNotFound(error: unknown): boolean {
  return isUpstreamRpcError(error) && error.code === methodNotFound;
}

/** Returns which of the failures of two attempts at a call, one after the other, is reported when there is no further attempt. */
export function moreTelling<T>(before: T | undefined, later: T, kind: MethodKind): T {
  // It alone says that the call may have been carried out.
  if (before === undefined || (kind !== "read" && mayHaveArrived(later))) return later;
  // That one node lacks a method says nothing of the others.
  if (isMethodNotFound(before)) return later;
  if (isMethodNotFound(later)) return before;
  if (isInNoPosition(before)) return isUpstreamRpcError(later) && later.code !== warmingUp ? later : before;
  // The time of the last attempts at a read is short: what failed before says more than that it has passed.
  return kind === "read" && isUpstreamFailure(later) && later.kind === "timeout" ? before : later;
}

/**
 * Plans what follows a failed attempt: gives the milliseconds to wait before the next one, or `undefined` when the failure is the answer.
 *
 * What does more than read is offered to another node only when the one before has certainly not carried it out: it was not reached, it
 * refused before it looked at the call, or it is in no position to carry out any such call. It is never sent to the same node again.
 */
export function planNextAttempt(attempt: FailedAttempt, random: () => number = Math.random): number | undefined {
  const delay = delayOf(attempt, random);
  return delay !== undefined && delay < attempt.remainingMilliseconds ? delay : undefined;
}

function delayOf({ error, kind, attempts, hasOtherNode }: FailedAttempt, random: () => number): number | undefined {
  if (error instanceof LacksBlock) return hasOtherNode ? 0 : undefined;
  if (isInNoPosition(error)) return hasOtherNode ? 0 : undefined;
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
