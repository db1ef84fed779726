/** Numbers of 32 and 64 bits, in which electrs stores positions and heights. */
const numbersOfPositions = 2 ** 32;
const numbersOfHeights = 2 ** 64;

/**
 * Reads the height of `/blocks/{start_height}`; `undefined` for an invalid one. A height above every chain may be replaced by another such.
 */
export function lenientHeight(text: string): number | undefined {
  const number = parseDigits(text);
  return number < numbersOfHeights ? Math.min(number, Number.MAX_SAFE_INTEGER) : undefined;
}

/** Reads the position of `/block/{hash}/txs/{start_index}`: 0 for an invalid one. */
export function lenientPosition(text: string): number {
  const number = parseDigits(text);
  return number < numbersOfPositions ? number : 0;
}

/** Reads the digits of an integer; NaN for anything else. */
function parseDigits(text: string): number {
  return /^\+?[0-9]+$/.test(text) ? Number(text) : Number.NaN;
}
