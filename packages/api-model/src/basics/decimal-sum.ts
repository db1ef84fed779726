import { type Decimal, decimalOf, scaled } from "./decimal.ts";

/** Maximum exponent that is supported, so that a sum stays small. */
const greatestExponent = 400;

/**
 * Returns the exact sum of numbers in decimal arithmetic: 0.1 and 0.2 are 0.3. An integer sum that a double can't represent is a bigint.
 * Returns undefined if an element of the list is not a number.
 */
export function sumOf(values: readonly unknown[]): number | bigint | undefined {
  let sum: Decimal = { digits: 0n, exponent: 0 };
  for (const value of values) {
    const next = readDecimal(value);
    if (next === undefined) return undefined;
    sum = add(sum, next);
  }
  return numberOf(sum);
}

/** Half a unit of the eighth decimal place. */
const nearness: Decimal = { digits: 5n, exponent: -9 };

/** Returns whether two numbers differ by at most half a unit of the eighth decimal place; undefined when one is not a number. */
export function isNear(left: unknown, right: unknown): boolean | undefined {
  const [first, second] = [readDecimal(left), readDecimal(right)];
  if (first === undefined || second === undefined) return undefined;
  const difference = add(first, { ...second, digits: -second.digits });
  const exponent = Math.min(difference.exponent, nearness.exponent);
  const [size, most] = [scaled(difference, exponent), scaled(nearness, exponent)];
  return -most <= size && size <= most;
}

/** Returns the decimal of a value; undefined unless it is a number of a supported size. */
function readDecimal(value: unknown): Decimal | undefined {
  if (typeof value === "bigint") return decimalOf(value);
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  const decimal = decimalOf(value);
  return Math.abs(decimal.exponent) > greatestExponent ? undefined : decimal;
}

function add(left: Decimal, right: Decimal): Decimal {
  const exponent = Math.min(left.exponent, right.exponent);
  return { digits: scaled(left, exponent) + scaled(right, exponent), exponent };
}

function numberOf({ digits, exponent }: Decimal): number | bigint {
  const number = Number(`${digits}e${exponent}`);
  const isWhole = exponent >= 0;
  return isWhole && !Number.isSafeInteger(number) ? digits * 10n ** BigInt(exponent) : number;
}
