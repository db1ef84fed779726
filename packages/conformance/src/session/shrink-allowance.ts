import type { Session } from "./session.ts";

/** Requests that finding a smaller failing value may take where the operation was called seldom. */
const mostShrinks = 40;
/** Calls that are left to looking at a failure once more. */
const keptCalls = 4;

/** Requests that finding a smaller failing value may take: `least` in any case, and more where the operation has calls to spare. */
export function shrinkAllowance(session: Session, operation: string, least: number): number {
  const spare = (session.callsLeft?.(operation) ?? 0) - keptCalls;
  return Math.max(least, Math.min(spare, mostShrinks));
}
