import type { NodeHeader } from "../node-values.ts";

/** What the chain is made of: a header names its parent. */
export type ChainLink = Pick<NodeHeader, "number" | "hash" | "parentHash">;

/** Heights that are known at once; those furthest below the head are forgotten first. */
const mostHeights = 16_384;

/**
 * Which block stands at which height: known from the head downwards for as far as each block's parent was seen.
 *
 * Holds hashes and no blocks. A new head that does not lead to what is known makes everything forgotten that it does not lead to.
 */
export class KnownChain {
  /** One run of heights that ends at the head. */
  readonly #hashes = new Map<number, string>();
  readonly #find: (hash: string) => ChainLink | undefined;
  #head: ChainLink | undefined;
  #lowest: ChainLink | undefined;

  /** `find` gives blocks that were seen before, by hash. */
  constructor(find: (hash: string) => ChainLink | undefined) {
    this.#find = find;
  }

  get head(): ChainLink | undefined {
    return this.#head;
  }

  /** Of the lowest block down to which the chain is known without a gap. */
  get lowestHeight(): number | undefined {
    return this.#lowest && Number(this.#lowest.number);
  }

  /** `undefined` where it is not known, and beyond the head. */
  hashAt(height: number): string | undefined {
    return this.#hashes.get(height);
  }

  /** True for a block that the head descends from, as far as it is known. */
  holds({ number, hash }: Pick<ChainLink, "number" | "hash">): boolean {
    return this.#hashes.get(Number(number)) === hash;
  }

  /** Makes a block the head. */
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

  /** A block was seen: it may be the one that the known part of the chain begins after. */
  see(block: ChainLink): void {
    if (this.#lowest?.parentHash === block.hash) this.#descend();
  }

  /** The blocks from the first that is new up to the head; undefined when they do not lead to what is known. */
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

  /** Goes on below the lowest known block, as far as blocks were seen. */
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
    // What is forgotten for its number is not gone after again.
    this.#lowest = undefined;
  }
}
