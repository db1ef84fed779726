import type { Upstream, UpstreamCall } from "@nodewright/upstream";
import { BoundedCache } from "@nodewright/runtime";
import type { NodeBlock } from "../results/node-values.ts";
import { quantity } from "../basics/quantity.ts";
import type { HeadFollower } from "./head-follower.ts";
import type { KnownChain } from "./known-chain.ts";

export interface KnownHeightsOptions {
  readonly upstream: Upstream;
  readonly chain: KnownChain;
  readonly head: HeadFollower;
  /** Checks the result for a height, and caches it; undefined where there is no block. */
  readonly keep: (result: unknown, number: string | undefined) => NodeBlock | undefined;
  /** Whether heights are learned; false where no block is cached: a height would be learned again and again. */
  readonly isLearning: boolean;
  readonly now?: (() => number) | undefined;
}

/** Maximum number of blocks that are read at once to find out that a height leads to the head. */
const maximumJoinedBlocks = 128;
/** Maximum number of heights that were requested once. */
const maximumRequested = 1_000;
const maximumFinal = 10_000;
/** Milliseconds for which the final block is not queried again. */
const finalMilliseconds = 60_000;

/**
 * Cache of blocks at repeatedly requested heights, so that they need not be queried any more: learned by reading the blocks between them
 * and the known part of the chain, or because they are final.
 *
 * It works in the background, one task at a time; a failed one is retried when the height is requested again.
 */
export class KnownHeights {
  readonly #options: KnownHeightsOptions;
  readonly #now: () => number;
  readonly #wanted = new BoundedCache<number, true>(maximumRequested);
  /** Hashes of final blocks. */
  readonly #final = new BoundedCache<number, string>(maximumFinal);
  #highestFinal: NodeBlock | undefined;
  /** Token that changes with each doubt; undefined while no height is in doubt. */
  #doubt: object | undefined;
  #finalRequestedAt = Number.NEGATIVE_INFINITY;
  #work: Promise<void> | undefined;

  constructor(options: KnownHeightsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Returns the hash of a final block that was read before; undefined where that is not known. */
  findFinal(height: number): string | undefined {
    return this.#doubt === undefined && this.#isFinal(height) ? this.#final.find(height) : undefined;
  }

  /** Records that a block had to be fetched by its height: the second time it is learned, in the background. */
  see({ number, hash }: NodeBlock): void {
    if (!this.#options.isLearning) return;
    const height = Number(number);
    if (this.#isFinal(height)) {
      this.#final.set(height, hash);
      if (this.#doubt !== undefined) this.#begin(() => this.#confirmFinal());
    } else if (this.#wanted.find(height) === undefined) this.#wanted.set(height, true);
    else this.#begin(() => this.#learn(height));
  }

  /**
   * Records a change of the head. One below a final block means that the chain was turned back; one that is not known to lead to the head
   * before it (`isLinked`) may mean so.
   */
  followHead(height: number, isLinked: boolean): void {
    if (!this.#isFinal(height + 1)) {
      if (!isLinked && this.#highestFinal !== undefined) this.#doubt = {};
      return;
    }
    this.#forgetFinal();
    this.#finalRequestedAt = Number.NEGATIVE_INFINITY;
  }

  /** Resolves when nothing is being learned. */
  async settle(): Promise<void> {
    await this.#work;
  }

  #begin(work: () => Promise<void>): void {
    // Requests continue to fetch the height, and report the failure.
    this.#work ??= work()
      .catch(() => undefined)
      .finally(() => {
        this.#work = undefined;
      });
  }

  #isFinal(height: number): boolean {
    return this.#highestFinal !== undefined && height <= Number(this.#highestFinal.number);
  }

  #forgetFinal(): void {
    this.#highestFinal = undefined;
    this.#doubt = undefined;
    this.#final.clear();
  }

  async #learn(height: number): Promise<void> {
    const { chain, head } = this.#options;
    if (head.last === undefined) await this.#readHead();
    const lowest = chain.lowestHeight;
    if (lowest !== undefined && height < lowest && lowest - height <= maximumJoinedBlocks)
      await this.#join(height, lowest);
    else if (chain.hashAt(height) === undefined) await this.#readFinal();
  }

  /** Confirms final blocks: they still are when the highest of them is unchanged. */
  async #confirmFinal(): Promise<void> {
    const { number, hash } = this.#highestFinal ?? {};
    const doubt = this.#doubt;
    const [result] = await this.#read([[number, false]]);
    if (this.#doubt !== doubt) return;
    if ((result as Partial<NodeBlock> | null)?.hash === hash) this.#doubt = undefined;
    else this.#forgetFinal();
  }

  async #readHead(): Promise<void> {
    const { head, keep } = this.#options;
    const requestedAt = head.now();
    const [result] = await this.#read([["latest", false]]);
    const block = keep(result, undefined);
    if (block !== undefined) head.notify(block, requestedAt);
  }

  /** Joins from the top down, so that each block is known to be its child's parent when it is cached. */
  async #join(height: number, lowest: number): Promise<void> {
    const heights = Array.from({ length: lowest - height }, (_, offset) => quantity(lowest - 1 - offset));
    const responses = await this.#read(heights.map((number) => [number, false]));
    for (const [position, number] of heights.entries()) this.#options.keep(responses[position], number);
  }

  async #readFinal(): Promise<void> {
    const now = this.#now();
    if (now - this.#finalRequestedAt < finalMilliseconds) return;
    this.#finalRequestedAt = now;
    const [result] = await this.#read([["finalized", false]]);
    const block = this.#options.keep(result, undefined);
    if (block === undefined) return;
    if (this.#doubt !== undefined) this.#forgetFinal();
    this.#highestFinal = block;
  }

  async #read(params: readonly UpstreamCall["params"][]): Promise<readonly unknown[]> {
    const calls = params.map((ofCall) => ({ method: "eth_getBlockByNumber", params: ofCall }));
    const results = await this.#options.upstream.batch(calls);
    return results.map((result) => (result.ok ? result.result : null));
  }
}
