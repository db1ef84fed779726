import { sizeOf } from "@nodewright/upstream";
import { LRUCache } from "lru-cache";
import { type FullBlock, isFull, type NodeBlock, type NodeReceipt } from "../results/node-values.ts";

/** Cached parts of a block. */
interface BlockEntry {
  readonly block: NodeBlock | undefined;
  readonly receipts: readonly NodeReceipt[] | undefined;
}

/** A cached read of the state after a block; wrapped in an object, because undefined is a result too. */
interface StateEntry {
  readonly value: unknown;
}

/** Bytes of an entry without its key. */
const entryBytes = 250;

/** Divisor of the cache size: a larger state read is not worth the others that it would evict. */
const stateSizeDivisor = 16;

/**
 * Cache of data that is identified by hashes of blocks, which never changes: blocks, their receipts, and reads of the states after them.
 *
 * Approximately bounded by the bytes that it takes in memory; the least recently used go first. Values are shared and must not be modified.
 */
export class ChainStore {
  readonly #blocks: LRUCache<string, BlockEntry> | undefined;
  readonly #states: LRUCache<string, StateEntry> | undefined;
  readonly #blockBytes: number;
  readonly #maximumStateBytes: number;

  /** Creates the store. With 0 nothing is cached. */
  constructor(maximumBytes: number) {
    const stateBytes = Math.floor(maximumBytes / 4);
    this.#blockBytes = maximumBytes - stateBytes;
    this.#blocks = this.#blockBytes > 0 ? new LRUCache({ maxSize: this.#blockBytes }) : undefined;
    this.#states = stateBytes > 0 ? new LRUCache({ maxSize: stateBytes }) : undefined;
    this.#maximumStateBytes = stateBytes / stateSizeDivisor;
  }

  /** Whether the cache is enabled. */
  get keepsBlocks(): boolean {
    return this.#blocks !== undefined;
  }

  /** Approximate bytes of all entries. */
  get bytes(): number {
    return (this.#blocks?.calculatedSize ?? 0) + (this.#states?.calculatedSize ?? 0);
  }

  /** Number of blocks with cached data. */
  get blockCount(): number {
    return this.#blocks?.size ?? 0;
  }

  /** Returns a block with hashes or with complete transactions. */
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

  /** Caches a block. One with complete transactions replaces one with hashes, and not the other way round. */
  keepBlock(block: NodeBlock): void {
    const known = this.#blocks?.peek(block.hash);
    if (known?.block !== undefined && (isFull(known.block) || !isFull(block))) return;
    this.#keep(block.hash, { block, receipts: known?.receipts });
  }

  keepReceipts(hash: string, receipts: readonly NodeReceipt[]): void {
    this.#keep(hash, { block: this.#blocks?.peek(hash)?.block, receipts });
  }

  /** Drops the block with its receipts; reads of its state stay. */
  forgetBlock(hash: string): void {
    this.#blocks?.delete(hash);
  }

  findState(key: string): StateEntry | undefined {
    return this.#states?.get(key);
  }

  /** Drops the reads with the given keys. It iterates over all of them. */
  forgetStates(isForgotten: (key: string) => boolean): void {
    for (const key of [...(this.#states?.keys() ?? [])]) if (isForgotten(key)) this.#states?.delete(key);
  }

  keepState(key: string, value: unknown): void {
    const size = entryBytes + key.length + sizeOf(value, this.#maximumStateBytes);
    if (size <= this.#maximumStateBytes) this.#states?.set(key, { value }, { size });
  }

  #keep(hash: string, entry: BlockEntry): void {
    // All members count: a node may send more than the known ones, and long values of these.
    const size = entryBytes + sizeOf(entry, this.#blockBytes);
    this.#blocks?.set(hash, entry, { size });
  }
}
