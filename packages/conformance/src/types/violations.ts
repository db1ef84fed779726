import { type Direction, type TypeViolation, ValueChecker } from "@nodewright/api-model";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { patternMatches } from "./pattern.ts";

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

function checkerOf(types: SuiteTypes, direction: Direction): ValueChecker {
  let checker = checkers[direction].get(types);
  if (checker === undefined) {
    const lookup = (name: string): SuiteType | undefined => (Object.hasOwn(types, name) ? types[name] : undefined);
    checker = new ValueChecker(lookup, { direction, matchesPattern: patternMatches });
    checkers[direction].set(types, checker);
  }
  return checker;
}
