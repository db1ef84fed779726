import type { NodeHeader } from "../results/node-values.ts";

/** Link of the chain: a header refers to its parent. */
export type ChainLink = Pick<NodeHeader, "number" | "hash" | "parentHash">;

/** Maximum number of known heights; those furthest below the head are dropped first. */
const mostHeights = 16_384;

/**
 * Map from height to block: known from the head downwards as far as each block's parent was seen.
 *
 * It stores hashes and no blocks. A new head drops everything that it does not lead to.
 */
export class KnownChain {
  /** One run of heights that ends at the head. */
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

  /** Height of the lowest block down to which the chain is known without a gap. */
  get lowestHeight(): number | undefined {
    return this.#lowest && Number(this.#lowest.number);
  }

  /** Returns the hash; `undefined` where it is not known, and beyond the head. */
  hashAt(height: number): string | undefined {
    return this.#hashes.get(height);
  }

  /** Returns whether the head descends from a block, as far as it is known. */
  holds({ number, hash }: Pick<ChainLink, "number" | "hash">): boolean {
    return this.#hashes.get(Number(number)) === hash;
  }

  /** Sets the head. */
  follow(head: ChainLink): void {
    if (this.#head?.hash === head.hash) return;
    const path = this.#pathFromKnown(head);
    if (path === undefined) {
      this.#hashes.clear();
      this.#lowest = head;
      this.#hashes.set(Number(head.number), head.hash);
    } else this.#grow(head, path);
    this.#head = head;
    this.#descend();
  }

  /** Records a block: it may be the one below the known part of the chain. */
  see(block: ChainLink): void {
    if (this.#lowest?.parentHash === block.hash) this.#descend();
  }

  /** Returns the blocks from the first new one up to the head; undefined when they do not lead to a known one. */
  #pathFromKnown(head: ChainLink): readonly ChainLink[] | undefined {
    if (this.holds(head)) return [];
    const path = [head];
    for (let link = head; path.length <= mostHeights; path.push(link)) {
      if (this.#hashes.get(Number(link.number) - 1) === link.parentHash) return path.toReversed();
      const parent = this.#find(link.parentHash);
      if (parent === undefined) return undefined;
      link = parent;
    }
    return undefined;
  }

  #grow(head: ChainLink, path: readonly ChainLink[]): void {
    const height = Number(head.number);
    const first = height - path.length + 1;
    // From there on up the heights are another branch's, or beyond the new head.
    for (let other = Number(this.#head?.number); other >= first; other--) this.#hashes.delete(other);
    for (const link of path) this.#hashes.set(Number(link.number), link.hash);
    if (this.#hashes.size > mostHeights) this.#forgetBelow(height - mostHeights / 2);
  }

  /** Continues below the lowest known block, as far as blocks were seen. */
  #descend(): void {
    for (let lowest = this.#lowest; lowest !== undefined && this.#hashes.size < mostHeights; ) {
      const height = Number(lowest.number) - 1;
      const parent = this.#find(lowest.parentHash);
      if (parent === undefined || Number(parent.number) !== height) return;
      this.#hashes.set(height, parent.hash);
      this.#lowest = parent;
      lowest = parent;
    }
  }

  #forgetBelow(lowestHeight: number): void {
    for (const height of this.#hashes.keys()) if (height < lowestHeight) this.#hashes.delete(height);
    // Entries dropped for the limit are not restored.
    this.#lowest = undefined;
  }
}
