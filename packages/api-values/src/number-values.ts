import { nextMultiple, type NumberNode } from "@nodewright/api-model";

/** Returns numbers that may match a type, plain ones first; each must still be checked against it. */
export function plausibleNumbers(type: NumberNode): readonly (number | bigint)[] {
  const bounds = [type.minimum, type.exclusiveMinimum, type.maximum, type.exclusiveMaximum].filter(
    (bound) => bound !== undefined,
  );
  const near = bounds.flatMap((bound) => neighbours(bound, type));
  const [low, high] = [type.minimum ?? type.exclusiveMinimum, type.maximum ?? type.exclusiveMaximum];
  const middle = low === undefined || high === undefined ? [] : [(Number(low) + Number(high)) / 2];
  const multiples = type.multipleOf === undefined ? [] : multiplesNear([0, 1, ...bounds], type.multipleOf);
  return [1, 0, 2, 10, 100, 0.5, -1, ...near, ...middle, ...multiples, ...middle.map(Math.round)];
}

/** Returns the number next to a bound, above or below it. */
export function neighbour(bound: number | bigint, type: NumberNode, way: 1 | -1): number | bigint {
  if (typeof bound === "bigint" || Math.abs(bound) === Number.MAX_SAFE_INTEGER)
    return plainNumber(BigInt(bound) + BigInt(way));
  const numbers = neighbours(bound, type).map(Number);
  return way === 1 ? Math.max(...numbers) : Math.min(...numbers);
}

/** Returns a bound and the numbers next to it. */
function neighbours(bound: number | bigint, type: NumberNode): readonly (number | bigint)[] {
  if (typeof bound === "bigint") return [bound, bound + 1n, bound - 1n].map(plainNumber);
  const step = type.multipleOf ?? (type.integer ? 1 : stepAt(bound));
  const whole = type.integer ? [Math.ceil(bound), Math.floor(bound)] : [];
  return [bound, ...whole, rounded(bound + step), rounded(bound - step)];
}

/** Returns a number as a double if it is a safe integer, otherwise unchanged. */
export function plainNumber(value: number | bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function multiplesNear(values: readonly (number | bigint)[], divisor: number): readonly number[] {
  return values.flatMap((value) => [1 as const, -1 as const].map((way) => nextMultiple(Number(value), divisor, way)));
}

/** Returns a small step that is significant for a number of that size. */
function stepAt(bound: number): number {
  const size = Math.abs(bound);
  return size >= 1e6 ? size / 1e6 : size >= 1 || size === 0 ? 0.01 : size / 100;
}

/** Rounds away the inexact digits of a sum of doubles. */
function rounded(value: number): number {
  return Number(value.toPrecision(15));
}
