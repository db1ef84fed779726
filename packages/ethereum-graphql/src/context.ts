import type { Transaction } from "@nodewright/ethereum-node-api/types";
import { ServiceError } from "@nodewright/runtime";
import type { EthereumNode } from "./ethereum-node.ts";
import type { NodeBlock, NodeReceipt, StateReference } from "./node-values.ts";
import { failureOfNode, isMethodMissing, UpstreamCalls } from "./upstream-calls.ts";

export interface EthereumContextOptions {
  /** Ends the calls of the node that are under way. */
  readonly signal?: AbortSignal | undefined;
}

/** A block with whole transactions. */
export type FullBlock = NodeBlock & { readonly transactions: readonly Transaction[] };

/**
 * What the resolvers of one GraphQL request share: its calls of the node, and the blocks it has settled on.
 *
 * A height or "latest" is turned into a hash once; whatever else is read of that block is read by the hash, so that one
 * answer never mixes two versions of the chain.
 */
export class EthereumContext {
  readonly node: EthereumNode;
  /** For calls whose error answers mean something; everything else goes through `read`. */
  readonly calls: UpstreamCalls;
  readonly #blocksByReference = new Map<string, Promise<NodeBlock | undefined>>();
  /** By hash: what this request has read stays with it, however small the node's cache is. */
  readonly #blocks = new Map<string, NodeBlock>();
  #objects = 0;

  constructor(node: EthereumNode, { signal }: EthereumContextOptions = {}) {
    this.node = node;
    this.calls = new UpstreamCalls({ upstream: node.upstream, maximumCalls: node.limits.calls, signal });
  }

  /** Counts the elements of a list towards the request's limit. Throws `invalid_input` when they are too many. */
  count<List extends readonly unknown[]>(list: List): List {
    this.#objects += list.length;
    if (this.#objects > this.node.limits.objects) throw this.#tooManyObjects();
    return list;
  }

  /**
   * As `count`, for fields that may be null: throws for the first list that is too much, and gives null for all further ones.
   *
   * Where a list leads to lists, thousands of fields pass the limit together, and an error for each would cost more than the
   * answer that is refused.
   */
  countOrLeaveOut<List extends readonly unknown[]>(list: List): List | null {
    if (this.#objects > this.node.limits.objects) return null;
    return this.count(list);
  }

  /** Calls a method that only reads; the node's error answers are thrown as `ServiceError`. */
  async read(method: string, params: readonly unknown[] = []): Promise<unknown> {
    try {
      return await this.calls.read(method, params);
    } catch (reason) {
      throw failureOfNode(reason);
    }
  }

  /** The latest block, the same for the whole request. `full` asks for whole transactions where that costs nothing. */
  async head(full = false): Promise<NodeBlock> {
    const block = await this.#blockByReference("latest", full);
    if (block === undefined) throw new ServiceError("upstream_unavailable", "The node has no latest block");
    return block;
  }

  /** A height as hexadecimal. Undefined when the chain does not reach it. */
  async blockByNumber(number: string, full = false): Promise<NodeBlock | undefined> {
    return await this.#blockByReference(number, full);
  }

  /** As `blockByNumber`; throws `not_found`. */
  async getBlockByNumber(number: string, full = false): Promise<NodeBlock> {
    const block = await this.blockByNumber(number, full);
    if (block !== undefined) return block;
    throw new ServiceError("not_found", `Block number ${BigInt(number)} was not found`);
  }

  async blockByHash(hash: string, full = false): Promise<NodeBlock | undefined> {
    const known = this.#blocks.get(hash) ?? this.node.blocks.find(hash);
    if (known !== undefined && (!full || isFull(known))) return known;
    return this.#keep(await this.read("eth_getBlockByHash", [hash, full]));
  }

  /** As `blockByHash`; throws `not_found`. */
  async getBlockByHash(hash: string, full = false): Promise<NodeBlock> {
    const block = await this.blockByHash(hash, full);
    if (block !== undefined) return block;
    throw new ServiceError("not_found", `Block hash ${hash} was not found`);
  }

  async getFullBlock(hash: string): Promise<FullBlock> {
    const block = await this.getBlockByHash(hash, true);
    if (isFull(block)) return block;
    throw new ServiceError("upstream_unavailable", "The node answered a block without its transactions");
  }

  /** The receipts of a block, in the order of its transactions. */
  async receipts(hash: string): Promise<readonly NodeReceipt[]> {
    const cached = this.node.receipts.find(hash);
    if (cached !== undefined) return cached;
    const receipts = await this.#readReceipts(hash);
    if (receipts.some((receipt) => receipt.blockHash !== hash)) {
      throw new ServiceError("upstream_unavailable", "The node answered receipts of another block");
    }
    this.node.receipts.set(hash, receipts);
    return receipts;
  }

  /** How the state after the latest block is named, for this request. */
  async headReference(): Promise<StateReference> {
    return { blockHash: (await this.head()).hash };
  }

  /** How the state after the block at a height is named, for this request. */
  async referenceByNumber(number: string): Promise<StateReference> {
    return { blockHash: (await this.getBlockByNumber(number)).hash };
  }

  #tooManyObjects(): ServiceError {
    const { objects } = this.node.limits;
    return new ServiceError("invalid_input", `The answer holds more than ${objects} objects; ask for less at once`);
  }

  /** The first reading of a height or tag settles which block it means. */
  async #blockByReference(reference: string, full: boolean): Promise<NodeBlock | undefined> {
    const settled = this.#blocksByReference.get(reference);
    if (settled === undefined) {
      const block = this.read("eth_getBlockByNumber", [reference, full]).then((answer) => this.#keep(answer));
      this.#blocksByReference.set(reference, block);
      return await block;
    }
    const block = await settled;
    if (block === undefined || !full || isFull(block)) return block;
    return await this.blockByHash(block.hash, true);
  }

  async #readReceipts(hash: string): Promise<readonly NodeReceipt[]> {
    try {
      const receipts = await this.calls.read("eth_getBlockReceipts", [{ blockHash: hash }]);
      if (receipts !== null) return receipts as readonly NodeReceipt[];
    } catch (reason) {
      if (isMethodMissing(reason)) return await this.#readReceiptsOneByOne(hash);
      throw failureOfNode(reason);
    }
    throw new ServiceError("upstream_unavailable", "The node does not have the receipts of a block that it named");
  }

