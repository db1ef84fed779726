/** Returns the requested level of detail, within 0 and `highest`: `false` is 0, `true` is 1. */
export function verbosityOf(input: number | boolean, highest: number): number {
  return Math.min(Math.max(Number(input), 0), highest);
}
