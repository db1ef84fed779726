import type { JsonBytes } from "./json-bytes.ts";

/** Places of a group: bytes are searched in the places of one group, and replace others there. */
const groupSize = 8;

/** Head of a place: lengths of the bytes and their text, and the kind; then the bytes, then the text. */
const headLength = 3;

/** Capacity of a cache of strings. */
export interface TextMemoryOptions {
  /** Capacity in byte strings, in groups of eight: a power of two of groups. */
  readonly groups: number;
  /** Maximum length of one with its text; others are not cached. */
  readonly placeLength: number;
}

/** Returns a cache for each name, such as that of a network, created on first use. */
export function createTextMemories(options: TextMemoryOptions): (name: string) => TextMemory {
  const memories = new Map<string, TextMemory>();
  let last: { readonly name: string; readonly memory: TextMemory } | undefined;
  return (name) => {
    if (last?.name === name) return last.memory;
    const memory = memories.get(name) ?? new TextMemory(options);
    memories.set(name, memory);
    last = { name, memory };
    return memory;
  };
}

/**
 * Cache of short texts of short byte strings, such as the address of a script, in memory of a fixed size: for texts that are expensive to
 * create and are written again and again. Each has a kind, a number below 256, whose meaning the caller defines.
 */
export class TextMemory {
  readonly #groups: number;
  readonly #placeLength: number;
  /** Tags of the bytes in each place, from their hash; 0 is that of none. They show quickly which place may match. */
  readonly #tags: Uint16Array;
  // A few bytes more than there are places: copies read four bytes at a time.
  readonly #places: Buffer;
  readonly #view: DataView;
  /** Next place to be replaced in each group. */
  readonly #next: Uint8Array;

  constructor({ groups, placeLength }: TextMemoryOptions) {
    const places = groups * groupSize;
    this.#groups = groups;
    this.#placeLength = placeLength;
    this.#tags = new Uint16Array(places);
    this.#places = Buffer.alloc(places * placeLength + 4);
    this.#view = new DataView(this.#places.buffer, this.#places.byteOffset, this.#places.length);
    this.#next = new Uint8Array(groups);
  }

  /** Returns the place of the bytes between two positions; -1 when they are not cached. Valid until `remember` is called. */
  find(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashOf(bytes, start, end);
    const first = (hash % this.#groups) * groupSize;
    const tag = (hash >>> 16) | 1;
    const tags = this.#tags;
    for (let place = first; place < first + groupSize; place += 1) {
      if (tags[place] === tag && this.#holds(place, bytes, start, end)) return place;
    }
    return -1;
  }

  kindAt(place: number): number {
    return this.#places[place * this.#placeLength + 2] ?? 0;
  }

  textLengthAt(place: number): number {
    return this.#places[place * this.#placeLength + 1] ?? 0;
  }

  /** Writes a part of the text at a place; up to its end where no length is given. */
  writeText(out: JsonBytes, place: number, start = 0, length: number = this.textLengthAt(place) - start): void {
    const from = place * this.#placeLength;
    out.copy(this.#view, from + headLength + (this.#places[from] ?? 0) + start, length);
  }

  /** Caches a text; `text` has no character above U+007F. */
  remember(bytes: Uint8Array, start: number, end: number, kind: number, text: string): void {
    const length = end - start;
    if (length > 0xff || text.length > 0xff || headLength + length + text.length > this.#placeLength) return;
    const hash = hashOf(bytes, start, end);
    const group = hash % this.#groups;
    const next = this.#next[group] ?? 0;
    this.#next[group] = (next + 1) % groupSize;
    const place = group * groupSize + next;
    const from = place * this.#placeLength;
    this.#tags[place] = (hash >>> 16) | 1;
    this.#places[from] = length;
    this.#places[from + 1] = text.length;
    this.#places[from + 2] = kind;
    this.#places.set(bytes.subarray(start, end), from + headLength);
    this.#places.write(text, from + headLength + length, "latin1");
  }

  #holds(place: number, bytes: Uint8Array, start: number, end: number): boolean {
    const places = this.#places;
    const length = end - start;
    const from = place * this.#placeLength;
    if (places[from] !== length) return false;
    for (let index = 0; index < length; index += 1) {
      if (places[from + headLength + index] !== bytes[start + index]) return false;
    }
    return true;
  }
}

/** Hashes the last bytes, those of a hash or key in most scripts. Bytes crafted to collide in one group slow down nothing else. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  for (let index = Math.max(start, end - 14); index < end; index += 1) {
    hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
