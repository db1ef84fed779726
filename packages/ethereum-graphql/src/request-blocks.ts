import { ServiceError } from "@nodewright/runtime";
import type { EthereumNode } from "./ethereum-node.ts";
import { type Eventually, whenKnown } from "./eventually.ts";
import { reorganised } from "./find-logs.ts";
import { isFull, type NodeBlock } from "./node-values.ts";
import { type BlockQuestion, readBlock } from "./store/check-block.ts";
import { failureOfNode, type UpstreamCalls, type WaitingRead } from "./upstream-calls.ts";

/** A block that is being read. */
interface BlockRead {
  readonly call: WaitingRead;
  full: boolean;
  readonly answer: Promise<NodeBlock | undefined>;
}

/**
 * The blocks that one request has settled on.
 *
 * A height or "latest" is turned into a hash once; from then on it means the same block for the whole request. `full` asks for whole
 * transactions; several who ask for one block before it is read share a read that satisfies all of them.
 */
export class RequestBlocks {
  readonly #node: EthereumNode;
  readonly #calls: UpstreamCalls;
  /** By hash: what this request has read stays with it, however small the store is. */
  readonly #blocks = new Map<string, NodeBlock>();
  /** By height in hexadecimal: the hash; null beyond the end of the chain. */
  readonly #hashes = new Map<string, string | null>();
  /** By hash or height. */
  readonly #reads = new Map<string, BlockRead>();
  #head: Eventually<NodeBlock> | undefined;

  constructor(node: EthereumNode, calls: UpstreamCalls) {
    this.#node = node;
    this.#calls = calls;
  }

  /** The latest block, with hashes or with whole transactions. */
  head(): Eventually<NodeBlock> {
    this.#head ??= this.#node.head.findFresh() ?? this.#readHead();
    return this.#head;
  }

  /** A height as hexadecimal. Undefined when the chain does not reach it. */
  byNumber(number: string, full: boolean): Eventually<NodeBlock | undefined> {
    const settled = this.#hashes.get(number);
    if (settled !== undefined) return settled === null ? undefined : this.named(settled, full);
    const height = Number(number);
    const { chain, heights } = this.#node;
    const final = heights.findFinal(height);
    if (final !== undefined) return this.named(final, full);
    if (chain.hashAt(height) === undefined) return this.#readByNumber(number, full);
    return whenKnown(this.head(), (head) => {
      const hash = chain.holds(head) && height <= Number(head.number) ? chain.hashAt(height) : undefined;
      if (hash === undefined) return this.#readByNumber(number, full);
      this.#hashes.set(number, hash);
      return this.named(hash, full);
    });
  }

  /** A block that was read already, by this request or another one. */
  find(hash: string): NodeBlock | undefined {
    return this.#blocks.get(hash) ?? this.#node.store.findBlock(hash);
  }

  /** Undefined when the node does not know it. */
  byHash(hash: string, full: boolean): Eventually<NodeBlock | undefined> {
    const known = this.find(hash);
    if (known !== undefined && (!full || isFull(known))) return known;
    return this.#read(hash, "eth_getBlockByHash", { hash }, full);
  }

  /** A block that the node itself has named: throws `upstream_unavailable` when it is gone. */
  named(hash: string, full: boolean): Eventually<NodeBlock> {
    return whenKnown(this.byHash(hash, full), (block) => {
      if (block === undefined) throw reorganised();
      return block;
    });
  }

  async #readHead(): Promise<NodeBlock> {
    const { head } = this.#node;
    const askedAt = head.now();
    const answer = await this.#calls.read("eth_getBlockByNumber", ["latest", false]).catch(throwFailureOfNode);
    const block = this.#keep(answer, { full: false });
    if (block === undefined) throw new ServiceError("upstream_unavailable", "The node has no latest block");
    head.tell(block, askedAt);
    this.#head = block;
    return block;
  }

  #readByNumber(number: string, full: boolean): Promise<NodeBlock | undefined> {
    const open = this.#reads.get(number);
    // What it means is settled by the first answer.
    if (open !== undefined && full && !open.full && open.call.isSent) {
      return open.answer.then(() => this.byNumber(number, full));
    }
    return this.#read(number, "eth_getBlockByNumber", { number }, full);
  }

  #read(
    reference: string,
    method: string,
    question: Omit<BlockQuestion, "full">,
    full: boolean,
  ): Promise<NodeBlock | undefined> {
    const open = this.#reads.get(reference);
    if (open !== undefined && (open.full || !full)) return open.answer;
    if (open !== undefined && !open.call.isSent) {
      open.call.params = [reference, true];
      open.full = true;
      return open.answer;
    }
    const { call, answer } = this.#calls.readAlone(method, [reference, full]);
    const settle = (value: unknown): NodeBlock | undefined => {
      const block = this.#keep(value, { ...question, full: read.full });
      if (question.number !== undefined) {
        this.#hashes.set(question.number, block?.hash ?? null);
        if (block !== undefined) this.#node.heights.see(block);
      }
      return block;
    };
    const read: BlockRead = {
      call,
      full,
      answer: answer.then(settle, throwFailureOfNode).finally(() => {
        if (this.#reads.get(reference) === read) this.#reads.delete(reference);
      }),
    };
    this.#reads.set(reference, read);
    return read.answer;
  }

  #keep(answer: unknown, question: BlockQuestion): NodeBlock | undefined {
    const block = readBlock(answer, question);
    if (block === undefined) return undefined;
    const known = this.#blocks.get(block.hash);
    if (known !== undefined && (isFull(known) || !isFull(block))) return known;
    const kept = this.#node.keepBlock(block);
    this.#blocks.set(block.hash, kept);
    return kept;
  }
}

function throwFailureOfNode(reason: unknown): never {
  throw failureOfNode(reason);
}
