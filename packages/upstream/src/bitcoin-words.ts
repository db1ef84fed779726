import type { Ask, ChainWords, NodeSoftware } from "./chain-words.ts";
import type { Head } from "./head-judgement.ts";
import { warmingUp } from "./next-attempt.ts";
import { isUpstreamRpcError } from "./upstream-rpc-error.ts";

/** Requests that btcd and Bitcoin Core have in common: `getbestblockhash`, `getblockheader` and `getblockhash`. */
export const bitcoinWords: ChainWords = {
  asksSoftwareOfOne: false,

  async askHead(ask, known) {
    const hash = readHash(await ask("getbestblockhash", []));
    return known?.hash === hash ? known : readHead(hash, await ask("getblockheader", [hash, true]));
  },

  async askIsOnChain(ask, { hash, height }) {
    try {
      return (await ask("getblockhash", [height])) === hash;
    } catch (reason) {
      // The node has no block of that height.
      if (isUpstreamRpcError(reason)) return false;
      throw reason;
    }
  },

  async askChain(ask) {
    const genesisHash = await ask("getblockhash", [0]);
    // A node that returns nothing usable belongs to no configured network.
    return { genesisHash: typeof genesisHash === "string" ? genesisHash : "" };
  },

  askSoftware: async (ask) => ({ family: await askFamily(ask) }),
};

/** Returns the family of the node's software. btcd has no getnetworkinfo. */
async function askFamily(ask: Ask): Promise<NodeSoftware["family"]> {
  try {
    const answer = (await ask("getnetworkinfo", [])) ?? {};
    const { subversion } = answer as { readonly subversion?: unknown };
    return typeof subversion === "string" && !/btcd/i.test(subversion) ? "core" : "btcd";
  } catch (reason) {
    if (isUpstreamRpcError(reason) && reason.code !== warmingUp) return "btcd";
    throw reason;
  }
}

function readHash(answer: unknown): string {
  if (typeof answer === "string" && /^[0-9a-f]{64}$/.test(answer)) return answer;
  throw new Error("The best block's hash is none");
}

function readHead(hash: string, answer: unknown): Head {
  const { height, chainwork } = (answer ?? {}) as { readonly height?: unknown; readonly chainwork?: unknown };
  if (typeof height !== "number" || !Number.isSafeInteger(height) || height < 0)
    throw new Error("A header without a height");
  const hasWork = typeof chainwork === "string" && /^[0-9a-f]{1,64}$/.test(chainwork);
  return { hash, height, work: hasWork ? BigInt(`0x${chainwork}`) : undefined };
}
