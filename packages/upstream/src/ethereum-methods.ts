import type { CallNode, ChainMethods } from "./chain-methods.ts";
import type { Head } from "./node-standing.ts";
import { isUpstreamRpcError } from "./upstream-rpc-error.ts";

/**
 * Requests that all execution clients have in common: `eth_getBlockByNumber`, `eth_chainId` and `web3_clientVersion`.
 *
 * The greater height is the better head: since the merge a chain has no work to compare (EIP-3675). Nodes get the same requests whatever
 * they run.
 */
export const ethereumWords: ChainMethods = {
  needsSoftwareOfOne: true,

  async fetchHead(callNode) {
    const head = readHead(await callNode("eth_getBlockByNumber", ["latest", false]));
    if (head !== undefined) return head;
    throw new Error("The latest block is not a block");
  },

  async fetchIsOnChain(callNode, { hash, height }) {
    try {
      return readHead(await callNode("eth_getBlockByNumber", [`0x${height.toString(16)}`, false]))?.hash === hash;
    } catch (reason) {
      // The node has no block of that height, or no longer has it.
      if (isUpstreamRpcError(reason)) return false;
      throw reason;
    }
  },

  async fetchChain(callNode) {
    const chainId = await callNode("eth_chainId", []);
    if (typeof chainId !== "string" || !/^0x[0-9a-f]{1,64}$/i.test(chainId))
      throw new Error("The chain ID is not a number");
    const genesisHash = await resultOf(callNode, "eth_getBlockByNumber", ["0x0", false]).then(readHead);
    return { chainId: `0x${BigInt(chainId).toString(16)}`, genesisHash: genesisHash?.hash };
  },

  async fetchSoftware(callNode) {
    const version = await resultOf(callNode, "web3_clientVersion", []);
    return { version: typeof version === "string" ? version.slice(0, maximumVersionLength) : undefined };
  },
};

/** Maximum length of a version, which is shown to the operator as the node wrote it. */
const maximumVersionLength = 200;

/** Returns the result; `undefined` when the node refuses. Some nodes prune old blocks, and some do not reveal their software. */
async function resultOf(callNode: CallNode, method: string, params: readonly unknown[]): Promise<unknown> {
  try {
    return await callNode(method, params);
  } catch (reason) {
    if (isUpstreamRpcError(reason)) return undefined;
    throw reason;
  }
}

function readHead(response: unknown): Head | undefined {
  if (typeof response !== "object" || response === null) return undefined;
  const { hash, number, parentHash } = response as Readonly<Record<string, unknown>>;
  if (typeof hash !== "string" || !/^0x[0-9a-f]{64}$/.test(hash)) return undefined;
  if (typeof number !== "string" || !/^0x[0-9a-f]{1,13}$/.test(number)) return undefined;
  return { hash, height: Number(number), ...(typeof parentHash === "string" ? { parentHash } : {}) };
}
