/** Digits that Bitcoin Core writes of a double. The shortest text of a double may have one more. */
const significantDigits = 16;

/** The double that stands in Bitcoin Core's answers for a computed one. */
export function roundDouble(value: number): number {
  return Number(value.toPrecision(significantDigits));
}
