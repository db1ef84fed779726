import { join } from "node:path";
import { type WordFile, WordFileReader } from "./run-file.ts";

/** Shape of records: words of one, and how many of them, from the first on, are its key. */
export interface RecordShape {
  readonly width: number;
  readonly keyWords: number;
}

/** Maximum words of a run in memory during a merge. */
const bufferWords = 65_536;

/** Records in ascending key order, one after the other. */
export interface SortedRecords {
  /** Advances to the next record. Returns false after the last. */
  next(): boolean;
  /** Words that contain the record: valid until `next`. */
  readonly words: Uint32Array;
  readonly start: number;
}

/** Merge of sorted runs: records ascend by key, those with equal keys in the order of their runs. */
export class MergedRuns implements SortedRecords {
  readonly #runs: OpenRun[];
  readonly #shape: RecordShape;
  /** Runs that have a record left, as a heap with the lowest first. */
  readonly #heap: OpenRun[] = [];
  #isStarted = false;

  constructor(directory: string, runs: readonly WordFile[], shape: RecordShape) {
    this.#shape = shape;
    const length = Math.max(shape.width, Math.floor(bufferWords / shape.width) * shape.width);
    this.#runs = runs.map(({ name }, order) => new OpenRun(join(directory, name), length, shape.width, order));
  }

  /** Advances to the next record. Returns false after the last. */
  next(): boolean {
    const heap = this.#heap;
    if (this.#isStarted) {
      const first = heap[0];
      if (first === undefined) return false;
      if (!first.next()) {
        const last = heap.pop();
        if (last !== undefined && last !== first) heap[0] = last;
      }
      this.#sink(0);
    } else {
      this.#isStarted = true;
      heap.push(...this.#runs.filter((run) => run.next()));
      for (let index = heap.length >>> 1; index >= 0; index -= 1) this.#sink(index);
    }
    return heap.length > 0;
  }

  /** Words that contain the record: valid until `next`. */
  get words(): Uint32Array {
    return this.#heap[0]?.words ?? noWords;
  }

  get start(): number {
    return this.#heap[0]?.start ?? 0;
  }

  close(): void {
    for (const run of this.#runs) run.close();
  }

  #sink(from: number): void {
    const heap = this.#heap;
    for (let index = from; ; ) {
      let least = index;
      for (let child = 2 * index + 1; child <= 2 * index + 2 && child < heap.length; child += 1) {
        if (this.#isBefore(heap[child], heap[least])) least = child;
      }
      if (least === index) return;
      const [run, other] = [heap[index], heap[least]];
      if (run === undefined || other === undefined) return;
      heap[index] = other;
      heap[least] = run;
      index = least;
    }
  }

  #isBefore(left: OpenRun | undefined, right: OpenRun | undefined): boolean {
    if (left === undefined || right === undefined) return false;
    for (let word = 0; word < this.#shape.keyWords; word += 1) {
      const difference = (left.words[left.start + word] ?? 0) - (right.words[right.start + word] ?? 0);
      if (difference !== 0) return difference < 0;
    }
    return left.order < right.order;
  }
}

const noWords = new Uint32Array(0);

class OpenRun {
  readonly order: number;
  readonly #reader: WordFileReader;
  readonly #width: number;
  words: Uint32Array = noWords;
  start = 0;

  constructor(path: string, length: number, width: number, order: number) {
    this.order = order;
    this.#reader = new WordFileReader(path, length);
    this.#width = width;
  }

  next(): boolean {
    this.start += this.#width;
    if (this.start < this.words.length) return true;
    this.words = this.#reader.read();
    this.start = 0;
    return this.words.length > 0;
  }

  close(): void {
    this.#reader.close();
  }
}
