/**
 * Reads a number that stands for nothing when it is none: the height of `/blocks/{start_height}` and the position of
 * `/block/{hash}/txs/{start_index}`. `undefined` for all but the digits of a whole number.
 */
export function lenientNumber(text: string): number | undefined {
  const number = /^\+?[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}
