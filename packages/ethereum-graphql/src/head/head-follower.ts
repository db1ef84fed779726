import type { NodeBlock } from "../node-values.ts";

export interface HeadFollowerOptions {
  /** Told of each head that is another one than before. */
  readonly onChange: (head: NodeBlock) => void;
  /** For so long the latest block is not asked for again. */
  readonly milliseconds: number;
  readonly now?: (() => number) | undefined;
}

/** How long a block may take to be there after a transaction was sent, at nodes that make one for it. */
const restlessMilliseconds = 1_000;

/**
 * Knows the latest block for a while, so that it is asked for once and not by each request.
 *
 * Asks nothing by itself: who finds no block that is fresh asks the node, and tells here what it answered. After a transaction was sent
 * nothing is fresh for a moment, because the block that holds it may follow at once.
 */
export class HeadFollower {
  readonly #onChange: (head: NodeBlock) => void;
  readonly #milliseconds: number;
  readonly #now: () => number;
  #block: NodeBlock | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  /** Answers to what was asked up to then are no longer fresh, though a later one is not turned back by them. */
  #outdatedAt = Number.NEGATIVE_INFINITY;
  #restlessUntil = Number.NEGATIVE_INFINITY;

  constructor({ onChange, milliseconds, now = () => performance.now() }: HeadFollowerOptions) {
    this.#onChange = onChange;
    this.#milliseconds = milliseconds;
    this.#now = now;
  }

  /** The latest block, where it was asked for a short while ago; undefined when it has to be asked for again. */
  findFresh(): NodeBlock | undefined {
    const now = this.#now();
    const isFresh = now - this.#askedAt < this.#milliseconds && this.#askedAt > this.#outdatedAt;
    return isFresh && now >= this.#restlessUntil ? this.#block : undefined;
  }

  /** The block that was the latest when it was asked for last. */
  get last(): NodeBlock | undefined {
    return this.#block;
  }

  /** When a question for the latest block begins, to be handed on with its answer. */
  now(): number {
    return this.#now();
  }

  /** The node has named its latest block; an answer to an earlier question than the last one is passed over. */
  tell(block: NodeBlock, askedAt: number): void {
    if (askedAt < this.#askedAt) return;
    this.#askedAt = askedAt;
    const isOther = block.hash !== this.#block?.hash;
    this.#block = block;
    if (isOther) this.#onChange(block);
  }

  /** The latest block may be another one by now: it is asked for again, whatever was asked for and not answered yet. */
  outdate(): void {
    this.#outdatedAt = this.#now();
  }

  /** As `outdate`, and for a moment by every request: a transaction was sent. */
  expectBlock(): void {
    this.outdate();
    this.#restlessUntil = this.#now() + restlessMilliseconds;
  }
}
