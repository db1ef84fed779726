/** Blocks that have to stand above a block before an answer about it counts as settled. */
const settledDepth = 10;

/** For what may change with the next block or transaction, in the values of Esplora. */
export const cacheShort = "public, max-age=10";

/** For what never changes. */
export const cacheLong = "public, max-age=157784630";

/** How long an answer about something in the block at `height` may be kept; `undefined` is in no block of the best chain. */
export function cacheByDepth(
  tipHeight: number | undefined,
  height: number | undefined,
): typeof cacheShort | typeof cacheLong {
  if (tipHeight === undefined || height === undefined) return cacheShort;
  return tipHeight - height >= settledDepth ? cacheLong : cacheShort;
}
