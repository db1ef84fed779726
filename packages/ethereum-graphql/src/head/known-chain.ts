import type { NodeHeader } from "../results/node-values.ts";

/** Header fields that link a block to its parent. */
export type ChainLink = Pick<NodeHeader, "number" | "hash" | "parentHash">;

/** Maximum number of heights; the lowest ones are evicted first. */
const maximumHeights = 16_384;

/**
 * Best chain as a map from height to block hash, without a gap from the head down to the last block whose parent is known.
 *
 * A new head removes the blocks that are not among its ancestors.
 */
export class KnownChain {
  /** Hashes of consecutive heights up to the head. */
  readonly #hashes = new Map<number, string>();
  readonly #find: (hash: string) => ChainLink | undefined;
  #head: ChainLink | undefined;
  #lowest: ChainLink | undefined;

  /** Creates the chain. `find` returns blocks that were seen before, by hash. */
  constructor(find: (hash: string) => ChainLink | undefined) {
    this.#find = find;
  }

  get head(): ChainLink | undefined {
    return this.#head;
  }

  /** Height of the lowest known block of the chain. */
  get lowestHeight(): number | undefined {
    return this.#lowest && Number(this.#lowest.number);
  }

  /** Returns the hash at a height; `undefined` if it is not known, or above the head. */
  hashAt(height: number): string | undefined {
    return this.#hashes.get(height);
  }

  /** Returns whether a block is a known ancestor of the head, or the head itself. */
  contains({ number, hash }: Pick<ChainLink, "number" | "hash">): boolean {
    return this.#hashes.get(Number(number)) === hash;
  }

  /** Sets the head, and removes blocks of other branches. */
  setHead(head: ChainLink): void {
    if (this.#head?.hash === head.hash) return;
    const path = this.#pathFromKnown(head);
    if (path === undefined) {
      this.#hashes.clear();
      this.#lowest = head;
      this.#hashes.set(Number(head.number), head.hash);
    } else this.#extend(head, path);
    this.#head = head;
    this.#descend();
  }

  /** Adds a block if it is the parent of the lowest known block. */
  add(block: ChainLink): void {
    if (this.#lowest?.parentHash === block.hash) this.#descend();
  }

  /** Returns the blocks from the first new one up to the head; undefined when they do not lead to a known one. */
  #pathFromKnown(head: ChainLink): readonly ChainLink[] | undefined {
    if (this.contains(head)) return [];
    const path = [head];
    for (let link = head; path.length <= maximumHeights; path.push(link)) {
      if (this.#hashes.get(Number(link.number) - 1) === link.parentHash) return path.toReversed();
      const parent = this.#find(link.parentHash);
      if (parent === undefined) return undefined;
      link = parent;
    }
    return undefined;
  }

  #extend(head: ChainLink, path: readonly ChainLink[]): void {
    const height = Number(head.number);
    const first = height - path.length + 1;
    // The blocks from that height upwards are on another branch, or above the new head.
    for (let other = Number(this.#head?.number); other >= first; other--) this.#hashes.delete(other);
    for (const link of path) this.#hashes.set(Number(link.number), link.hash);
    if (this.#hashes.size > maximumHeights) this.#evictBelow(height - maximumHeights / 2);
  }

  /** Extends the chain downwards, as far as the parents are known. */
  #descend(): void {
    for (let lowest = this.#lowest; lowest !== undefined && this.#hashes.size < maximumHeights; ) {
      const height = Number(lowest.number) - 1;
      const parent = this.#find(lowest.parentHash);
      if (parent === undefined || Number(parent.number) !== height) return;
      this.#hashes.set(height, parent.hash);
      this.#lowest = parent;
      lowest = parent;
    }
  }

  #evictBelow(lowestHeight: number): void {
    for (const height of this.#hashes.keys()) if (height < lowestHeight) this.#hashes.delete(height);
    // Evicted heights are not added again.
    this.#lowest = undefined;
  }
}
