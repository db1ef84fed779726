import { type Finding, finding } from "../contract/finding.ts";
import { differences } from "../compare/differences.ts";
import type { Rule } from "../contract/rule.ts";
import type { Place, SuiteType, SuiteTypes } from "../suite/suite-type.ts";

/** What it means when two values differ. */
export interface SameRule {
  readonly rule: Rule;
  /** "the result of the call by name": what a message begins with. */
  readonly subject: string;
  readonly place?: Place | undefined;
}

/** Differences of two values that are told. */
const mostDifferences = 3;

/** Reports what one value lacks to be the other, in both directions and without what is volatile. */
export function sameValueFindings(
  type: SuiteType | undefined,
  [left, right]: readonly [unknown, unknown],
  types: SuiteTypes,
  { rule, subject, place }: SameRule,
): readonly Finding[] {
  const told = new Map<string, Finding>();
  for (const difference of differences(type, left, right, types, { namesExtra: true })) {
    const { steady, message, detail } = difference;
    const text = `${subject}${steady === "" ? "" : ` at ${steady}`} ${message}`;
    const spot = { pointer: steady, place: difference.place ?? place };
    if (!told.has(text)) told.set(text, finding(rule, text, detail, spot));
    if (told.size === mostDifferences) break;
  }
  return [...told.values()];
}
