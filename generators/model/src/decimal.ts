interface Decimal {
  readonly digits: bigint;
  /** The value is `digits` times ten to the power of this. */
  readonly exponent: number;
}

/**
 * Whether `value` is a whole multiple of `divisor`, computed on the decimals that they are written as: 0.0075 is one of 0.0001,
 * though the quotient of the two doubles is no integer.
 */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  if (!Number.isFinite(value)) return false;
  const left = decimalOf(value);
  const right = decimalOf(divisor);
  const exponent = Math.min(left.exponent, right.exponent);
  return scaled(left, exponent) % scaled(right, exponent) === 0n;
}

function decimalOf(value: number): Decimal {
  const [mantissa = "0", power = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

function scaled({ digits, exponent }: Decimal, wanted: number): bigint {
  return digits * 10n ** BigInt(exponent - wanted);
}
