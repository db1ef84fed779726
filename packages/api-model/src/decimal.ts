/** A number as its digits and the power of ten that they are counted in. */
export interface Decimal {
  readonly digits: bigint;
  /** The value is `digits` times ten to the power of this. */
  readonly exponent: number;
}

/**
 * Whether a number is a whole multiple of another, by the decimals that they are written as: 0.0075 is one of 0.0001, though the
 * quotient of the doubles is no integer. Nothing infinite is a multiple.
 */
export function isMultipleOf(value: number | bigint, divisor: number): boolean {
  if (typeof value === "bigint") {
    if (Number.isSafeInteger(divisor)) return value % BigInt(divisor) === 0n;
  } else {
    if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
    if (!Number.isFinite(value)) return false;
  }
  const left = decimalOf(value);
  const right = decimalOf(divisor);
  const exponent = Math.min(left.exponent, right.exponent);
  return scaled(left, exponent) % scaled(right, exponent) === 0n;
}

/** The multiple of `divisor` next to `value`: at it or above where `direction` is 1, at it or below where it is -1. */
export function nextMultiple(value: number, divisor: number, direction: 1 | -1): number {
  const left = decimalOf(value);
  const right = decimalOf(divisor);
  const exponent = Math.min(left.exponent, right.exponent);
  const step = scaled(right, exponent);
  const start = scaled(left, exponent);
  const rest = ((start % step) + step) % step;
  const found = rest === 0n ? start : direction === 1 ? start + step - rest : start - rest;
  return Number(`${found}e${exponent}`);
}

/** The decimal that a finite number is written as. */
export function decimalOf(value: number | bigint): Decimal {
  if (typeof value === "bigint") return { digits: value, exponent: 0 };
  const [mantissa = "0", power = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

/** How many units of ten to the power of `wanted`, which is not above its own exponent, a decimal is. */
export function scaled({ digits, exponent }: Decimal, wanted: number): bigint {
  return digits * 10n ** BigInt(exponent - wanted);
}
