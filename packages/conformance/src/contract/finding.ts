import type { Place } from "../suite/suite-type.ts";
import type { Rule } from "./rule.ts";

/** A violation in a response. */
export interface Finding {
  readonly rule: Rule;
  /** Sentence that is the same in every run: it contains no value of a response, and `*` for list elements. Baselines contain it. */
  readonly message: string;
  /** The message with the values of this run. */
  readonly detail?: string | undefined;
  /** JSON Pointer in the response's body, or in its result or data. */
  readonly pointer?: string | undefined;
  /** JSON Schema keyword that the value violates. */
  readonly keyword?: string;
  /** Place of the constraint in the description. */
  readonly place?: Place | undefined;
  /** Guess of a heuristic, and its basis: "`limit` is taken for a page size by its name". Absent: the rule's source states it. */
  readonly guess?: string | undefined;
}

/** Location of a finding, and the guess there. */
type FindingSpot = Pick<Finding, "pointer" | "place" | "guess">;

/** Creates a finding; `detail` contains the values of this run. */
export function finding(
  rule: Rule,
  message: string,
  detail?: string,
  { pointer, place, guess }: FindingSpot = {},
): Finding {
  return { rule, message, detail, pointer, place, guess };
}

/** Returns whether a response with these findings is unsuitable as a source of other cases' inputs. */
export function isBroken(findings: readonly Finding[]): boolean {
  return findings.some(({ rule: { level, isWeak } }) => level === "MUST" || (level === "heuristic" && isWeak !== true));
}

/** Returns the first finding of each rule and message. */
export function uniqueFindings(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Map<string, Finding>();
  for (const finding of findings) {
    const key = `${finding.rule.id} ${finding.message}`;
    if (!seen.has(key)) seen.set(key, finding);
  }
  return [...seen.values()];
}
