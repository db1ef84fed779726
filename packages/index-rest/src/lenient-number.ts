/** Of 32 and 64 bits: what electrs keeps positions and heights in. */
const numbersOfPositions = 2 ** 32;
const numbersOfHeights = 2 ** 64;

/** Reads the height of `/blocks/{start_height}`; `undefined` for what is none. One that no chain reaches may come out as another such. */
export function lenientHeight(text: string): number | undefined {
  const number = wholeNumber(text);
  return number < numbersOfHeights ? Math.min(number, Number.MAX_SAFE_INTEGER) : undefined;
}

/** Reads the position of `/block/{hash}/txs/{start_index}`: 0 for what is none. */
export function lenientPosition(text: string): number {
  const number = wholeNumber(text);
  return number < numbersOfPositions ? number : 0;
}

/** NaN for all but the digits of a whole number. */
function wholeNumber(text: string): number {
  return /^\+?[0-9]+$/.test(text) ? Number(text) : Number.NaN;
}
