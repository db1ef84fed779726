import type { Place } from "../suite/suite-type.ts";
import type { Rule } from "./rule.ts";

/** One thing that is wrong with an answer. */
export interface Finding {
  readonly rule: Rule;
  /**
   * One sentence that is the same in every run: no value of an answer stands in it, and elements of lists are `*`. Baselines hold it.
   */
  readonly message: string;
  /** The same with the values of this run. */
  readonly detail?: string | undefined;
  /** Of the place in the answer's body, or in its result or data. */
  readonly pointer?: string | undefined;
  /** The JSON Schema keyword that the value there does not meet. */
  readonly keyword?: string;
  /** What the description says there. */
  readonly place?: Place | undefined;
  /** Of a heuristic, what was guessed and from what: "`limit` is taken for a page size by its name". Absent: the rule's source says it. */
  readonly guess?: string | undefined;
}

/** Where a finding is, and what was guessed there. */
type FindingSpot = Pick<Finding, "pointer" | "place" | "guess">;

/** Makes a finding; `detail` holds the values of this run. */
export function finding(
  rule: Rule,
  message: string,
  detail?: string,
  { pointer, place, guess }: FindingSpot = {},
): Finding {
  return { rule, message, detail, pointer, place, guess };
}

/** Returns whether an answer with these findings is unfit as a source of other cases' inputs. */
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
