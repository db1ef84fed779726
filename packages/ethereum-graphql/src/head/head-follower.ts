import type { NodeBlock } from "../results/node-values.ts";

export interface HeadFollowerOptions {
  /** Callback for each changed head. */
  readonly onChange: (head: NodeBlock) => void;
  /** Milliseconds for which the latest block is not fetched again. */
  readonly milliseconds: number;
  readonly now?: (() => number) | undefined;
}

/** Milliseconds that a block may take after a transaction was sent, on nodes that mine one for it. */
const restlessMilliseconds = 1_000;

/**
 * Cache of the latest block for a while, so that it is fetched once and not by each request.
 *
 * It makes no calls itself: code that finds no fresh block queries the node, and reports the result here. After a transaction was sent
 * nothing is fresh for a moment, because the block that contains it may follow at once.
 */
export class HeadFollower {
  readonly #onChange: (head: NodeBlock) => void;
  readonly #milliseconds: number;
  readonly #now: () => number;
  #block: NodeBlock | undefined;
  #requestedAt = Number.NEGATIVE_INFINITY;
  /** Time up to which started calls no longer give fresh results; a later one is not affected by them. */
  #outdatedAt = Number.NEGATIVE_INFINITY;
  #restlessUntil = Number.NEGATIVE_INFINITY;

  constructor({ onChange, milliseconds, now = () => performance.now() }: HeadFollowerOptions) {
    this.#onChange = onChange;
    this.#milliseconds = milliseconds;
    this.#now = now;
  }

  /** Returns the latest block, where it was fetched a short while ago; undefined when it has to be fetched again. */
  findFresh(): NodeBlock | undefined {
    const now = this.#now();
    const isFresh = now - this.#requestedAt < this.#milliseconds && this.#requestedAt > this.#outdatedAt;
    return isFresh && now >= this.#restlessUntil ? this.#block : undefined;
  }

  /** Latest block of the last fetch. */
  get last(): NodeBlock | undefined {
    return this.#block;
  }

  /** Returns the start time of a fetch of the latest block, to be passed on with its result. */
  now(): number {
    return this.#now();
  }

  /** Records the node's latest block; the result of an earlier fetch than the last one is ignored. */
  notify(block: NodeBlock, requestedAt: number): void {
    if (requestedAt < this.#requestedAt) return;
    this.#requestedAt = requestedAt;
    const isOther = block.hash !== this.#block?.hash;
    this.#block = block;
    if (isOther) this.#onChange(block);
  }

  /** Records that the latest block may have changed: it is fetched again, whatever fetch is in flight. */
  outdate(): void {
    this.#outdatedAt = this.#now();
  }

  /** Does the same as `outdate`, and for a moment for every request: a transaction was sent. */
  expectBlock(): void {
    this.outdate();
    this.#restlessUntil = this.#now() + restlessMilliseconds;
  }
}
