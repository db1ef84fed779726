/** Blocks that have to stand above a block before an answer about it counts as settled. */
const settledDepth = 10;

/** For what may change with the next block or transaction, in the values of Esplora. */
export const cacheShort = "public, max-age=10";

/** For what never changes: not even somebody who reloads a page need ask again (RFC 8246). */
export const cacheLong = "public, max-age=157784630, immutable";

export type CacheByDepth = typeof cacheShort | typeof cacheLong;

/** How long an answer about something in the block at `height` may be kept; `undefined` is in no block of the best chain. */
export function cacheByDepth(tipHeight: number | undefined, height: number | undefined): CacheByDepth {
  if (tipHeight === undefined || height === undefined) return cacheShort;
  return tipHeight - height >= settledDepth ? cacheLong : cacheShort;
}
