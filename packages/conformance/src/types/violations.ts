import { type Direction, patternMatcher, type TypeViolation, ValueChecker } from "@nodewright/api-model";
import { linearPattern } from "@nodewright/runtime/patterns";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";

/** What of a value is not of its type, the first by depth; empty when all is. */
export function violationsOf(
  type: SuiteType,
  value: unknown,
  types: SuiteTypes,
  direction: Direction,
): readonly TypeViolation[] {
  return checkerOf(types, direction).violations(type, value);
}

/** Whether a value is of its type, as `violationsOf` has it. */
export function isValueOf(type: SuiteType, value: unknown, types: SuiteTypes, direction: Direction): boolean {
  return checkerOf(types, direction).matches(type, value);
}

const checkers = { answer: new WeakMap<SuiteTypes, ValueChecker>(), request: new WeakMap<SuiteTypes, ValueChecker>() };

/** Matches in time that is linear in the text. */
const matchesPattern = patternMatcher(linearPattern);

function checkerOf(types: SuiteTypes, direction: Direction): ValueChecker {
  let checker = checkers[direction].get(types);
  if (checker === undefined) {
    const lookup = (name: string): SuiteType | undefined => (Object.hasOwn(types, name) ? types[name] : undefined);
    checker = new ValueChecker(lookup, { direction, matchesPattern });
    checkers[direction].set(types, checker);
  }
  return checker;
}
