/** Minimum hedge delay in milliseconds of a method that takes milliseconds. */
export const usualMilliseconds = 1_000;

/** Minimum hedge delay in milliseconds of a method that executes code or reads a range of blocks. */
const longMilliseconds = 5_000;

/**
 * Factor of the slow percentile of a method's latency that is the hedge delay: where all nodes are slow, a second call would make them
 * slower.
 */
const slowFactor = 3;

const longMethods: ReadonlySet<string> = new Set([
  "getblock",
  "getblockstats",
  "getblocktemplate",
  "getdescriptoractivity",
  "getrawmempool",
  "eth_call",
  "eth_callMany",
  "eth_createAccessList",
  "eth_estimateGas",
  "eth_getBlockReceipts",
  "eth_getLogs",
  "eth_getProof",
  "eth_simulateV1",
  "txpool_content",
]);

/** Methods that take minutes, so that two nodes must not run them at once. */
const endlessMethods: ReadonlySet<string> = new Set(["gettxoutsetinfo", "verifychain"]);

/**
 * Returns the delay in milliseconds after which a read-only call is also sent to another node; undefined if never.
 *
 * `slow` is the slow percentile of the method's latency in milliseconds, if it is known.
 */
export function hedgeDelayOf(method: string, slow: number | undefined): number | undefined {
  if (endlessMethods.has(method)) return undefined;
  const isLong = longMethods.has(method) || /^(?:debug|trace)_/.test(method);
  return Math.max(isLong ? longMilliseconds : usualMilliseconds, slowFactor * (slow ?? 0));
}
