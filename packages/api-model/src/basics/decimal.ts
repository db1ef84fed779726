/** A number as its digits and a power of ten. */
export interface Decimal {
  readonly digits: bigint;
  /** Exponent of the power of ten that `digits` is multiplied by. */
  readonly exponent: number;
}

/**
 * Returns whether a number is an integer multiple of another, by their decimal representations: 0.0075 is one of 0.0001, though the
 * quotient of the doubles is not an integer. Infinity is not a multiple of anything.
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

/** Returns the nearest multiple of `divisor`: at or above `value` where `direction` is 1, at or below it where it is -1. */
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

/** Returns the decimal representation of a finite number. */
export function decimalOf(value: number | bigint): Decimal {
  if (typeof value === "bigint") return { digits: value, exponent: 0 };
  const [mantissa = "0", power = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

/** Returns a decimal in units of ten to the power of `wanted`, which must not be above its own exponent. */
export function scaled({ digits, exponent }: Decimal, wanted: number): bigint {
  return digits * 10n ** BigInt(exponent - wanted);
}
