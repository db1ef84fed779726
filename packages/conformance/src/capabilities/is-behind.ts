import { memberOf, numberOf } from "./asker.ts";

/**
 * Whether an execution client that says how it is syncing has blocks to fetch. Clients without peers say that they are syncing at the
 * highest block that they know.
 */
export function isBehind(syncing: unknown): boolean {
  if (typeof syncing !== "object" || syncing === null) return false;
  const current = numberOf(memberOf(syncing, "currentBlock"));
  const highest = numberOf(memberOf(syncing, "highestBlock"));
  return current === undefined || highest === undefined || current < highest;
}
