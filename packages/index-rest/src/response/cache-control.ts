/** Number of blocks above a block from which a response about it counts as settled. */
const settledDepth = 10;

/** Cache-Control for responses that may change with the next block or transaction, in Esplora's values. */
export const cacheShort = "public, max-age=10";

/** Cache-Control for responses that never change: even a reload needs no revalidation (RFC 8246). */
export const cacheLong = "public, max-age=157784630, immutable";

export type CacheByDepth = typeof cacheShort | typeof cacheLong;

/** Returns how long a response about something in the block at `height` may be cached; `undefined` is in no block of the best chain. */
export function cacheByDepth(tipHeight: number | undefined, height: number | undefined): CacheByDepth {
  if (tipHeight === undefined || height === undefined) return cacheShort;
  return tipHeight - height >= settledDepth ? cacheLong : cacheShort;
}
