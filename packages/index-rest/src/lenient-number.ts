/**
 * Reads a number that stands for nothing when it is none: the height of `/blocks/{start_height}` and the position of
 * `/block/{hash}/txs/{start_index}`. `undefined` for all but a whole number from 0 on.
 */
export function lenientNumber(value: number | string): number | undefined {
  const number = typeof value === "number" ? value : /^\+?[0-9]+$/.test(value) ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
