/**
 * Gathers records of a fixed number of 32-bit words and gives them in the order of their first words, which are their key; records with
 * equal keys stay in the order in which they came.
 *
 * The first word should be spread over its range: it alone is sorted by counting, the rest by comparing those that share it.
 */
export class RowSorter {
  readonly width: number;
  readonly keyWords: number;
  readonly #capacity: number;
  #words: Uint32Array;
  #length = 0;

  /** `capacity`: records; memory is taken as it is needed. */
  constructor(width: number, keyWords: number, capacity: number) {
    this.width = width;
    this.keyWords = keyWords;
    this.#capacity = capacity;
    this.#words = new Uint32Array(Math.min(capacity, firstCapacity) * width);
  }

  /** Records. */
  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length >= this.#capacity;
  }

  /** The words of all records; `add` may replace the array. */
  get words(): Uint32Array {
    return this.#words;
  }

  /** Makes room for one more record and gives the index of its first word in `words`, all of which the caller writes. */
  add(): number {
    const start = this.#length * this.width;
    if (start === this.#words.length) this.#grow();
    this.#length += 1;
    return start;
  }

  /** The records in order, and none are left. The result is valid until the next `add`. */
  take(): Uint32Array {
    const { width } = this;
    const words = this.#words;
    const length = this.#length;
    const order = this.#sortedOrder();
    const sorted = new Uint32Array(length * width);
    for (let place = 0; place < length; place += 1) {
      const from = (order[place] ?? 0) * width;
      const to = place * width;
      for (let word = 0; word < width; word += 1) sorted[to + word] = words[from + word] ?? 0;
    }
    this.#length = 0;
    return sorted;
  }

  /** Forgets its memory too. */
  clear(): void {
    this.#length = 0;
    this.#words = new Uint32Array(0);
  }

  #grow(): void {
    const records = Math.max(firstCapacity, Math.min(this.#capacity, this.#length * 2), this.#length + 1);
    const larger = new Uint32Array(records * this.width);
    larger.set(this.#words);
    this.#words = larger;
  }

  #sortedOrder(): Uint32Array {
    const length = this.#length;
    let order: Uint32Array = new Uint32Array(length);
    for (let record = 0; record < length; record += 1) order[record] = record;
    let other: Uint32Array = new Uint32Array(length);
    for (const shift of [0, 16]) {
      this.#sortByHalf(order, other, shift);
      [order, other] = [other, order];
    }
    this.#sortTies(order, other);
    return order;
  }

  /** One pass of a radix sort over 16 bits of the first word; stable. */
  #sortByHalf(from: Uint32Array, to: Uint32Array, shift: number): void {
    const { width } = this;
    const words = this.#words;
    const starts = new Uint32Array(65_537);
    for (let record = 0; record < from.length; record += 1) {
      const digit = ((words[record * width] ?? 0) >>> shift) & 0xffff;
      starts[digit + 1] = (starts[digit + 1] ?? 0) + 1;
    }
    for (let digit = 0; digit < 65_536; digit += 1) starts[digit + 1] = (starts[digit + 1] ?? 0) + (starts[digit] ?? 0);
    for (let index = 0; index < from.length; index += 1) {
      const record = from[index] ?? 0;
      const digit = ((words[record * width] ?? 0) >>> shift) & 0xffff;
      const place = starts[digit] ?? 0;
      to[place] = record;
      starts[digit] = place + 1;
    }
  }

  /** Sorts each stretch of records that share the first word by the rest of the key. */
  #sortTies(order: Uint32Array, spare: Uint32Array): void {
    if (this.keyWords === 1) return;
    const { width } = this;
    const words = this.#words;
    let start = 0;
    let isSorted = true;
    for (let place = 1; place <= order.length; place += 1) {
      const before = (order[place - 1] ?? 0) * width;
      const record = (order[place] ?? 0) * width;
      if (place < order.length && words[before] === words[record]) {
        if (isSorted && this.#compare(before, record) > 0) isSorted = false;
        continue;
      }
      if (!isSorted) this.#mergeSort(order, spare, start, place);
      start = place;
      isSorted = true;
    }
  }

  /** Bottom up and stable, from `start` to `end`. */
  #mergeSort(order: Uint32Array, spare: Uint32Array, start: number, end: number): void {
    let from = order;
    let to = spare;
    for (let run = 1; run < end - start; run *= 2) {
      for (let left = start; left < end; left += 2 * run) {
        this.#mergeRuns(from, to, left, Math.min(left + run, end), Math.min(left + 2 * run, end));
      }
      [from, to] = [to, from];
    }
    if (from !== order) order.set(from.subarray(start, end), start);
  }

  #mergeRuns(from: Uint32Array, to: Uint32Array, start: number, middle: number, end: number): void {
    let left = start;
    let right = middle;
    for (let place = start; place < end; place += 1) {
      const takesLeft =
        left < middle &&
        (right >= end || this.#compare((from[left] ?? 0) * this.width, (from[right] ?? 0) * this.width) <= 0);
      to[place] = from[takesLeft ? left : right] ?? 0;
      if (takesLeft) left += 1;
      else right += 1;
    }
  }

  #compare(left: number, right: number): number {
    const words = this.#words;
    for (let word = 0; word < this.keyWords; word += 1) {
      const difference = (words[left + word] ?? 0) - (words[right + word] ?? 0);
      if (difference !== 0) return difference;
    }
    return 0;
  }
}

/** Records that there is room for at first. */
const firstCapacity = 1_024;
