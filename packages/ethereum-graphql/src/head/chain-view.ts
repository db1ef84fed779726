import type { PromiseOrValue } from "../basics/promise-or-value.ts";
import type { NodeBlock } from "../results/node-values.ts";
import { throwFailureOfOwnCall, type UpstreamCalls } from "../node-calls/upstream-calls.ts";
import type { ChainLink, KnownChain } from "./known-chain.ts";
import { reorganised } from "../basics/unexpected-result.ts";

/** Place on the chain, and the parent of its block where that is known. */
export type ChainPlace = Pick<ChainLink, "number" | "hash"> & Partial<ChainLink>;

export interface ChainViewOptions {
  readonly calls: UpstreamCalls;
  readonly chain: KnownChain;
  /**
   * Returns the latest block, as the request would resolve it; where it has to be read, that is done before everything else of the batch.
   */
  readonly getHead: () => PromiseOrValue<NodeBlock>;
}

/** Reads of one batch that depend on which chain is the best one. */
interface Level {
  /** Heights, as far as the reads are by height. */
  readonly heights: (number | undefined)[];
  readonly places: Promise<ChainPlace | undefined>[];
  isSent: boolean;
  /** Rejects when a result is from another version of the chain than earlier ones, or than other parts of it. */
  check: Promise<void> | undefined;
}

/**
 * Consistency check that binds the reads of one request by height, or by the hash of a transaction, to one version of the chain.
 *
 * A block that was on the chain before a batch and still is at its end was so all the time, and everything read below it belongs to it. So
 * a request that reads one block, and everything else by its hash, costs nothing more; one that reads more has one block confirmed after
 * the batch.
 */
export class ChainView {
  readonly #calls: UpstreamCalls;
  readonly #chain: KnownChain;
  readonly #getHead: () => PromiseOrValue<NodeBlock>;
  /** Highest place that was read: everything else read so far leads up to it. */
  #anchor: ChainPlace | undefined;
  #level: Level | undefined;

  constructor({ calls, chain, getHead }: ChainViewOptions) {
    this.#calls = calls;
    this.#chain = chain;
    this.#getHead = getHead;
  }

  /** Adds a block that was known to be the latest a moment ago. */
  admit<Block extends ChainLink>(block: Block): PromiseOrValue<Block> {
    if (this.#anchor === undefined || this.#isBelow(this.#anchor, block)) {
      this.#raise(block);
      return block;
    }
    return this.#confirm(block, this.#calls.readLast("eth_getBlockByNumber", [block.number, false])).then(() => {
      this.#raise(block);
      return block;
    });
  }

  /**
   * Returns a read of the best chain as soon as it is certain to be of the same version as everything else that the request reads. Must be
   * called in the turn of the event loop in which the call is made. `height` is absent where it follows from the result.
   */
  async hold<Place extends ChainPlace | undefined>(result: Promise<Place>, height?: number): Promise<Place> {
    const level = this.#openLevel();
    level.heights.push(height);
    level.places.push(result);
    const value = await result;
    await level.check;
    if (value !== undefined) this.#raise(value);
    return value;
  }

  #raise(place: ChainPlace): void {
    if (this.#anchor === undefined || Number(place.number) > Number(this.#anchor.number)) this.#anchor = place;
  }

  #isBelow(place: ChainPlace, block: ChainLink): boolean {
    if (place.hash === block.hash || place.hash === block.parentHash) return true;
    return this.#chain.contains(block) && this.#chain.contains(place) && Number(place.number) < Number(block.number);
  }

  #openLevel(): Level {
    if (this.#level === undefined || this.#level.isSent) {
      const level: Level = { heights: [], places: [], isSent: false, check: undefined };
      this.#level = level;
      this.#calls.beforeSend(() => {
        level.isSent = true;
        level.check = this.#plan(level);
        // The failure is reported to those that wait; possibly none does any more.
        level.check?.catch(() => undefined);
      });
    }
    return this.#level;
  }

  /** Returns the additional check for the reads of a batch; called just before it is sent. */
  #plan({ heights, places }: Level): Promise<void> | undefined {
    const checks: Promise<void>[] = [];
    const anchor = this.#anchor;
    if (anchor !== undefined) checks.push(this.#confirmAtEnd(anchor));
    if (places.length > 1 && !isAllBelow(heights, anchor)) {
      checks.push(isRun(heights) ? assertLinked(places) : this.#bracket());
    }
    return checks.length === 0 ? undefined : Promise.all(checks).then(() => undefined);
  }

  /** Checks that the latest block before everything else of the batch is on the chain after everything else of it. */
  #bracket(): Promise<void> {
    const head = this.#getHead();
    if (!(head instanceof Promise)) return this.#confirmAtEnd(head);
    const last = this.#calls.readLast("eth_getBlockByNumber", ["latest", false]);
    return Promise.all([head, last.catch(throwFailureOfOwnCall)]).then(async ([before, result]) => {
      const after = result as ChainLink | null;
      if (after?.hash !== before.hash && after?.parentHash !== before.hash) await this.#confirmAtEnd(before);
    });
  }

  #confirmAtEnd(place: ChainPlace): Promise<void> {
    return this.#confirm(place, this.#calls.readLast("eth_getBlockByNumber", [place.number, false]));
  }

  async #confirm({ hash }: ChainPlace, result: Promise<unknown>): Promise<void> {
    const block = (await result.catch(throwFailureOfOwnCall)) as { readonly hash?: unknown } | null;
    if (block?.hash !== hash) throw reorganised();
  }
}

function isAllBelow(heights: readonly (number | undefined)[], anchor: ChainPlace | undefined): boolean {
  return anchor !== undefined && heights.every((height) => height !== undefined && height <= Number(anchor.number));
}

/** Returns whether heights are consecutive, in any order and with any repetition. */
function isRun(heights: readonly (number | undefined)[]): boolean {
  const distinct = new Set(heights);
  const numbers = [...distinct].filter((height) => height !== undefined);
  return numbers.length === distinct.size && Math.max(...numbers) - Math.min(...numbers) === numbers.length - 1;
}

/** Throws when consecutive blocks do not refer to each other; those beyond the end of the chain do not exist. */
async function assertLinked(places: readonly Promise<ChainPlace | undefined>[]): Promise<void> {
  const found = (await Promise.all(places)).filter((place) => place !== undefined);
  const byHeight = new Map(found.map((block) => [Number(block.number), block]));
  for (const block of found) {
    const parent = byHeight.get(Number(block.number) - 1);
    const same = byHeight.get(Number(block.number));
    if (same?.hash !== block.hash || (parent !== undefined && parent.hash !== block.parentHash)) throw reorganised();
  }
}
