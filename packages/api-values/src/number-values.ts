import { nextMultiple, type NumberNode } from "@nodewright/api-model";

/** Numbers that may be of a type, plain ones first; each has still to be held against it. */
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

/** What lies next to a bound, above it or below. */
export function neighbour(bound: number | bigint, type: NumberNode, way: 1 | -1): number | bigint {
  if (typeof bound === "bigint" || Math.abs(bound) === Number.MAX_SAFE_INTEGER)
    return plainNumber(BigInt(bound) + BigInt(way));
  const numbers = neighbours(bound, type).map(Number);
  return way === 1 ? Math.max(...numbers) : Math.min(...numbers);
}

/** A bound and what lies next to it. */
function neighbours(bound: number | bigint, type: NumberNode): readonly (number | bigint)[] {
  if (typeof bound === "bigint") return [bound, bound + 1n, bound - 1n].map(plainNumber);
  const step = type.multipleOf ?? (type.integer ? 1 : stepAt(bound));
  const whole = type.integer ? [Math.ceil(bound), Math.floor(bound)] : [];
  return [bound, ...whole, rounded(bound + step), rounded(bound - step)];
}

/** A double where it holds the number. */
export function plainNumber(value: number | bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function multiplesNear(values: readonly (number | bigint)[], divisor: number): readonly number[] {
  return values.flatMap((value) => [1 as const, -1 as const].map((way) => nextMultiple(Number(value), divisor, way)));
}

/** A small step that is seen beside a number of that size. */
function stepAt(bound: number): number {
  const size = Math.abs(bound);
  return size >= 1e6 ? size / 1e6 : size >= 1 || size === 0 ? 0.01 : size / 100;
}

/** Without the digits that a sum of doubles brings with it. */
function rounded(value: number): number {
  return Number(value.toPrecision(15));
}
