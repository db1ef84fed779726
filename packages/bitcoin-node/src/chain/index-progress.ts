/** Returns the integer percentage of the best chain's blocks that an index has, rounded down: 100 means all of them. */
export function percentOfIndex(height: number, tipHeight: number): number {
  return Math.min(100, Math.floor(((height + 1) * 100) / (tipHeight + 1)));
}
