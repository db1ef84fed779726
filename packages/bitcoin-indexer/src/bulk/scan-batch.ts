import { type BlockFile, openBlockFile } from "../store/block-file.ts";
import { blockPrefixLength } from "../store/block-files.ts";
import type { BatchMemory } from "./batch-memory.ts";
import { BlockScanner } from "./block-scanner.ts";

/** Blocks to scan into a slot: as many as fit. */
export interface BatchOrder {
  readonly slot: number;
  /** Paths of files by number, those that no earlier order contained. */
  readonly paths: readonly (readonly [file: number, path: string])[];
  /** File, first byte there and length of each block. */
  readonly places: Float64Array;
  /** Hash of each block, 32 bytes in wire order. */
  readonly hashes: Uint8Array;
}

/** Numbers of a block in `places`. */
export const placeNumbers = 3;

/** Maximum number of files that are kept open. */
const maximumOpenFiles = 32;

/** Reader and scanner of batches for a joining thread. */
export class BatchScanner {
  readonly #memory: BatchMemory;
  readonly #bytes: Uint8Array;
  readonly #mask: Uint8Array;
  readonly #scanner: BlockScanner;
  readonly #paths = new Map<number, string>();
  readonly #files = new Map<number, BlockFile>();

  /** Creates the scanner. `mask`: XOR mask of the files. */
  constructor(memory: BatchMemory, mask: Uint8Array) {
    this.#memory = memory;
    this.#bytes = new Uint8Array(memory.memory.buffer);
    this.#mask = mask;
    this.#scanner = new BlockScanner(memory);
  }

  /** Scans a batch. The blocks are laid out in the slot as in a block file, each after its 8-byte prefix. */
  scan({ slot: number, paths, places, hashes }: BatchOrder): void {
    for (const [file, path] of paths) this.#paths.set(file, path);
    const slot = this.#memory.slots[number];
    if (slot === undefined) throw new Error(`No slot ${number}`);
    this.#scanner.open(slot);
    const starts = this.#read(slot.raw, places);
    for (const [index, start] of starts.entries()) {
      const length = places[index * placeNumbers + 2] ?? 0;
      this.#scanner.scan(start + blockPrefixLength, length, hashes.subarray(index * 32, index * 32 + 32));
    }
  }

  close(): void {
    for (const file of this.#files.values()) file.close();
    this.#files.clear();
  }

  /** Reads the blocks, adjacent ones of a file at once. Returns the address of each in memory, with its prefix. */
  #read(raw: number, places: Float64Array): readonly number[] {
    const starts: number[] = [];
    let target = raw;
    for (let index = 0; index < places.length; ) {
      const file = places[index] ?? 0;
      const offset = (places[index + 1] ?? 0) - blockPrefixLength;
      let end = offset;
      for (; places[index] === file && (places[index + 1] ?? 0) - blockPrefixLength === end; index += placeNumbers) {
        starts.push(target + end - offset);
        end = (places[index + 1] ?? 0) + (places[index + 2] ?? 0);
      }
      const bytes = this.#readFile(file, offset, end - offset);
      this.#bytes.set(bytes, target);
      // Leftover bytes of an earlier batch are no block.
      if (bytes.length < end - offset) this.#bytes.fill(0, target + bytes.length, target + end - offset);
      target += end - offset;
    }
    return starts;
  }

  /**
   * Returns the available bytes: none of a file that was deleted since it was listed. Its blocks are then bad, and a second read reports
   * why.
   */
  #readFile(number: number, offset: number, length: number): Uint8Array {
    try {
      return this.#open(number, offset + length).read(offset, length);
    } catch {
      return new Uint8Array(0);
    }
  }

  /** Opens a file. `end`: end of the range to read. A file that ended before it when it was opened may have grown. */
  #open(number: number, end: number): BlockFile {
    const open = this.#files.get(number);
    if (open !== undefined && open.length >= end) return open;
    open?.close();
    this.#files.delete(number);
    if (this.#files.size >= maximumOpenFiles) this.close();
    const file = openBlockFile(this.#paths.get(number) ?? "", this.#mask);
    this.#files.set(number, file);
    return file;
  }
}

/** Returns how many of the blocks with these lengths form one batch of at most `most` bytes. At least one. */
export function batchSize(lengths: Iterable<number>, most: number): number {
  let count = 0;
  let bytes = 0;
  for (const length of lengths) {
    bytes += length + blockPrefixLength;
    if (bytes > most && count > 0) return count;
    count += 1;
  }
  return count;
}
