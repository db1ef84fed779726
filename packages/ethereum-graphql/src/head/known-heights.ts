import type { Upstream, UpstreamCall } from "@nodewright/upstream";
import { BoundedCache } from "@nodewright/runtime";
import type { NodeBlock } from "../node-values.ts";
import { quantity } from "../quantity.ts";
import type { HeadFollower } from "./head-follower.ts";
import type { KnownChain } from "./known-chain.ts";

export interface KnownHeightsOptions {
  readonly upstream: Upstream;
  readonly chain: KnownChain;
  readonly head: HeadFollower;
  /** Checks what was answered for a height, and keeps it; undefined where there is no block. */
  readonly keep: (answer: unknown, number: string | undefined) => NodeBlock | undefined;
  /** False where no block is kept: a height would be learnt again and again. */
  readonly isLearning: boolean;
  readonly now?: (() => number) | undefined;
}

/** Blocks that are read at once to find out that a height leads to the head. */
const mostJoined = 128;
/** Heights that were asked for once. */
const mostWanted = 1_000;
const mostFinal = 10_000;
/** For so long it is not asked again which block is final. */
const finalMilliseconds = 60_000;

/**
 * Learns which block stands at a height that is asked for again and again, so that it need not be asked for any more: by reading the
 * blocks between it and the known part of the chain, or because it is final.
 *
 * Works beside the requests, one thing at a time; what fails is tried again when the height is asked for again.
 */
export class KnownHeights {
  readonly #options: KnownHeightsOptions;
  readonly #now: () => number;
  readonly #wanted = new BoundedCache<number, true>(mostWanted);
  /** Hashes of final blocks. */
  readonly #final = new BoundedCache<number, string>(mostFinal);
  #highestFinal: NodeBlock | undefined;
  /** Changes with each doubt; undefined while there is none. */
  #doubt: object | undefined;
  #finalAskedAt = Number.NEGATIVE_INFINITY;
  #work: Promise<void> | undefined;

  constructor(options: KnownHeightsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Of a block that is final, where it was read before; undefined where that is not known. */
  findFinal(height: number): string | undefined {
    return this.#doubt === undefined && this.#isFinal(height) ? this.#final.find(height) : undefined;
  }

  /** A block had to be asked for by its height: the second time it is learnt, beside. */
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
   * The head has changed. One below what was final means that somebody has turned the chain back; one that is not known to lead to the
   * head before it (`isLinked`) may mean so.
   */
  followHead(height: number, isLinked: boolean): void {
    if (!this.#isFinal(height + 1)) {
      if (!isLinked && this.#highestFinal !== undefined) this.#doubt = {};
      return;
    }
    this.#forgetFinal();
    this.#finalAskedAt = Number.NEGATIVE_INFINITY;
  }

  /** Fulfilled when nothing is being learnt. */
  async settle(): Promise<void> {
    await this.#work;
  }

  #begin(work: () => Promise<void>): void {
    // Requests go on asking for the height, and tell what is wrong.
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
    if (lowest !== undefined && height < lowest && lowest - height <= mostJoined) await this.#join(height, lowest);
    else if (chain.hashAt(height) === undefined) await this.#readFinal();
  }

  /** What was final still is so when the highest of it stands where it stood. */
  async #confirmFinal(): Promise<void> {
    const { number, hash } = this.#highestFinal ?? {};
    const doubt = this.#doubt;
    const [answer] = await this.#read([[number, false]]);
    if (this.#doubt !== doubt) return;
    if ((answer as Partial<NodeBlock> | null)?.hash === hash) this.#doubt = undefined;
    else this.#forgetFinal();
  }

  async #readHead(): Promise<void> {
    const { head, keep } = this.#options;
    const askedAt = head.now();
    const [answer] = await this.#read([["latest", false]]);
    const block = keep(answer, undefined);
    if (block !== undefined) head.tell(block, askedAt);
  }

  /** From the top down, so that each block is known to be its child's parent when it is kept. */
  async #join(height: number, lowest: number): Promise<void> {
    const heights = Array.from({ length: lowest - height }, (_, offset) => quantity(lowest - 1 - offset));
    const answers = await this.#read(heights.map((number) => [number, false]));
    for (const [position, number] of heights.entries()) this.#options.keep(answers[position], number);
  }

  async #readFinal(): Promise<void> {
    const now = this.#now();
    if (now - this.#finalAskedAt < finalMilliseconds) return;
    this.#finalAskedAt = now;
    const [answer] = await this.#read([["finalized", false]]);
    const block = this.#options.keep(answer, undefined);
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