  async #readReceiptsOneByOne(hash: string): Promise<readonly NodeReceipt[]> {
    const { transactions } = await this.getBlockByHash(hash);
    const answers = await Promise.all(
      transactions.map((transaction) =>
        this.read("eth_getTransactionReceipt", [typeof transaction === "string" ? transaction : transaction.hash]),
      ),
    );
    return answers.map((answer) => {
      if (answer !== null) return answer as NodeReceipt;
      throw new ServiceError("upstream_unavailable", "The node does not have the receipts of a block that it named");
    });
  }

  #keep(answer: unknown): NodeBlock | undefined {
    if (answer === null || answer === undefined) return undefined;
    if (!looksLikeBlock(answer)) {
      throw new ServiceError("upstream_unavailable", "The node answered something that is no block");
    }
    const block = answer;
    const known = this.#blocks.get(block.hash) ?? this.node.blocks.find(block.hash);
    const better = known !== undefined && isFull(known) ? known : block;
    this.#blocks.set(block.hash, better);
    this.node.blocks.set(block.hash, better);
    return better;
  }
}

/** Creates the context of one GraphQL request. */
export function createEthereumContext(node: EthereumNode, options: EthereumContextOptions = {}): EthereumContext {
  return new EthereumContext(node, options);
}

/** True for a block with whole transactions, and for one without any. */
export function isFull(block: NodeBlock): block is FullBlock {
  return typeof block.transactions[0] !== "string";
}

/** What everything else here relies on; a node is not expected to get the rest wrong. */
function looksLikeBlock(answer: unknown): answer is NodeBlock {
  if (typeof answer !== "object" || answer === null) return false;
  const { hash, number, transactions, uncles } = answer as Partial<Record<keyof NodeBlock, unknown>>;
  return typeof hash === "string" && typeof number === "string" && Array.isArray(transactions) && Array.isArray(uncles);
}
