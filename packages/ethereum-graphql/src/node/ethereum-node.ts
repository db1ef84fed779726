import { BoundedCache } from "@nodewright/runtime";
import type { Upstream } from "@nodewright/upstream";
import { type BudgetLimits, defaultBudgetLimits } from "../node-calls/budget.ts";
import { Capabilities } from "../capabilities/capabilities.ts";
import { HeadFollower } from "../head/head-follower.ts";
import { KnownChain } from "../head/known-chain.ts";
import { KnownHeights } from "../head/known-heights.ts";
import { isFull, type NodeBlock } from "../results/node-values.ts";
import { ChainStore } from "../store/chain-store.ts";
import { readBlock } from "../results/check-block.ts";
import { HeaderCheck } from "../store/header-check.ts";
import { SharedReads } from "../node-calls/shared-reads.ts";

/** Limits of one GraphQL request. */
export interface EthereumLimits extends BudgetLimits {
  /** Maximum blocks of one `blocks` field. */
  readonly blocks: number;
  /** Maximum blocks that one `logs` field searches. */
  readonly logBlocks: number;
}

/** Default limits of a request: its budget, and the maximum lengths of ranges in blocks. */
export const defaultEthereumLimits: EthereumLimits = {
  ...defaultBudgetLimits,
  blocks: 1_000,
  logBlocks: 10_000,
};

/** Options of the execution client that the resolvers query. */
export interface EthereumNodeOptions {
  readonly limits?: Partial<EthereumLimits> | undefined;
  /** Protocol version that is returned when the node does not know `eth_protocolVersion`. */
  readonly protocolVersion?: number | undefined;
  /** Maximum memory for cached blocks, receipts and states, in bytes; 0 disables the cache. */
  readonly cacheBytes?: number | undefined;
  /** Milliseconds for which the latest block is not fetched again; 0 fetches it with each request. */
  readonly headMilliseconds?: number | undefined;
}

/** One execution client, with the facts known about it. */
export interface EthereumNode {
  /** Caches a block; returns the cached one, if that is more complete. Throws `upstream_unavailable` when it does not match its hash. */
  keepBlock(block: NodeBlock): NodeBlock;
  readonly upstream: Upstream;
  readonly limits: EthereumLimits;
  readonly protocolVersion: number;
  /** Data that is identified by hashes of blocks. */
  readonly store: ChainStore;
  /** Known blocks by height. */
  readonly chain: KnownChain;
  readonly head: HeadFollower;
  /** Blocks that are known to stay at their heights. */
  readonly heights: KnownHeights;
  /** Reads in flight, of all requests. */
  readonly reads: SharedReads;
  readonly capabilities: Capabilities;
  /** Total difficulties by the block's hash; null where it could not be determined. */
  readonly totalDifficulties: BoundedCache<string, string>;
}

const defaultCacheBytes = 128 * 1024 * 1024;
const defaultHeadMilliseconds = 250;
const cachedTotalDifficulties = 10_000;
/** Default version: eth/68 is what clients used between each other when this was written. */
const defaultProtocolVersion = 68;

/** Creates the state for requests to a client. Makes no call before the first request. */
export function createEthereumNode(upstream: Upstream, options: EthereumNodeOptions = {}): EthereumNode {
  const store = new ChainStore(options.cacheBytes ?? defaultCacheBytes);
  const chain = new KnownChain((hash) => store.findBlock(hash));
  const milliseconds = options.headMilliseconds ?? defaultHeadMilliseconds;
  const head = new HeadFollower({
    milliseconds,
    onChange: (block) => {
      // Calls from before may return results of the previous chain.
      reads.forget();
      const before = chain.head;
      chain.setHead(block);
      heights.followHead(Number(block.number), before === undefined || chain.contains(before));
    },
  });
  const reads = new SharedReads(upstream, () => capabilities.doubt());
  const headers = new HeaderCheck();
  const capabilities = new Capabilities(upstream);
  const keepBlock = (block: NodeBlock): NodeBlock => {
    const known = store.findBlock(block.hash);
    if (known !== undefined && (isFull(known) || !isFull(block))) return known;
    headers.check(block);
    store.keepBlock(block);
    chain.add(block);
    return block;
  };
  const keep = (result: unknown, number: string | undefined): NodeBlock | undefined => {
    const block = readBlock(result, { number, full: false });
    return block && keepBlock(block);
  };
  const heights = new KnownHeights({ upstream, chain, head, keep, isLearning: store.keepsBlocks });
  upstream.onHead?.((change) => {
    if (change.head.hash !== head.last?.hash) head.outdate();
  });
  return {
    keepBlock,
    heights,
    upstream,
    limits: { ...defaultEthereumLimits, ...options.limits },
    protocolVersion: options.protocolVersion ?? defaultProtocolVersion,
    store,
    chain,
    head,
    reads,
    capabilities,
    totalDifficulties: new BoundedCache(cachedTotalDifficulties, () => 1),
  };
}
