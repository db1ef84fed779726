import { LRUCache } from "lru-cache";
import type { Finality } from "./finality.ts";

export interface ResponseCacheOptions {
  /** Approximate memory of all cached results, in bytes. */
  readonly maximumBytes: number;
  /** Longest time in milliseconds that a result with finality `head` is served: other nodes may already return another one. */
  readonly headMilliseconds?: number | undefined;
  readonly now?: (() => number) | undefined;
}

interface Entry {
  readonly response: unknown;
  readonly finality: Exclude<Finality, "never">;
  readonly keptAt: number;
}

/** Number that identifies the state of the chain from which a result was fetched. */
export type ChainMoment = number;

const defaultHeadMilliseconds = 1_000;

/** Divisor of the cache size: a larger result is not worth the others that it would evict. */
const entrySizeDivisor = 8;

/** Memory of one Map entry without its key, in bytes. */
const entryBytes = 200;

/**
 * Cache of results that keeps each one while it is true, within a memory limit. Results are returned by reference and must not be modified.
 */
export class ResponseCache {
  readonly #entries: LRUCache<string, Entry>;
  readonly #headMilliseconds: number;
  readonly #largest: number;
  readonly #now: () => number;
  #moment: ChainMoment = 0;
  #stableMoment: ChainMoment = 0;

  constructor({ maximumBytes, headMilliseconds, now }: ResponseCacheOptions) {
    this.#entries = new LRUCache({ maxSize: maximumBytes });
    this.#headMilliseconds = headMilliseconds ?? defaultHeadMilliseconds;
    this.#largest = Math.floor(maximumBytes / entrySizeDivisor);
    this.#now = now ?? (() => performance.now());
  }

  /** Memory of all cached results, in bytes. */
  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  /** Current moment. A result of a call that starts now may be cached with it, unless the chain changes before the result arrives. */
  get moment(): ChainMoment {
    return this.#moment;
  }

  find(key: string): { readonly response: unknown } | undefined {
    const entry = this.#entries.get(key);
    if (entry?.finality !== "head" || this.#now() - entry.keptAt <= this.#headMilliseconds) return entry;
    this.#entries.delete(key);
    return undefined;
  }

  keep(key: string, finality: Exclude<Finality, "never">, response: unknown, moment: ChainMoment): void {
    if (finality === "head" && moment !== this.#moment) return;
    if (finality === "buried" && moment < this.#stableMoment) return;
    const size = entryBytes + key.length * 2 + sizeOf(response, this.#largest);
    if (size > this.#largest) return;
    this.#entries.set(key, { response, finality, keptAt: this.#now() }, { size });
  }

  /** Records that the head has changed. After a reorganization, buried blocks may be different as well. */
  changeHead(isReorganisation: boolean): void {
    this.#moment += 1;
    if (isReorganisation) this.#stableMoment = this.#moment;
    for (const [key, { finality }] of this.#entries.entries()) {
      if (finality === "head" || (isReorganisation && finality === "buried")) this.#entries.delete(key);
    }
  }
}

/** Length below which a string is not scanned: it takes little memory, and hexadecimal digits and names take one byte each. */
const longBytes = 100;

/** Returns whether a string takes two bytes for each of its characters. */
function isWide(text: string): boolean {
  return /[^\0-\xff]/.test(text);
}

/**
 * Returns the approximate memory of a JSON value in bytes, counted no further than `limit`. Of a long list, no more elements are visited
 * either.
 */
export function sizeOf(value: unknown, limit: number): number {
  let size = 0;
  const open: unknown[] = [value];
  for (let next = open.pop(); ; next = open.pop()) {
    if (typeof next === "string") size += 16 + next.length * (next.length > longBytes && isWide(next) ? 2 : 1);
    else if (typeof next === "object" && next !== null) {
      size += 32;
      if (Array.isArray(next)) {
        for (const element of next) {
          size += 8;
          if (size > limit) return size;
          open.push(element);
        }
      } else {
        for (const name in next) {
          size += 8 + name.length;
          open.push((next as Readonly<Record<string, unknown>>)[name]);
        }
      }
    } else size += 8;
    if (size > limit || open.length === 0) return size;
  }
}
