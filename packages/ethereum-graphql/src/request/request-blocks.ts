import { ServiceError } from "@nodewright/runtime";
import type { EthereumNode } from "../node/ethereum-node.ts";
import { type PromiseOrValue, whenResolved } from "../basics/promise-or-value.ts";
import { type ChainPlace, ChainView } from "../head/chain-view.ts";
import { isFull, type NodeBlock } from "../results/node-values.ts";
import { type BlockReference, readBlock } from "../results/check-block.ts";
import {
  throwFailureOfNode,
  throwFailureOfOwnCall,
  type UpstreamCalls,
  type WaitingRead,
} from "../node-calls/upstream-calls.ts";
import { reorganised } from "../basics/unexpected-result.ts";

/** A block that is being read. */
interface BlockRead {
  readonly call: WaitingRead;
  full: boolean;
  readonly block: Promise<NodeBlock | undefined>;
}

/** A block that is being read by its height. */
interface HeightRead {
  readonly read: BlockRead;
  /** Result, once it is certain to be of the same version of the chain as everything else. */
  readonly held: Promise<NodeBlock | undefined>;
}

/**
 * Blocks that one request has resolved.
 *
 * A height or "latest" is resolved to a hash once; from then on it means the same block for the complete request. `full` requests complete
 * transactions; concurrent reads of one block share a read that satisfies all of them.
 */
export class RequestBlocks {
  readonly #node: EthereumNode;
  readonly #calls: UpstreamCalls;
  /** Blocks by hash: the request retains what it has read, however small the store is. */
  readonly #blocks = new Map<string, NodeBlock>();
  /** Hashes by height in hexadecimal; null beyond the end of the chain. */
  readonly #hashes = new Map<string, string | null>();
  /** Reads in flight, by hash. */
  readonly #reads = new Map<string, BlockRead>();
  /** Reads in flight, by height in hexadecimal. */
  readonly #heightReads = new Map<string, HeightRead>();
  #head: PromiseOrValue<NodeBlock> | undefined;
  /** Latest block in the node's response. */
  #latest: PromiseOrValue<NodeBlock> | undefined;
  readonly #view: ChainView;

  constructor(node: EthereumNode, calls: UpstreamCalls) {
    this.#node = node;
    this.#calls = calls;
    this.#view = new ChainView({ calls, chain: node.chain, getHead: () => this.#getLatest() });
  }

