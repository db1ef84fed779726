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

/** Takes linear time, whatever pattern a hostile document brings. */
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

/** Whether a wire value is of a type: for documents and probes; servers and clients have validators of their own, generated. */
export function isOfType(value: JsonValue, type: TypeNode, model: Declarations): boolean {
  return checkerOf(model).matches(type, value);
}

/** The first violation of a value that is not of a type; undefined where it is. */
export function findViolation(value: JsonValue, type: TypeNode, model: Declarations): TypeViolation | undefined {
  return checkerOf(model).violations(type, value)[0];
}

/** Whether a text in a URL or header spells a value of a type: as a text, as a number or as a boolean. */
export function spellsType(text: string, type: TypeNode, model: Declarations): boolean {
  const isNumber = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(text);
  const readings: readonly JsonValue[] = [
    text,
    ...(isNumber ? [Number(text)] : []),
    ...(text === "true" || text === "false" ? [text === "true"] : []),
  ];
  return readings.some((reading) => isOfType(reading, type, model));
}
