import { isOfLogs } from "./logs/find-logs.ts";
import { ServiceError } from "@nodewright/runtime";
import { Budget } from "./budget.ts";
import type { EthereumLimits, EthereumNode } from "./ethereum-node.ts";
import { type Eventually, whenKnown } from "./eventually.ts";
import type { ChainPlace } from "./head/chain-view.ts";
import { type FullBlock, isFull, type NodeBlock, type NodeReceipt } from "./node-values.ts";
import type { StateReference } from "./state-reference.ts";
import { RequestBlocks } from "./request-blocks.ts";
import { ReceiptReads } from "./store/receipt-reads.ts";
import { StateReads } from "./store/state-reads.ts";
import { StorageReads } from "./store/storage-reads.ts";
import { failureOfNode, UpstreamCalls } from "./node-calls/upstream-calls.ts";
import { unusableAnswer } from "./node-calls/unusable-answer.ts";

export interface EthereumContextOptions {
  /** Ends the calls of the node that are under way. */
  readonly signal?: AbortSignal | undefined;
  /** What the request may use; absent, the limits of the node. */
  readonly budget?: Budget | undefined;
  /** How long the ranges of the request may be; absent, the limits of the node. */
  readonly limits?: Pick<EthereumLimits, "blocks" | "logBlocks"> | undefined;
}

/**
 * What the resolvers of one GraphQL request share: its calls of the node, and the blocks it has settled on.
 *
 * A height or "latest" is turned into a hash once; whatever else is read of that block is read by the hash, so that one
 * answer never mixes two versions of the chain. What is known already is given without a promise.
 */
export class EthereumContext {
  readonly node: EthereumNode;
  readonly budget: Budget;
  readonly limits: Pick<EthereumLimits, "blocks" | "logBlocks">;
  /** For calls whose error answers mean something; everything else goes through `read` and `readState`. */
  readonly calls: UpstreamCalls;
  /** For slots of contracts' storage. */
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

  /** As `count`, for what stands in several lists. */
  countObjects(count: number): void {
    try {
      this.budget.take("objects", count);
    } catch (reason) {
      this.#areObjectsOver = true;
      throw reason;
    }
  }

  /**
   * As `count`, for fields that may be null: throws for the first list that is too much, and gives null for all further ones.
   *
   * Where a list leads to lists, thousands of fields pass the limit together, and an error for each would cost more than the
   * answer that is refused.
   */
  countOrLeaveOut<List extends readonly unknown[]>(list: List): List | null {
    return this.#areObjectsOver ? null : this.count(list);
  }

  /** Calls a method that only reads; the node's error answers are thrown as `ServiceError`. */
  async read(method: string, params: readonly unknown[] = []): Promise<unknown> {
    try {
      return await this.calls.read(method, params);
    } catch (reason) {
      throw failureOfNode(reason, params);
    }
  }

  /**
   * As `read`, for a method whose last param is the state that it looks at: `readState("eth_getBalance", [address], state)`.
   *
   * What was read of a state that a hash names is kept for all requests, so it must depend on the state and the params alone.
   */
  readState(method: string, params: readonly unknown[], state: StateReference): Eventually<unknown> {
    return this.#states.read(method, params, state);
  }

  /** The latest block, the same for the whole request, with hashes or with whole transactions. */
  head(): Eventually<NodeBlock> {
    return this.#blocks.head();
  }

  /** A height as hexadecimal. Undefined when the chain does not reach it. */
  blockByNumber(number: string, full = false): Eventually<NodeBlock | undefined> {
    return this.#blocks.byNumber(number, full);
  }

  /** As `blockByNumber`; throws `not_found`. */
  getBlockByNumber(number: string, full = false): Eventually<NodeBlock> {
    return whenKnown(this.blockByNumber(number, full), (block) => {
      if (block !== undefined) return block;
      return whenKnown(this.assertBeyondHead(number), () => {
        throw new ServiceError("not_found", `Block number ${BigInt(number)} was not found`);
      });
    });
  }

  /** Throws `upstream_unavailable` when the chain reaches a height for which the node knows no block. */
  assertBeyondHead(number: string): Eventually<void> {
    const { last } = this.node.head;
    if (last !== undefined && BigInt(number) > BigInt(last.number)) return;
    // The chain may be a shorter one by now.
    return this.#blocks.readHeadAnew().then((head) => {
      if (BigInt(number) > BigInt(head.number)) return;
      throw new ServiceError("upstream_unavailable", "The node does not have a block that is below its latest one");
    });
  }

  /** Parts of a block do not fit together: what is kept of it is read anew by the next who asks. */
  doubt(hash: string): void {
    this.node.store.forgetBlock(hash);
  }

  /** Logs that are kept may stand where no transaction of theirs is. All of them are forgotten, which looks at every kept answer. */
  doubtLogs(): void {
    this.node.store.forgetStates(isOfLogs);
  }

  blockByHash(hash: string, full = false): Eventually<NodeBlock | undefined> {
    return this.#blocks.byHash(hash, full);
  }

  /** As `blockByHash`; throws `not_found`. */
  getBlockByHash(hash: string, full = false): Eventually<NodeBlock> {
    return whenKnown(this.blockByHash(hash, full), (block) => {
      if (block !== undefined) return block;
      throw new ServiceError("not_found", `Block hash ${hash} was not found`);
    });
  }

  /** A block whose hash came from the node and not from the caller: one that is gone means that the chain was reorganised. */
  namedBlock(hash: string, full = false): Eventually<NodeBlock> {
    return this.#blocks.named(hash, full);
  }

  /** As `namedBlock`, with whole transactions. */
  getFullBlock(hash: string): Eventually<FullBlock> {
    return whenKnown(this.#blocks.named(hash, true), (block) => {
      if (isFull(block)) return block;
      throw unusableAnswer("a block without its transactions");
    });
  }

  /**
   * Gives where something stands that the node was asked for in this turn, once it is certain to be of the same version of the chain as
   * all else that the request reads by height or "latest". Undefined for what stands nowhere.
   */
  hold<Place extends ChainPlace | undefined>(place: Promise<Place>): Promise<Place> {
    return this.#blocks.hold(place);
  }

  /** The receipts of a block, in the order of its transactions. */
  receipts(hash: string): Eventually<readonly NodeReceipt[]> {
    return this.#receipts.ofBlock(hash);
  }

  /** As `receipts`, without asking for them: undefined when nobody has. */
  findReceipts(hash: string): Eventually<readonly NodeReceipt[]> | undefined {
    return this.#receipts.find(hash);
  }

  /** Asks for the receipts of a block that something will need later. */
  prefetchReceipts(hash: string): void {
    const receipts = this.#receipts.ofBlock(hash);
    // Who needs them is told what went wrong.
    if (receipts instanceof Promise) receipts.catch(() => undefined);
  }

  /** How the state after the latest block is named, for this request. */
  headReference(): Eventually<StateReference> {
    return whenKnown(this.head(), ({ hash }) => ({ blockHash: hash }));
  }

  /** How the state after the block at a height is named, for this request. */
  referenceByNumber(number: string): Eventually<StateReference> {
    return whenKnown(this.getBlockByNumber(number), ({ hash }) => ({ blockHash: hash }));
  }
}

/** Creates the context of one GraphQL request. */
export function createEthereumContext(node: EthereumNode, options: EthereumContextOptions = {}): EthereumContext {
  return new EthereumContext(node, options);
}