  /** Returns the latest block, with hashes or with complete transactions. */
  head(): PromiseOrValue<NodeBlock> {
    if (this.#head !== undefined) return this.#head;
    const latest = this.#getLatest();
    const head = latest instanceof Promise ? this.#view.hold(latest) : this.#view.admit(latest);
    this.#head = head;
    if (head instanceof Promise) head.then((block) => (this.#head = block)).catch(() => undefined);
    return head;
  }

  /**
   * Returns the place that is requested from the node in this time slice, once it is certain to be on the same version of the chain as everything
   * else that the request reads. Undefined for something without a place.
   */
  hold<Place extends ChainPlace | undefined>(place: Promise<Place>): Promise<Place> {
    return this.#view.hold(place);
  }

  /** Returns the block at a height in hexadecimal. Undefined when the chain does not reach it. */
  byNumber(number: string, full: boolean): PromiseOrValue<NodeBlock | undefined> {
    const settled = this.#hashes.get(number);
    if (settled !== undefined) return settled === null ? undefined : this.named(settled, full);
    const height = Number(number);
    const { chain, heights } = this.#node;
    if ((heights.findFinal(height) ?? chain.hashAt(height)) === undefined) return this.#readByNumber(number, full);
    // Cached heights are valid for the chain that ends with the head, which may have changed by now.
    return whenResolved(this.head(), (head) => {
      const below = chain.contains(head) && height <= Number(head.number) ? chain.hashAt(height) : undefined;
      const hash = heights.findFinal(height) ?? below;
      if (hash === undefined) return this.#readByNumber(number, full);
      this.#hashes.set(number, hash);
      return this.named(hash, full);
    });
  }

  /** Returns a block that was read already, by this request or another one. */
  find(hash: string): NodeBlock | undefined {
    return this.#blocks.get(hash) ?? this.#node.store.findBlock(hash);
  }

  /** Returns the block; undefined when the node does not know it. */
  byHash(hash: string, full: boolean): PromiseOrValue<NodeBlock | undefined> {
    const known = this.find(hash);
    if (known !== undefined && (!full || isFull(known))) return known;
    return this.#readByHash(hash, full);
  }

  /** Returns a block that the node itself has referred to: throws `upstream_unavailable` when it is gone. */
  named(hash: string, full: boolean): PromiseOrValue<NodeBlock> {
    return whenResolved(this.byHash(hash, full), (block) => {
      if (block === undefined) throw reorganised();
      return block;
    });
  }

  /** Returns the current latest block, whatever the request has resolved. */
  readHeadAnew(): Promise<NodeBlock> {
    this.#node.head.outdate();
    return this.#readLatest();
  }

  #getLatest(): PromiseOrValue<NodeBlock> {
    this.#latest ??= this.#node.head.findFresh() ?? this.#readLatest();
    return this.#latest;
  }

  async #readLatest(): Promise<NodeBlock> {
    const { head } = this.#node;
    const requestedAt = head.now();
    const result = await this.#calls.readFirst("eth_getBlockByNumber", ["latest", false]).catch(throwFailureOfOwnCall);
    const latest = this.#keep(result, { full: false });
    if (latest === undefined) throw new ServiceError("upstream_unavailable", "The node has no latest block");
    head.notify(latest, requestedAt);
    this.#latest = latest;
    return latest;
  }

  #readByHash(hash: string, full: boolean): Promise<NodeBlock | undefined> {
    const open = this.#reads.get(hash);
    if (open !== undefined && satisfies(open, full)) return open.block;
    const read = this.#read("eth_getBlockByHash", { hash }, full);
    this.#reads.set(hash, read);
    return read.block.finally(() => {
      if (this.#reads.get(hash) === read) this.#reads.delete(hash);
    });
  }

  #readByNumber(number: string, full: boolean): Promise<NodeBlock | undefined> {
    const open = this.#heightReads.get(number);
    if (open !== undefined) {
      // Its meaning is fixed by the first result.
      return satisfies(open.read, full) ? open.held : open.held.then(() => this.byNumber(number, full));
    }
    const read = this.#read("eth_getBlockByNumber", { number }, full);
    const settle = async (): Promise<NodeBlock | undefined> => {
      try {
        const block = await this.#view.hold(read.block, Number(number));
        this.#hashes.set(number, block?.hash ?? null);
        if (block !== undefined) this.#node.heights.see(block);
        return block;
      } finally {
        this.#heightReads.delete(number);
      }
    };
    const held = settle();
    this.#heightReads.set(number, { read, held });
    return held;
  }

  #read(method: string, reference: Omit<BlockReference, "full">, full: boolean): BlockRead {
    const { call, result } = this.#calls.readAlone(method, [reference.hash ?? reference.number, full]);
    const read: BlockRead = {
      call,
      full,
      block: result.then((value) => this.#keep(value, { ...reference, full: read.full }), throwFailureOfNode),
    };
    return read;
  }

  #keep(result: unknown, reference: BlockReference): NodeBlock | undefined {
    const block = readBlock(result, reference);
    if (block === undefined) return undefined;
    const known = this.#blocks.get(block.hash);
    if (known !== undefined && (isFull(known) || !isFull(block))) return known;
    const kept = this.#node.keepBlock(block);
    this.#blocks.set(block.hash, kept);
    return kept;
  }
}

/** Returns whether a read will provide what is needed; one that has not been sent is changed to. */
function satisfies(read: BlockRead, full: boolean): boolean {
  if (read.full || !full) return true;
  if (read.call.isSent) return false;
  read.call.params = [read.call.params[0], true];
  read.full = true;
  return true;
}
