import type { JsonBytes } from "./json-bytes.ts";

/** Slots of a group. The hash of the bytes determines their group, as in a set-associative cache. */
const groupSize = 8;

/** Header of a slot: length of the bytes, length of the text, kind. The bytes and the text follow. */
const headerLength = 3;

/** Capacity of a cache of strings. */
export interface TextCacheOptions {
  /** Number of groups of eight slots, a power of two. */
  readonly groups: number;
  /** Size of a slot in bytes: longer byte strings with their text are not cached. */
  readonly slotLength: number;
}

/** Returns a cache for each name, such as that of a network, created on first use. */
export function createTextCaches(options: TextCacheOptions): (name: string) => TextCache {
  const caches = new Map<string, TextCache>();
  let last: { readonly name: string; readonly cache: TextCache } | undefined;
  return (name) => {
    if (last?.name === name) return last.cache;
    const cache = caches.get(name) ?? new TextCache(options);
    caches.set(name, cache);
    last = { name, cache };
    return cache;
  };
}

/**
 * Set-associative cache of fixed size: short byte strings, such as scripts, with a short text of each, such as its address, that is expensive
 * to create. Each entry has a kind, a number below 256, whose meaning the caller defines.
 */
export class TextCache {
  readonly #groups: number;
  readonly #slotLength: number;
  /** Tag of each slot, from the hash of its bytes, to find quickly which slot may match; 0 for an empty slot. */
  readonly #tags: Uint16Array;
  // A few bytes longer than the slots: copies read four bytes at a time.
  readonly #slots: Buffer;
  readonly #view: DataView;
  /** Slot that is replaced next, in each group. */
  readonly #next: Uint8Array;

  constructor({ groups, slotLength }: TextCacheOptions) {
    const slots = groups * groupSize;
    this.#groups = groups;
    this.#slotLength = slotLength;
    this.#tags = new Uint16Array(slots);
    this.#slots = Buffer.alloc(slots * slotLength + 4);
    this.#view = new DataView(this.#slots.buffer, this.#slots.byteOffset, this.#slots.length);
    this.#next = new Uint8Array(groups);
  }

  /** Returns the slot of the bytes between two positions; -1 when they are not cached. Valid until `set` is called. */
  find(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashOf(bytes, start, end);
    const first = (hash % this.#groups) * groupSize;
    const tag = (hash >>> 16) | 1;
    const tags = this.#tags;
    for (let slot = first; slot < first + groupSize; slot += 1) {
      if (tags[slot] === tag && this.#matches(slot, bytes, start, end)) return slot;
    }
    return -1;
  }

  kindAt(slot: number): number {
    return this.#slots[slot * this.#slotLength + 2] ?? 0;
  }

  textLengthAt(slot: number): number {
    return this.#slots[slot * this.#slotLength + 1] ?? 0;
  }

  /** Writes a part of the text of a slot; up to its end where no length is given. */
  writeText(out: JsonBytes, slot: number, start = 0, length: number = this.textLengthAt(slot) - start): void {
    const from = slot * this.#slotLength;
    out.copy(this.#view, from + headerLength + (this.#slots[from] ?? 0) + start, length);
  }

  /** Caches a text; `text` has no character above U+007F. */
  set(bytes: Uint8Array, start: number, end: number, kind: number, text: string): void {
    const length = end - start;
    if (length > 0xff || text.length > 0xff || headerLength + length + text.length > this.#slotLength) return;
    const hash = hashOf(bytes, start, end);
    const group = hash % this.#groups;
    const next = this.#next[group] ?? 0;
    this.#next[group] = (next + 1) % groupSize;
    const slot = group * groupSize + next;
    const from = slot * this.#slotLength;
    this.#tags[slot] = (hash >>> 16) | 1;
    this.#slots[from] = length;
    this.#slots[from + 1] = text.length;
    this.#slots[from + 2] = kind;
    this.#slots.set(bytes.subarray(start, end), from + headerLength);
    this.#slots.write(text, from + headerLength + length, "latin1");
  }

  #matches(slot: number, bytes: Uint8Array, start: number, end: number): boolean {
    const slots = this.#slots;
    const length = end - start;
    const from = slot * this.#slotLength;
    if (slots[from] !== length) return false;
    for (let index = 0; index < length; index += 1) {
      if (slots[from + headerLength + index] !== bytes[start + index]) return false;
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
