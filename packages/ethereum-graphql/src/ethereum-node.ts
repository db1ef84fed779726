import { BoundedCache } from "@nodewright/runtime";
import type { Upstream } from "@nodewright/upstream";
import type { NodeBlock, NodeReceipt } from "./node-values.ts";

/** What one GraphQL request may ask for at most. */
export interface EthereumLimits {
  /** Blocks of one `blocks` field. */
  readonly blocks: number;
  /** Blocks that one `logs` field looks at. */
  readonly logBlocks: number;
  /** Calls of the node, each member of a batch being one. */
  readonly calls: number;
  /** Blocks, transactions and logs in lists of the answer: a short query can ask for each transaction's block's transactions. */
  readonly objects: number;
}

export const defaultEthereumLimits: EthereumLimits = {
  blocks: 1_000,
  logBlocks: 10_000,
  calls: 2_500,
  objects: 50_000,
};

export interface EthereumNodeOptions {
  readonly limits?: Partial<EthereumLimits> | undefined;
  /** Answered when the node does not know `eth_protocolVersion`. */
  readonly protocolVersion?: number | undefined;
  /** Bounds the memory for blocks and receipts: as many transactions and as many receipts are kept at most. */
  readonly cachedTransactions?: number | undefined;
}

/** One execution client, and what is known of it for good: blocks by their hashes never change. */
export interface EthereumNode {
  readonly upstream: Upstream;
  readonly limits: EthereumLimits;
  readonly protocolVersion: number;
  /** By hash. */
  readonly blocks: BoundedCache<string, NodeBlock>;
  /** Of whole blocks, by the block's hash. */
  readonly receipts: BoundedCache<string, readonly NodeReceipt[]>;
  /** By the block's hash; null where it could not be found out. */
  readonly totalDifficulties: BoundedCache<string, string>;
}

const defaultCachedTransactions = 10_000;
const cachedTotalDifficulties = 10_000;
/** eth/68 is what clients spoke to each other when this was written. */
const defaultProtocolVersion = 68;

export function createEthereumNode(upstream: Upstream, options: EthereumNodeOptions = {}): EthereumNode {
  const capacity = options.cachedTransactions ?? defaultCachedTransactions;
  return {
    upstream,
    limits: { ...defaultEthereumLimits, ...options.limits },
    protocolVersion: options.protocolVersion ?? defaultProtocolVersion,
    blocks: new BoundedCache(capacity, (block) => 1 + block.transactions.length),
    receipts: new BoundedCache(capacity, (receipts) => 1 + receipts.length),
    totalDifficulties: new BoundedCache(cachedTotalDifficulties, () => 1),
  };
}
