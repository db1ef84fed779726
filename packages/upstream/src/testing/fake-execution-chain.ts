import type { FakeChain } from "./fake-chain.ts";
import { NodeRefusal } from "./faulty-node.ts";

/** Identity that an execution client reports. */
export interface FakeExecutionClient {
  /** Chain as `createFakeChain` creates it. */
  readonly chain: FakeChain;
  /** Hexadecimal. */
  readonly chainId: string;
  readonly clientVersion?: string | undefined;
}

/**
 * Returns the results with which an execution client's chain is followed, and balances, which are the heights of their blocks; `undefined`
 * for other methods.
 */
export function responseOfExecutionChain(
  { chain, chainId, clientVersion }: FakeExecutionClient,
  method: string,
  [first, second]: readonly unknown[],
): unknown {
  switch (method) {
    case "eth_chainId":
      return chainId;
    case "web3_clientVersion":
      if (clientVersion === undefined) throw new NodeRefusal(-32_601, "The method does not exist");
      return clientVersion;
    case "eth_blockNumber":
      return toQuantity(chain.length - 1);
    case "eth_getBlockByNumber":
      return blockAt(chain, first === "latest" ? chain.length - 1 : Number(first));
    case "eth_getBlockByHash":
      return blockAt(chain, heightOf(chain, first));
    case "eth_getBalance": {
      const height = isPinned(second) ? heightOf(chain, second.blockHash) : chain.length - 1;
      if (height === -1) throw new NodeRefusal(-32_000, "header for hash not found");
      return toQuantity(height);
    }
    default:
      return undefined;
  }
}

function blockAt(chain: FakeChain, height: number): unknown {
  const hash = chain[height];
  if (hash === undefined) return null;
  const parentHash = chain[height - 1] ?? "0".repeat(64);
  return { number: toQuantity(height), hash: `0x${hash}`, parentHash: `0x${parentHash}`, transactions: [], uncles: [] };
}

function heightOf(chain: FakeChain, hash: unknown): number {
  return chain.indexOf(String(hash).slice(2));
}

function isPinned(reference: unknown): reference is { readonly blockHash: string } {
  return typeof reference === "object" && reference !== null && "blockHash" in reference;
}

function toQuantity(number: number): string {
  return `0x${number.toString(16)}`;
}
