/** Silence in milliseconds after which a node counts as hanging, where its method takes milliseconds. */
export const usualMilliseconds = 1_000;

/** The same for methods that execute code or read a range of blocks. */
const longMilliseconds = 5_000;

/**
 * Multiple of the recent duration of nearly all responses to a method: where all nodes are slow, calling a second one would make them
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

/** Methods that take minutes, and would take them on two nodes. */
const endlessMethods: ReadonlySet<string> = new Set(["gettxoutsetinfo", "verifychain"]);

/**
 * Returns after how many milliseconds of silence a call that only reads is sent to another node as well; undefined when never.
 *
 * `slow` is the duration of nearly all responses to the method, as far as it is known.
 */
export function patienceOf(method: string, slow: number | undefined): number | undefined {
  if (endlessMethods.has(method)) return undefined;
  const isLong = longMethods.has(method) || /^(?:debug|trace)_/.test(method);
  return Math.max(isLong ? longMilliseconds : usualMilliseconds, slowFactor * (slow ?? 0));
}
