import { ServiceError } from "@nodewright/runtime";
import { isUpstreamRpcError } from "@nodewright/upstream";
import type { EthereumNode } from "../node/ethereum-node.ts";
import type { PromiseOrValue } from "../basics/promise-or-value.ts";
import type { NodeReceipt } from "../results/node-values.ts";
import type { RequestBlocks } from "./request-blocks.ts";
import { isMethodMissing, throwFailureOfOwnCall, type UpstreamCalls } from "../node-calls/upstream-calls.ts";
import { readReceipts } from "../results/check-block.ts";
import { failureOfState, invalidParams } from "./state-reads.ts";

/** Receipts that one request has read: one call for each block, or one for each transaction on clients that lack it. */
export class ReceiptReads {
  readonly #node: EthereumNode;
  readonly #calls: UpstreamCalls;
  readonly #blocks: RequestBlocks;
  /** Receipts by the block's hash: the request retains what it has read, however small the store is. */
  readonly #receipts = new Map<string, PromiseOrValue<readonly NodeReceipt[]>>();

  constructor(node: EthereumNode, calls: UpstreamCalls, blocks: RequestBlocks) {
    this.#node = node;
    this.#calls = calls;
    this.#blocks = blocks;
  }

  /** Returns receipts that are known, or being read; undefined when they were not requested. */
  find(hash: string): PromiseOrValue<readonly NodeReceipt[]> | undefined {
    return this.#receipts.get(hash) ?? this.#node.store.findReceipts(hash);
  }

  /** Returns receipts in the order of the transactions of a block that the node has referred to. */
  ofBlock(hash: string): PromiseOrValue<readonly NodeReceipt[]> {
    const known = this.find(hash);
    if (known !== undefined) return known;
    const reading = this.#read(hash).then((result) => {
      const receipts = this.#check(result, hash);
      this.#node.store.keepReceipts(hash, receipts);
      this.#receipts.set(hash, receipts);
      return receipts;
    });
    this.#receipts.set(hash, reading);
    return reading;
  }

  #check(result: unknown, hash: string): readonly NodeReceipt[] {
    try {
      return readReceipts(result, hash, this.#blocks.find(hash));
    } catch (reason) {
      // The block may be the invalid part.
      this.#node.store.forgetBlock(hash);
      throw reason;
    }
  }

  async #read(hash: string): Promise<unknown> {
    const { capabilities } = this.#node;
    if (capabilities.describe().capabilities?.eth_getBlockReceipts === false) return await this.#readOneByOne(hash);
    try {
      const receipts = await this.#calls.read("eth_getBlockReceipts", [{ blockHash: hash }]);
      if (receipts !== null) return receipts;
    } catch (reason) {
      if (isMethodMissing(reason)) capabilities.lacks("eth_getBlockReceipts");
      // Some clients have the method for heights alone.
      else if (!isUpstreamRpcError(reason) || reason.code !== invalidParams) throw failureOfState(reason);
      return await this.#readOneByOne(hash);
    }
    throw gone();
  }

  async #readOneByOne(hash: string): Promise<unknown> {
    const { transactions } = await this.#blocks.named(hash, false);
    return await Promise.all(
      transactions.map(async (transaction) => {
        const transactionHash = typeof transaction === "string" ? transaction : transaction.hash;
        const receipt = await this.#calls
          .read("eth_getTransactionReceipt", [transactionHash])
          .catch(throwFailureOfOwnCall);
        if (receipt === null) throw gone();
        return receipt;
      }),
    );
  }
}

function gone(): ServiceError {
  return new ServiceError("upstream_unavailable", "The node does not have the receipts of a block that it named");
}
