import { isOfLogs, StateReads } from "./state-reads.ts";
import { ServiceError } from "@nodewright/runtime";
import { Budget } from "../node-calls/budget.ts";
import type { EthereumLimits, EthereumNode } from "../node/ethereum-node.ts";
import { type PromiseOrValue, whenResolved } from "../basics/promise-or-value.ts";
import type { ChainPlace } from "../head/chain-view.ts";
import { type FullBlock, isFull, type NodeBlock, type NodeReceipt } from "../results/node-values.ts";
import type { StateReference } from "../results/state-reference.ts";
import { RequestBlocks } from "./request-blocks.ts";
import { ReceiptReads } from "./receipt-reads.ts";
import { StorageReads } from "./storage-reads.ts";
import { failureOfNode, UpstreamCalls } from "../node-calls/upstream-calls.ts";
import { unexpectedResult } from "../basics/unexpected-result.ts";

/** Options of the resolvers' context of one request. */
export interface EthereumContextOptions {
  /** Signal that ends the calls of the node in flight. */
  readonly signal?: AbortSignal | undefined;
  /** Budget of the request; absent: the limits of the node. */
  readonly budget?: Budget | undefined;
  /** Maximum lengths of the request's ranges; absent: the limits of the node. */
  readonly limits?: Pick<EthereumLimits, "blocks" | "logBlocks"> | undefined;
}

/**
 * Shared state of the resolvers of one GraphQL request: its calls of the node, and the blocks it has resolved.
 *
 * A height or "latest" is resolved to a hash once; everything else of that block is read by the hash, so that one response never mixes two
 * versions of the chain. Known values are returned without a promise.
 */
export class EthereumContext {
  readonly node: EthereumNode;
  readonly budget: Budget;
  readonly limits: Pick<EthereumLimits, "blocks" | "logBlocks">;
  /** Calls whose error responses have a meaning; everything else goes through `read` and `readState`. */
  readonly calls: UpstreamCalls;
  /** Reads of slots of contracts' storage. */
  readonly storage: StorageReads = new StorageReads(this);
  readonly #blocks: RequestBlocks;
  readonly #receipts: ReceiptReads;
  readonly #states: StateReads;
  #areObjectsOver = false;

  constructor(node: EthereumNode, { signal, budget, limits }: EthereumContextOptions = {}) {
    this.node = node;
    this.limits = limits ?? node.limits;
    this.budget = budget ?? new Budget(node.limits, signal && (() => signal));
    this.calls = new UpstreamCalls({
      upstream: node.upstream,
      reads: node.reads,
      budget: this.budget,
      onWrite: () => node.head.expectBlock(),
    });
    this.#blocks = new RequestBlocks(node, this.calls);
    this.#receipts = new ReceiptReads(node, this.calls, this.#blocks);
    this.#states = new StateReads(node, this.calls, this.#blocks);
  }

  /** Counts the elements of a list towards the request's limit. Throws `invalid_input` when they are too many. */
  count<List extends readonly unknown[]>(list: List): List {
    this.countObjects(list.length);
    return list;
  }

  /** Counts objects of several lists like `count`. */
  countObjects(count: number): void {
    try {
      this.budget.take("objects", count);
    } catch (reason) {
      this.#areObjectsOver = true;
      throw reason;
    }
  }

  /**
   * Counts like `count`, for fields that may be null: throws for the first list over the limit, and returns null for all further ones.
   *
   * If a list leads to lists, thousands of fields pass the limit together, and an error for each would cost more than the rejected
   * response.
   */
  countOrLeaveOut<List extends readonly unknown[]>(list: List): List | null {
    return this.#areObjectsOver ? null : this.count(list);
  }

  /** Calls a method that only reads. The node's error responses are thrown as `ServiceError`. */
  async read(method: string, params: readonly unknown[] = []): Promise<unknown> {
    try {
      return await this.calls.read(method, params);
    } catch (reason) {
      throw failureOfNode(reason, params);
    }
  }

  /**
   * Calls like `read`, for a method whose last param is the state: `readState("eth_getBalance", [address], state)`.
   *
   * A result for a state that is named by hash is cached for all requests, so it must depend only on the state and the params.
   */
  readState(method: string, params: readonly unknown[], state: StateReference): PromiseOrValue<unknown> {
    return this.#states.read(method, params, state);
  }

