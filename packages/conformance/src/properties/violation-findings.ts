import { resolvePointer } from "@nodewright/runtime";
import { type Finding, finding } from "../contract/finding.ts";
import type { Rule } from "../contract/rule.ts";
import type { Place, SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { violationsOf } from "../types/violations.ts";
import { showValue } from "../compare/show-value.ts";

/** Violations of one value that are told; more say nothing new. */
export const mostViolations = 10;

/** Reports what of a response is not of its type, each place once; `nameOf`: what messages call a place. */
export function violationFindings(
  rule: Rule,
  type: SuiteType,
  value: unknown,
  types: SuiteTypes,
  nameOf: (pointer: string) => string,
  place?: Place,
): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const violation of violationsOf(type, value, types, "answer")) {
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
