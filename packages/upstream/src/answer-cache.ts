import { LRUCache } from "lru-cache";
import type { Finality } from "./finality.ts";

export interface AnswerCacheOptions {
  /** Of all answers that are kept, as they lie in memory, about. */
  readonly maximumBytes: number;
  /** For so long at most an answer is given that holds until the head changes: other nodes may have another one already. */
  readonly headMilliseconds?: number | undefined;
  readonly now?: (() => number) | undefined;
}

interface Entry {
  readonly answer: unknown;
  readonly finality: Exclude<Finality, "never">;
  readonly keptAt: number;
}

/** What stands for the chain that an answer was asked of. */
export type ChainMoment = number;

const defaultHeadMilliseconds = 1_000;

/** An answer above this part of the whole is not worth the others that it would push out. */
const largestPart = 8;

/** Of a Map's entry, its key aside. */
const entryBytes = 200;

/** Keeps answers for as long as they are true, within a bound of memory. Answers are given as they are: nobody may change them. */
export class AnswerCache {
  readonly #entries: LRUCache<string, Entry>;
  readonly #headMilliseconds: number;
  readonly #largest: number;
  readonly #now: () => number;
  #moment: ChainMoment = 0;
  #stableMoment: ChainMoment = 0;

  constructor({ maximumBytes, headMilliseconds, now }: AnswerCacheOptions) {
    this.#entries = new LRUCache({ maxSize: maximumBytes });
    this.#headMilliseconds = headMilliseconds ?? defaultHeadMilliseconds;
    this.#largest = Math.floor(maximumBytes / largestPart);
    this.#now = now ?? (() => performance.now());
  }

  /** Of all answers that are kept. */
  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  /** What is asked now may be kept with this, unless the chain changes before it is answered. */
  get moment(): ChainMoment {
    return this.#moment;
  }

  find(key: string): { readonly answer: unknown } | undefined {
    const entry = this.#entries.get(key);
    if (entry?.finality !== "head" || this.#now() - entry.keptAt <= this.#headMilliseconds) return entry;
    this.#entries.delete(key);
    return undefined;
  }

  keep(key: string, finality: Exclude<Finality, "never">, answer: unknown, moment: ChainMoment): void {
    if (finality === "head" && moment !== this.#moment) return;
    if (finality === "buried" && moment < this.#stableMoment) return;
    const size = entryBytes + key.length * 2 + sizeOf(answer, this.#largest);
    if (size > this.#largest) return;
    this.#entries.set(key, { answer, finality, keptAt: this.#now() }, { size });
  }

  /** The head has changed; after a reorganisation, buried blocks may be others as well. */
  changeHead(isReorganisation: boolean): void {
    this.#moment += 1;
    if (isReorganisation) this.#stableMoment = this.#moment;
    for (const [key, { finality }] of this.#entries.entries()) {
      if (finality === "head" || (isReorganisation && finality === "buried")) this.#entries.delete(key);
    }
  }
}

/** A shorter string is not looked through: it takes little, and hexadecimal digits and names one byte each. */
const longBytes = 100;

/** Whether a string takes two bytes for each of its characters. */
function isWide(text: string): boolean {
  return /[^\0-\xff]/.test(text);
}

/** About the memory that a JSON value takes, counted no further than `limit`; of a long list, no more members are looked at either. */
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
