import { sizeOf } from "@nodewright/upstream";
import { LRUCache } from "lru-cache";
import { type FullBlock, isFull, type NodeBlock, type NodeReceipt } from "../node-values.ts";

/** What is kept of a block. */
interface BlockEntry {
  readonly block: NodeBlock | undefined;
  readonly receipts: readonly NodeReceipt[] | undefined;
}

/** What was read of the state after a block; kept within an object, because nothing is an answer too. */
interface StateEntry {
  readonly value: unknown;
}

/** Of an entry, its key aside. */
const entryBytes = 250;

/** A state read that is larger than this part of the whole is not worth the others that it would push out. */
const largestPart = 16;

/**
 * What hashes of blocks name, which never changes: blocks, their receipts, and what was read of the states after them.
 *
 * Bounded by the bytes that it takes in memory, about; what was used longest ago goes first. Values are shared: nobody may change them.
 */
export class ChainStore {
  readonly #blocks: LRUCache<string, BlockEntry> | undefined;
  readonly #states: LRUCache<string, StateEntry> | undefined;
  readonly #blockBytes: number;
  readonly #largestState: number;

  /** With 0 nothing is kept. */
  constructor(maximumBytes: number) {
    const stateBytes = Math.floor(maximumBytes / 4);
    this.#blockBytes = maximumBytes - stateBytes;
    this.#blocks = this.#blockBytes > 0 ? new LRUCache({ maxSize: this.#blockBytes }) : undefined;
    this.#states = stateBytes > 0 ? new LRUCache({ maxSize: stateBytes }) : undefined;
    this.#largestState = stateBytes / largestPart;
  }

  /** False when nothing may be kept. */
  get keepsBlocks(): boolean {
    return this.#blocks !== undefined;
  }

  /** Of all that is kept, about. */
  get bytes(): number {
    return (this.#blocks?.calculatedSize ?? 0) + (this.#states?.calculatedSize ?? 0);
  }

  /** Blocks and receipts that are kept, each block counting once. */
  get blockCount(): number {
    return this.#blocks?.size ?? 0;
  }

  /** A block with hashes or with whole transactions. */
  findBlock(hash: string): NodeBlock | undefined {
    return this.#blocks?.get(hash)?.block;
  }

  findFullBlock(hash: string): FullBlock | undefined {
    const block = this.findBlock(hash);
    return block !== undefined && isFull(block) ? block : undefined;
  }

  findReceipts(hash: string): readonly NodeReceipt[] | undefined {
    return this.#blocks?.get(hash)?.receipts;
  }

  /** A block with whole transactions takes the place of one with hashes, and not the other way round. */
  keepBlock(block: NodeBlock): void {
    const known = this.#blocks?.peek(block.hash);
    if (known?.block !== undefined && (isFull(known.block) || !isFull(block))) return;
    this.#keep(block.hash, { block, receipts: known?.receipts });
  }

  keepReceipts(hash: string, receipts: readonly NodeReceipt[]): void {
    this.#keep(hash, { block: this.#blocks?.peek(hash)?.block, receipts });
  }

  /** The block with its receipts; what was read of its state stays. */
  forgetBlock(hash: string): void {
    this.#blocks?.delete(hash);
  }

  findState(key: string): StateEntry | undefined {
    return this.#states?.get(key);
  }

  /** What was read under the keys that are told. It looks at all of them. */
  forgetStates(isForgotten: (key: string) => boolean): void {
    for (const key of [...(this.#states?.keys() ?? [])]) if (isForgotten(key)) this.#states?.delete(key);
  }

  keepState(key: string, value: unknown): void {
    const size = entryBytes + key.length + sizeOf(value, this.#largestState);
    if (size <= this.#largestState) this.#states?.set(key, { value }, { size });
  }

  #keep(hash: string, entry: BlockEntry): void {
    // All members count: a node may send more than those that are known, and long values of these.
    const size = entryBytes + sizeOf(entry, this.#blockBytes);
    this.#blocks?.set(hash, entry, { size });
  }
}
