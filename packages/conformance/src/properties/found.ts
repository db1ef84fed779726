import { canonicalText } from "@nodewright/api-model";
import { armsOf } from "../compare/member-facts.ts";
import { isWellFormed } from "../compare/text-formats.ts";
import { plainName } from "../compare/volatile-names.ts";
import { type SeenContext, seenLeaves, withSeenLeaves } from "../inference/seen-leaves.ts";
import { type Parameter, shownOf } from "../inference/list-roles.ts";
import type { LiveValues } from "../live/live-values.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { isValueOf, type RandomSource, sampleOf } from "@nodewright/api-values";
import type { Input } from "./operation.ts";

/** An operation for whose inputs values are searched, for any protocol. */
export interface SoughtOperation extends SeenContext {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly types: SuiteTypes;
  readonly live: LiveValues;
  readonly random: RandomSource;
}

/**
 * Returns distinct inputs of an operation without known inputs: from values of the description, values that responses have under the same
 * name or pattern, and values that the types allow. The target may refuse them.
 */
export function probableInputs(operation: SoughtOperation, most: number): readonly Input[] {
  const required = operation.parameters.filter((parameter) => parameter.required);
  const known = new Map<string, Input>();
  for (let round = 0; round < most; round += 1) {
    const input = probableInput(operation, required, round);
    if (input !== undefined) known.set(canonicalText(input), input);
  }
  return [...known.values()];
}

/** Returns a heuristic input, different in each round. Two parameters have the same value only where there is no other one. */
function probableInput(operation: SoughtOperation, required: readonly Parameter[], round: number): Input | undefined {
  const input: Record<string, unknown> = {};
  for (const parameter of required) {
    const values = probableValues(operation, parameter);
    const taken = new Set(Object.values(input));
    const free = values.filter((value) => typeof value !== "string" || !taken.has(value));
    const value = free[round] ?? free[0] ?? values[0];
    if (value === undefined) return undefined;
    input[parameter.property] = value;
  }
  return input;
}

/** Returns values of a parameter, the most promising first. */
export function probableValues(operation: SoughtOperation, parameter: Parameter): readonly unknown[] {
  const { types, live, name, random } = operation;
  const { type } = parameter;
  const values = [
    ...shownOf(parameter),
    parameter.default ?? type.default,
    ...live.valuesOf(name, parameter),
    ...armsOf(type, types).flatMap(plainValues),
    ...(searchName.test(plainName(parameter.name)) ? wordsIn(operation, type) : []),
    withSeenLeaves(operation, type, sampleOf(type, types, random.fork(`${name} ${parameter.name}`))),
  ];
  return values.filter(
    (value) =>
      value !== undefined &&
      value !== null &&
      isValueOf(type, value, types, "request") &&
      isWellFormed(type, value, types),
  );
}

/** Returns the values of an enumeration; for a number, small ones and the middle and the ends of its range. */
function plainValues(type: SuiteType): readonly unknown[] {
  if (type.kind === "enumeration") return type.values;
  if (type.kind === "boolean") return [false];
  if (type.kind !== "number") return [];
  const [low, high] = [Number(type.minimum), Number(type.maximum)];
  return [1, ...[Math.floor((low + high) / 2), high].filter(Number.isFinite), 10, low];
}

const searchName = /^(?:q|query|search|searchterm|term|terms|text|keyword|keywords|name|title|phrase|word|s)$/;
/** Maximum number of words to search for. */
const mostWords = 3;

/** Returns words of responses, spread over all of them. */
function wordsIn(operation: SoughtOperation, type: SuiteType): readonly string[] {
  const texts = [...seenLeaves(operation).values()].flat();
  const words = texts.flatMap((text) => text.split(/[^\p{L}]+/u)).filter(({ length }) => length >= 3 && length <= 12);
  const valid = [...new Set(words)].filter((word) => isValueOf(type, word, operation.types, "request"));
  return Array.from(
    { length: mostWords },
    (_none, part) => valid[Math.floor((valid.length * part) / mostWords)],
  ).filter((word) => word !== undefined);
}
