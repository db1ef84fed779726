import type { Ask, ChainWords } from "./chain-words.ts";
import type { Head } from "./head-judgement.ts";
import { isUpstreamRpcError } from "./upstream-rpc-error.ts";

/**
 * Requests that all execution clients have in common: `eth_getBlockByNumber`, `eth_chainId` and `web3_clientVersion`.
 *
 * The greater height is the better head: since the merge a chain has no work to compare (EIP-3675). Nodes get the same requests whatever
 * they run.
 */
export const ethereumWords: ChainWords = {
  asksSoftwareOfOne: true,

  async askHead(ask) {
    const head = readHead(await ask("eth_getBlockByNumber", ["latest", false]));
    if (head !== undefined) return head;
    throw new Error("The latest block is none");
  },

  async askIsOnChain(ask, { hash, height }) {
    try {
      return readHead(await ask("eth_getBlockByNumber", [`0x${height.toString(16)}`, false]))?.hash === hash;
    } catch (reason) {
      // The node has no block of that height, or no longer has it.
      if (isUpstreamRpcError(reason)) return false;
      throw reason;
    }
  },

  async askChain(ask) {
    const chainId = await ask("eth_chainId", []);
    if (typeof chainId !== "string" || !/^0x[0-9a-f]{1,64}$/i.test(chainId)) throw new Error("The chain id is none");
    const genesisHash = await answerOf(ask, "eth_getBlockByNumber", ["0x0", false]).then(readHead);
    return { chainId: `0x${BigInt(chainId).toString(16)}`, genesisHash: genesisHash?.hash };
  },

  async askSoftware(ask) {
    const version = await answerOf(ask, "web3_clientVersion", []);
    return { version: typeof version === "string" ? version.slice(0, longestVersion) : undefined };
  },
};

/** Maximum length of a version, which is shown to the operator as the node wrote it. */
const longestVersion = 200;

/** Returns the result; `undefined` when the node refuses. Some nodes prune old blocks, and some do not reveal their software. */
async function answerOf(ask: Ask, method: string, params: readonly unknown[]): Promise<unknown> {
  try {
    return await ask(method, params);
  } catch (reason) {
    if (isUpstreamRpcError(reason)) return undefined;
    throw reason;
  }
}

function readHead(answer: unknown): Head | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const { hash, number, parentHash } = answer as Readonly<Record<string, unknown>>;
  if (typeof hash !== "string" || !/^0x[0-9a-f]{64}$/.test(hash)) return undefined;
  if (typeof number !== "string" || !/^0x[0-9a-f]{1,13}$/.test(number)) return undefined;
  return { hash, height: Number(number), ...(typeof parentHash === "string" ? { parentHash } : {}) };
}
