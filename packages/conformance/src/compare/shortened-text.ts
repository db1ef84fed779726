import type { Difference } from "./differences.ts";

/** Length in UTF-16 code units from which a common prefix is not a coincidence. */
const distinctiveLength = 40;

/**
 * Returns whether the string of a list element is a shortened form of the string in the full object: cut with an ellipsis at its end, or a
 * prefix of at least 40 characters.
 */
export function isShortened({ kind, expected, actual }: Pick<Difference, "kind" | "expected" | "actual">): boolean {
  if (kind !== "value" || typeof expected !== "string" || typeof actual !== "string") return false;
  const beginning = expected.replace(/\s*(?:…|\.{3}|\[(?:…|\.{3})\])$/u, "");
  const isMarked = beginning !== expected && beginning !== "";
  return (
    actual.length > expected.length &&
    actual.startsWith(beginning) &&
    (isMarked || expected.length >= distinctiveLength)
  );
}
