import type { Difference } from "./differences.ts";

/** Characters that two texts share from their beginning by chance no more. */
const tellingLength = 40;

/**
 * Whether a value of a list is the beginning of the text that the thing has when it is asked for alone: with an ellipsis at its end, or
 * so long that nothing else is meant.
 */
export function isShortened({ kind, expected, actual }: Pick<Difference, "kind" | "expected" | "actual">): boolean {
  if (kind !== "value" || typeof expected !== "string" || typeof actual !== "string") return false;
  const beginning = expected.replace(/\s*(?:…|\.{3}|\[(?:…|\.{3})\])$/u, "");
  const isMarked = beginning !== expected && beginning !== "";
  return (
    actual.length > expected.length && actual.startsWith(beginning) && (isMarked || expected.length >= tellingLength)
  );
}
