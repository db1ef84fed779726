import {
  declarationOf,
  type JsonValue,
  type PatternMatcher,
  patternMatcher,
  type TypeViolation,
  ValueChecker,
} from "@nodewright/api-model";
import { linearPattern } from "@nodewright/runtime/patterns";
import type { Declarations, TypeNode } from "./read-model.ts";

/** Matches patterns in linear time, so that a pattern of a malicious document cannot block the process. */
const matchesPattern: PatternMatcher = patternMatcher(linearPattern);

const checkers = new WeakMap<Declarations["declarations"], ValueChecker>();

function checkerOf({ declarations }: Declarations): ValueChecker {
  let checker = checkers.get(declarations);
  if (checker === undefined) {
    checker = new ValueChecker((name) => declarationOf({ declarations }, name).type, { matchesPattern });
    checkers.set(declarations, checker);
  }
  return checker;
}

/** Returns whether a JSON value matches a type. For documents and probes; servers and clients use generated validators. */
export function isOfType(value: JsonValue, type: TypeNode, model: Declarations): boolean {
  return checkerOf(model).matches(type, value);
}

/** Returns the first violation of a value that does not match a type; undefined if it matches. */
export function findViolation(value: JsonValue, type: TypeNode, model: Declarations): TypeViolation | undefined {
  return checkerOf(model).violations(type, value)[0];
}

/** Returns whether a string in a URL or header represents a value of a type: as a string, a number or a boolean. */
export function spellsType(text: string, type: TypeNode, model: Declarations): boolean {
  const isNumber = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(text);
  const readings: readonly JsonValue[] = [
    text,
    ...(isNumber ? [Number(text)] : []),
    ...(text === "true" || text === "false" ? [text === "true"] : []),
  ];
  return readings.some((reading) => isOfType(reading, type, model));
}
