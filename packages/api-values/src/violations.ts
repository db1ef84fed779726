import { type Direction, patternMatcher, type TypeViolation, ValueChecker, type TypeNode } from "@nodewright/api-model";
import type { NamedTypes } from "./named-types.ts";
import { linearPattern } from "@nodewright/runtime/patterns";

/** What of a value is not of its type, the first by depth; empty when all is. */
export function violationsOf(
  type: TypeNode,
  value: unknown,
  types: NamedTypes,
  direction: Direction,
): readonly TypeViolation[] {
  return checkerOf(types, direction).violations(type, value);
}

/** Whether a value is of its type, as `violationsOf` has it. */
export function isValueOf(type: TypeNode, value: unknown, types: NamedTypes, direction: Direction): boolean {
  return checkerOf(types, direction).matches(type, value);
}

const checkers = { answer: new WeakMap<NamedTypes, ValueChecker>(), request: new WeakMap<NamedTypes, ValueChecker>() };

/** Matches in time that is linear in the text. */
const matchesPattern = patternMatcher(linearPattern);

function checkerOf(types: NamedTypes, direction: Direction): ValueChecker {
  let checker = checkers[direction].get(types);
  if (checker === undefined) {
    const lookup = (name: string): TypeNode | undefined => (Object.hasOwn(types, name) ? types[name] : undefined);
    checker = new ValueChecker(lookup, { direction, matchesPattern });
    checkers[direction].set(types, checker);
  }
  return checker;
}
