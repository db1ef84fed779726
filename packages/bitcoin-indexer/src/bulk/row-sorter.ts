/**
 * Sorter of records of a fixed number of 32-bit words by their first words, which are the key. Records with equal keys stay in insertion
 * order.
 *
 * Records are partitioned by the highest bits of their first word on insertion, so that each part is sorted within a processor's cache. The
 * first word alone is sorted by counting; the rest of the key is compared where first words are equal.
 */
export class RowSorter {
  readonly width: number;
  readonly keyWords: number;
  readonly #capacity: number;
  readonly #parts: Part[];
  #length = 0;
  /** Words of the part that contains the last record. */
  #words: Uint32Array = new Uint32Array(0);

  /** Creates the sorter. `capacity`: records; memory is allocated as it is needed. */
  constructor(width: number, keyWords: number, capacity: number) {
    this.width = width;
    this.keyWords = keyWords;
    this.#capacity = capacity;
    this.#parts = Array.from({ length: partCount }, () => ({ words: this.#words, end: 0 }));
  }

  /** Number of records. */
  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length >= this.#capacity;
  }

  /** Words that contain the record added last. */
  get words(): Uint32Array {
    return this.#words;
  }

  /** Reserves a record with this first word, and returns its offset in `words`. The caller writes all of its words. */
  add(first: number): number {
    const part = this.#parts[first >>> partShift];
    if (part === undefined) throw new Error("A word has 32 bits");
    const start = part.end;
    if (start === part.words.length) grow(part, this.width);
    part.end = start + this.width;
    this.#words = part.words;
    this.#length += 1;
    return start;
  }

  /** Passes the records in order, some at a time, each valid during the call, and empties the sorter. */
  drain(write: (words: Uint32Array) => void): void {
    for (const words of this.drained()) write(words);
  }

  /** Passes the records like `drain`, as a generator: some records at a time, valid until the next. */
  *drained(): Generator<Uint32Array, void, undefined> {
    const longest = Math.max(...this.#parts.map(({ end }) => end));
    const memory = new SortMemory(longest / this.width, longest);
    for (const part of this.#parts) {
      if (part.end === 0) continue;
      const sorted = this.#sort(part, memory);
      part.end = 0;
      yield sorted;
    }
    this.#length = 0;
  }

  /** Removes all records and frees the memory. */
  clear(): void {
    this.#length = 0;
    for (const part of this.#parts) {
      part.words = new Uint32Array(0);
      part.end = 0;
    }
  }

  #sort({ words, end }: Part, memory: SortMemory): Uint32Array {
    const { width } = this;
    const length = end / width;
    const { keys, order, otherKeys, otherOrder } = memory;
    for (let record = 0; record < length; record += 1) {
      keys[record] = words[record * width] ?? 0;
      order[record] = record;
    }
    // The digits above are equal throughout the part.
    sortByDigit(keys, order, otherKeys, otherOrder, length, 0);
    sortByDigit(otherKeys, otherOrder, keys, order, length, digitBits);
    sortByDigit(keys, order, otherKeys, otherOrder, length, 2 * digitBits);
    const sorted = memory.sorted.subarray(0, end);
    for (let place = 0; place < length; place += 1) {
      const from = (otherOrder[place] ?? 0) * width;
      const to = place * width;
      for (let word = 0; word < width; word += 1) sorted[to + word] = words[from + word] ?? 0;
    }
    if (this.keyWords > 1) this.#sortTies(sorted, length);
    return sorted;
  }

  /** Sorts each run of records that share the first word by the rest of the key, where they are not in order already. */
  #sortTies(sorted: Uint32Array, length: number): void {
    const { width } = this;
    let start = 0;
    let isSorted = true;
    for (let place = 1; place <= length; place += 1) {
      const record = place * width;
      if (place < length && sorted[record - width] === sorted[record]) {
        if (isSorted && this.#compare(sorted, record - width, record) > 0) isSorted = false;
        continue;
      }
      if (!isSorted) this.#sortStretch(sorted, start, place);
      start = place;
      isSorted = true;
    }
  }

  /** Sorts one run. Different keys with the same beginning are rare. */
  #sortStretch(sorted: Uint32Array, start: number, end: number): void {
    const { width } = this;
    const copy = sorted.slice(start * width, end * width);
    const order = Array.from({ length: end - start }, (_, record) => record * width);
    // The engine's sort is stable.
    order.sort((left, right) => this.#compare(copy, left, right));
    for (const [place, from] of order.entries()) {
      sorted.set(copy.subarray(from, from + width), (start + place) * width);
    }
  }

  #compare(words: Uint32Array, left: number, right: number): number {
    for (let word = 0; word < this.keyWords; word += 1) {
      const difference = (words[left + word] ?? 0) - (words[right + word] ?? 0);
      if (difference !== 0) return difference;
    }
    return 0;
  }
}

/** Records whose first words share their highest bits, in insertion order. */
interface Part {
  words: Uint32Array;
  /** End of the part, in words. */
  end: number;
}

/** Scratch memory, allocated once for all parts. */
class SortMemory {
  readonly keys: Uint32Array;
  readonly order: Uint32Array;
  readonly otherKeys: Uint32Array;
  readonly otherOrder: Uint32Array;
  readonly sorted: Uint32Array;

  constructor(records: number, words: number) {
    this.keys = new Uint32Array(records);
    this.order = new Uint32Array(records);
    this.otherKeys = new Uint32Array(records);
    this.otherOrder = new Uint32Array(records);
    this.sorted = new Uint32Array(words);
  }
}

/** Performs one pass of a radix sort; stable. */
function sortByDigit(
  keys: Uint32Array,
  order: Uint32Array,
  toKeys: Uint32Array,
  toOrder: Uint32Array,
  length: number,
  shift: number,
): void {
  starts.fill(0);
  for (let index = 0; index < length; index += 1) {
    const digit = (((keys[index] ?? 0) >>> shift) & digitMask) + 1;
    starts[digit] = (starts[digit] ?? 0) + 1;
  }
  for (let digit = 0; digit < digitMask; digit += 1) {
    starts[digit + 1] = (starts[digit + 1] ?? 0) + (starts[digit] ?? 0);
  }
  for (let index = 0; index < length; index += 1) {
    const key = keys[index] ?? 0;
    const digit = (key >>> shift) & digitMask;
    const place = starts[digit] ?? 0;
    toKeys[place] = key;
    toOrder[place] = order[index] ?? 0;
    starts[digit] = place + 1;
  }
}

function grow(part: Part, width: number): void {
  const larger = new Uint32Array(Math.max(firstCapacity * width, part.words.length * 2));
  larger.set(part.words);
  part.words = larger;
}

const partShift = 26;
const partCount = 2 ** (32 - partShift);

/** Bits of a digit: three digits cover the bits of a word below the partition. */
const digitBits = 9;
const digitMask = 2 ** digitBits - 1;
const starts = new Uint32Array(digitMask + 2);

/** Initial capacity of a part, in records. */
const firstCapacity = 256;
