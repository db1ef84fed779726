/** Number of digits with which Bitcoin Core writes a double. The shortest text of a double may have one more. */
const significantDigits = 16;

/** Rounds a computed double to the one in Bitcoin Core's results. */
export function roundDouble(value: number): number {
  return Number(value.toPrecision(significantDigits));
}
