import { type Direction, patternMatcher, type TypeViolation, ValueChecker, type TypeNode } from "@nodewright/api-model";
import type { NamedTypes } from "./named-types.ts";
import { linearPattern } from "@nodewright/runtime/patterns";

/** Returns the violations of a type by a value, ordered by depth; empty when it matches. */
export function violationsOf(
  type: TypeNode,
  value: unknown,
  types: NamedTypes,
  direction: Direction,
): readonly TypeViolation[] {
  return checkerOf(types, direction).violations(type, value);
}

/** Returns whether a value matches its type, as `violationsOf` checks it. */
export function isValueOf(type: TypeNode, value: unknown, types: NamedTypes, direction: Direction): boolean {
  return checkerOf(types, direction).matches(type, value);
}

const checkers = {
  response: new WeakMap<NamedTypes, ValueChecker>(),
  request: new WeakMap<NamedTypes, ValueChecker>(),
};

/** Matches in time linear in the length of the string. */
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
