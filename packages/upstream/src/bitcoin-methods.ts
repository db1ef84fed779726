import type { CallNode, ChainMethods, NodeSoftware } from "./chain-methods.ts";
import type { Head } from "./node-standing.ts";
import { warmingUp } from "./next-attempt.ts";
import { isUpstreamRpcError } from "./upstream-rpc-error.ts";

/** Requests that btcd and Bitcoin Core have in common: `getbestblockhash`, `getblockheader` and `getblockhash`. */
export const bitcoinWords: ChainMethods = {
  needsSoftwareOfOne: false,

  async fetchHead(callNode, known) {
    const hash = readHash(await callNode("getbestblockhash", []));
    return known?.hash === hash ? known : readHead(hash, await callNode("getblockheader", [hash, true]));
  },

  async fetchIsOnChain(callNode, { hash, height }) {
    try {
      return (await callNode("getblockhash", [height])) === hash;
    } catch (reason) {
      // The node has no block of that height.
      if (isUpstreamRpcError(reason)) return false;
      throw reason;
    }
  },

  async fetchChain(callNode) {
    const genesisHash = await callNode("getblockhash", [0]);
    // A node that returns nothing usable belongs to no configured network.
    return { genesisHash: typeof genesisHash === "string" ? genesisHash : "" };
  },

  fetchSoftware: async (callNode) => ({ family: await fetchFamily(callNode) }),
};

/** Returns the family of the node's software. btcd has no getnetworkinfo. */
async function fetchFamily(callNode: CallNode): Promise<NodeSoftware["family"]> {
  try {
    const response = (await callNode("getnetworkinfo", [])) ?? {};
    const { subversion } = response as { readonly subversion?: unknown };
    return typeof subversion === "string" && !/btcd/i.test(subversion) ? "core" : "btcd";
  } catch (reason) {
    if (isUpstreamRpcError(reason) && reason.code !== warmingUp) return "btcd";
    throw reason;
  }
}

function readHash(response: unknown): string {
  if (typeof response === "string" && /^[0-9a-f]{64}$/.test(response)) return response;
  throw new Error("The best block's hash is not a block hash");
}

function readHead(hash: string, response: unknown): Head {
  const { height, chainwork } = (response ?? {}) as { readonly height?: unknown; readonly chainwork?: unknown };
  if (typeof height !== "number" || !Number.isSafeInteger(height) || height < 0)
    throw new Error("A header without a height");
  const hasWork = typeof chainwork === "string" && /^[0-9a-f]{1,64}$/.test(chainwork);
  return { hash, height, work: hasWork ? BigInt(`0x${chainwork}`) : undefined };
}