  /** Returns the latest block, the same for the complete request, with hashes or with complete transactions. */
  head(): PromiseOrValue<NodeBlock> {
    return this.#blocks.head();
  }

  /** Returns the block at a height in hexadecimal. Undefined when the chain does not reach it. */
  blockByNumber(number: string, full = false): PromiseOrValue<NodeBlock | undefined> {
    return this.#blocks.byNumber(number, full);
  }

  /** Returns the same as `blockByNumber`; throws `not_found`. */
  getBlockByNumber(number: string, full = false): PromiseOrValue<NodeBlock> {
    return whenResolved(this.blockByNumber(number, full), (block) => {
      if (block !== undefined) return block;
      return whenResolved(this.assertBeyondHead(number), () => {
        throw new ServiceError("not_found", `Block number ${BigInt(number)} was not found`);
      });
    });
  }

  /** Throws `upstream_unavailable` when the chain reaches a height for which the node knows no block. */
  assertBeyondHead(number: string): PromiseOrValue<void> {
    const { last } = this.node.head;
    if (last !== undefined && BigInt(number) > BigInt(last.number)) return;
    // The chain may be a shorter one by now.
    return this.#blocks.readHeadAnew().then((head) => {
      if (BigInt(number) > BigInt(head.number)) return;
      throw new ServiceError("upstream_unavailable", "The node does not have a block that is below its latest one");
    });
  }

  /** Records that parts of a block do not match: its cached parts are read anew at the next use. */
  doubt(hash: string): void {
    this.node.store.forgetBlock(hash);
  }

  /** Drops all cached logs, which may stand where no transaction of theirs is. This iterates over every cached result. */
  doubtLogs(): void {
    this.node.store.forgetStates(isOfLogs);
  }

  blockByHash(hash: string, full = false): PromiseOrValue<NodeBlock | undefined> {
    return this.#blocks.byHash(hash, full);
  }

  /** Returns the same as `blockByHash`; throws `not_found`. */
  getBlockByHash(hash: string, full = false): PromiseOrValue<NodeBlock> {
    return whenResolved(this.blockByHash(hash, full), (block) => {
      if (block !== undefined) return block;
      throw new ServiceError("not_found", `Block hash ${hash} was not found`);
    });
  }

  /** Returns a block whose hash came from the node and not from the client: a missing one means that the chain was reorganized. */
  namedBlock(hash: string, full = false): PromiseOrValue<NodeBlock> {
    return this.#blocks.named(hash, full);
  }

  /** Returns the same as `namedBlock`, with complete transactions. */
  getFullBlock(hash: string): PromiseOrValue<FullBlock> {
    return whenResolved(this.#blocks.named(hash, true), (block) => {
      if (isFull(block)) return block;
      throw unexpectedResult("a block without its transactions");
    });
  }

  /**
   * Returns the place that is requested from the node in this time slice, once it is certain to be on the same version of the chain as everything
   * else that the request reads by height or "latest". Undefined for something without a place.
   */
  hold<Place extends ChainPlace | undefined>(place: Promise<Place>): Promise<Place> {
    return this.#blocks.hold(place);
  }

  /** Returns the receipts of a block, in the order of its transactions. */
  receipts(hash: string): PromiseOrValue<readonly NodeReceipt[]> {
    return this.#receipts.ofBlock(hash);
  }

  /** Returns the same as `receipts`, without fetching them: undefined when they were not fetched. */
  findReceipts(hash: string): PromiseOrValue<readonly NodeReceipt[]> | undefined {
    return this.#receipts.find(hash);
  }

  /** Fetches the receipts of a block that will be needed later. */
  prefetchReceipts(hash: string): void {
    const receipts = this.#receipts.ofBlock(hash);
    // The failure is reported where they are needed.
    if (receipts instanceof Promise) receipts.catch(() => undefined);
  }

  /** Returns the name of the state after the latest block, for this request. */
  headReference(): PromiseOrValue<StateReference> {
    return whenResolved(this.head(), ({ hash }) => ({ blockHash: hash }));
  }

  /** Returns the name of the state after the block at a height, for this request. */
  referenceByNumber(number: string): PromiseOrValue<StateReference> {
    return whenResolved(this.getBlockByNumber(number), ({ hash }) => ({ blockHash: hash }));
  }
}

/** Creates the context of one GraphQL request. */
export function createEthereumContext(node: EthereumNode, options: EthereumContextOptions = {}): EthereumContext {
  return new EthereumContext(node, options);
}
