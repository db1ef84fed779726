import type { Session } from "./session.ts";

/** Maximum number of requests for shrinking a failing value when the operation was rarely called. */
const mostShrinks = 40;
/** Number of calls reserved for repeating a failure. */
const keptCalls = 4;

/** Returns the maximum number of requests for shrinking a failing value: at least `least`, and more when the operation has unused calls. */
export function shrinkAllowance(session: Session, operation: string, least: number): number {
  const spare = (session.callsLeft?.(operation) ?? 0) - keptCalls;
  return Math.max(least, Math.min(spare, mostShrinks));
}
