/**
 * Gathers records of a fixed number of 32-bit words and gives them in the order of their first words, which are their key; records with
 * equal keys stay in the order in which they came.
 *
 * Records are parted by the highest bits of their first word as they come, so that each part is sorted within a processor's cache. The
 * first word alone is sorted by counting; the rest of the key is looked at where first words are the same.
 */
export class RowSorter {
  readonly width: number;
  readonly keyWords: number;
  readonly #capacity: number;
  readonly #parts: Part[];
  #length = 0;
  /** Of the part that the last record is in. */
  #words: Uint32Array = new Uint32Array(0);

  /** `capacity`: records; memory is taken as it is needed. */
  constructor(width: number, keyWords: number, capacity: number) {
    this.width = width;
    this.keyWords = keyWords;
    this.#capacity = capacity;
    this.#parts = Array.from({ length: partCount }, () => ({ words: this.#words, end: 0 }));
  }

  /** Records. */
  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length >= this.#capacity;
  }

  /** The words that hold the record which was added last. */
  get words(): Uint32Array {
    return this.#words;
  }

  /** Makes room for a record with this first word, and gives its place in `words`; the caller writes all of its words. */
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

  /** Hands the records over in order, some at a time, each time valid during the call; none are left. */
  drain(write: (words: Uint32Array) => void): void {
    for (const words of this.drained()) write(words);
  }

  /** Like `drain`: some records at a time, valid until the next. */
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

  /** Forgets its memory too. */
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
    // What is above is the same throughout the part.
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

  /** Sorts each stretch of records that share the first word by the rest of the key, where they are not in order already. */
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

  /** Rare: different keys that begin alike. */
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

/** Records whose first words share their highest bits, in the order in which they came. */
interface Part {
  words: Uint32Array;
  /** In words. */
  end: number;
}

/** Taken once for all parts. */
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

/** One pass of a radix sort; stable. */
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

/** Three digits make what the parts leave of a word. */
const digitBits = 9;
const digitMask = 2 ** digitBits - 1;
const starts = new Uint32Array(digitMask + 2);

/** Records that there is room for in a part at first. */
const firstCapacity = 256;
