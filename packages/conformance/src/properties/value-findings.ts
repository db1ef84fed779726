import { resolvePointer } from "@nodewright/runtime";
import { differences } from "../compare/differences.ts";
import { showValue } from "../compare/show-value.ts";
import { type Finding, finding } from "../contract/finding.ts";
import type { Rule } from "../contract/rule.ts";
import type { Place, SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { violationsOf } from "@nodewright/api-values";

/** Maximum number of reported violations of one value. */
export const mostViolations = 10;

/** Reports violations of the type in a response, each place once; `nameOf` returns the name of a place in messages. */
export function violationFindings(
  rule: Rule,
  type: SuiteType,
  value: unknown,
  types: SuiteTypes,
  nameOf: (pointer: string) => string,
  place?: Place,
): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const violation of violationsOf(type, value, types, "response")) {
    const { pointer, generalPointer, keyword } = violation;
    const message = `${nameOf(generalPointer)} ${violation.message}`;
    if (found.has(message)) continue;
    const detail = `${pointer === "" ? nameOf("").toLowerCase() : pointer} is ${showValue(resolvePointer(value, pointer))}`;
    const spot = { pointer: generalPointer, place: violation.place ?? place };
    found.set(message, { ...finding(rule, message, detail, spot), keyword });
    if (found.size === mostViolations) break;
  }
  return [...found.values()];
}

/** Rule and message of a difference between two values. */
export interface SameRule {
  readonly rule: Rule;
  /** Start of a message: "the result of the call by name". */
  readonly subject: string;
  readonly place?: Place | undefined;
}

/** Maximum number of reported differences of two values. */
const mostDifferences = 3;

/** Reports the differences of two values, in both directions and without volatile members. */
export function sameValueFindings(
  type: SuiteType | undefined,
  [left, right]: readonly [unknown, unknown],
  types: SuiteTypes,
  { rule, subject, place }: SameRule,
): readonly Finding[] {
  const reported = new Map<string, Finding>();
  for (const difference of differences(type, left, right, types, { namesExtra: true })) {
    const { steady, message, detail } = difference;
    const text = `${subject}${steady === "" ? "" : ` at ${steady}`} ${message}`;
    const spot = { pointer: steady, place: difference.place ?? place };
    if (!reported.has(text)) reported.set(text, finding(rule, text, detail, spot));
    if (reported.size === mostDifferences) break;
  }
  return [...reported.values()];
}
