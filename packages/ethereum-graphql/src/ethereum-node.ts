import { BoundedCache } from "@nodewright/runtime";
import type { Upstream } from "@nodewright/upstream";
import { type BudgetLimits, defaultBudgetLimits } from "./budget.ts";
import { Capabilities } from "./capabilities/capabilities.ts";
import { HeadFollower } from "./head/head-follower.ts";
import { KnownChain } from "./head/known-chain.ts";
import { KnownHeights } from "./head/known-heights.ts";
import { isFull, type NodeBlock } from "./node-values.ts";
import { ChainStore } from "./store/chain-store.ts";
import { readBlock } from "./store/check-block.ts";
import { HeaderCheck } from "./store/header-check.ts";
import { SharedReads } from "./store/shared-reads.ts";

/** What one GraphQL request may ask for at most. */
export interface EthereumLimits extends BudgetLimits {
  /** Blocks of one `blocks` field. */
  readonly blocks: number;
  /** Blocks that one `logs` field looks at. */
  readonly logBlocks: number;
}

export const defaultEthereumLimits: EthereumLimits = {
  ...defaultBudgetLimits,
  blocks: 1_000,
  logBlocks: 10_000,
};

export interface EthereumNodeOptions {
  readonly limits?: Partial<EthereumLimits> | undefined;
  /** Answered when the node does not know `eth_protocolVersion`. */
  readonly protocolVersion?: number | undefined;
  /** Bounds the memory for blocks, receipts and states that are kept; 0 keeps none. */
  readonly cacheBytes?: number | undefined;
  /** For so long the latest block is not asked for again; 0 asks with each request. */
  readonly headMilliseconds?: number | undefined;
}

/** One execution client, and what is known of it. */
export interface EthereumNode {
  /**
   * Keeps a block that was read; gives the one that is kept, if that is the fuller one.
   * Throws `upstream_unavailable` when it is not the block that its hash names.
   */
  keepBlock(block: NodeBlock): NodeBlock;
  readonly upstream: Upstream;
  readonly limits: EthereumLimits;
  readonly protocolVersion: number;
  /** What hashes of blocks name. */
  readonly store: ChainStore;
  /** Which block stands at which height. */
  readonly chain: KnownChain;
  readonly head: HeadFollower;
  /** Which blocks are known to stay at their heights. */
  readonly heights: KnownHeights;
  /** Reads under way, of all requests. */
  readonly reads: SharedReads;
  readonly capabilities: Capabilities;
  /** By the block's hash; null where it could not be found out. */
  readonly totalDifficulties: BoundedCache<string, string>;
}

const defaultCacheBytes = 128 * 1024 * 1024;
const defaultHeadMilliseconds = 250;
const cachedTotalDifficulties = 10_000;
/** eth/68 is what clients spoke to each other when this was written. */
const defaultProtocolVersion = 68;

/** Creates what answers requests about a client. Asks nothing of it before the first request. */
export function createEthereumNode(upstream: Upstream, options: EthereumNodeOptions = {}): EthereumNode {
  const store = new ChainStore(options.cacheBytes ?? defaultCacheBytes);
  const chain = new KnownChain((hash) => store.findBlock(hash));
  const milliseconds = options.headMilliseconds ?? defaultHeadMilliseconds;
  const head = new HeadFollower({
    milliseconds,
    onChange: (block) => {
      // What was asked before may be answered of the chain that was.
      reads.forget();
      const before = chain.head;
      chain.follow(block);
      heights.followHead(Number(block.number), before === undefined || chain.holds(before));
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
    chain.see(block);
    return block;
  };
  const keep = (answer: unknown, number: string | undefined): NodeBlock | undefined => {
    const block = readBlock(answer, { number, full: false });
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
