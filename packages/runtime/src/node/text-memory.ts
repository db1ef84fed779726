import type { JsonBytes } from "./json-bytes.ts";

/** Places of a group: bytes are looked for in the places of one group, and take the place of others there. */
const groupSize = 8;

/** A place: how long the bytes and their text are, and the kind; then the bytes, then the text. */
const headLength = 3;

export interface TextMemoryOptions {
  /** How many byte strings are remembered, in groups of eight: a power of two of them. */
  readonly groups: number;
  /** What is kept of one with its text, at most; others are not remembered. */
  readonly placeLength: number;
}

/** Gives a memory for each name, such as that of a network, made when it is first asked for. */
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
 * Short texts that belong to short byte strings, such as the address of a script, in memory of a fixed size: what is dear to make and
 * is written again and again. Each has a kind, a number below 256, which the caller gives a meaning.
 */
export class TextMemory {
  readonly #groups: number;
  readonly #placeLength: number;
  /** Of the bytes in each place, from their hash; 0 is that of none. A glance at them tells which place may be the one. */
  readonly #tags: Uint16Array;
  // A few bytes more than there are places: what is copied is read four bytes at a time.
  readonly #places: Buffer;
  readonly #view: DataView;
  /** The place of each group that is taken next. */
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

  /** The place of the bytes between two positions; -1 when they are not remembered. Good until `remember` is called. */
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

  /** `text` has no character above U+007F. */
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

/** From the last bytes, those of a hash or key in most scripts. Whoever makes bytes that meet in one group slows nobody down. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  for (let index = Math.max(start, end - 14); index < end; index += 1) {
    hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
